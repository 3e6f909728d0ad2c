"""The rule channel and the gates, without SQL, model or index."""

from datetime import timedelta
from time import perf_counter

import numpy as np

from eval.bench.texts import START, turns
from ltm.models import Turn
from ltm.packs import load_packs
from ltm.write.hearing import hear
from ltm.write.policy import Policy
from ltm.write.proposing import propose
from ltm.write.stages import Scene
from ltm.write.word_index import index_words


def measure_rules(count: int) -> float:
    """Return how many chat-sized turns a second are read and judged, a dialogue of six turns at a time."""
    packs = load_packs(("job_search", "venue_booking"))
    words, policy = index_words(packs), Policy()
    said = turns(np.random.default_rng(11), count)
    dialogues = [
        [
            Turn(role="user", text=text, at=START + timedelta(minutes=at), id=f"t{at}")
            for at, text in enumerate(said[start : start + 6])
        ]
        for start in range(0, count, 6)
    ]
    started = perf_counter()
    for dialogue in dialogues:
        heard = hear(dialogue, [str(turn.id) for turn in dialogue], "s", words)
        propose(Scene(packs=packs, words=words, policy=policy, heard=heard, others=()), ())
    return count / (perf_counter() - started)
