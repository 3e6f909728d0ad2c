"""Memories that are turns of a dialogue begin with who said it: `Caroline: I signed up for the race`.

A request that names one of the speakers is mostly about what that one said. Terms alone do not tell: the others say the
name too, when they speak to its bearer.
"""

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from ltm.recall.columns import Floats, Remembered
from ltm.recall.word_trie import fold_plain

_MAX_CHARS = 32
_LEAST_TURNS = 2
"""Who speaks speaks more than once; `expected salary: 20k` is no turn."""
_NAME = re.compile(r"([^\W\d_][\w .'·-]*)[:：]")


def speaker_boost(memories: Sequence[Remembered], intent: str, boost: float) -> Floats:
    """Return `boost` for the turns of the one speaker that the intent names; 0 for all where it names several."""
    if boost == 0.0:
        return np.zeros(len(memories))
    speakers = _speakers(memories)
    named = _named(speakers, intent)
    if len(named) != 1:
        return np.zeros(len(memories))
    return np.array([boost if name == named[0] else 0.0 for name in speakers])


def names_speaker(memories: Sequence[Remembered], intent: str) -> bool:
    """Return whether the intent names a speaker: "When did Caroline give a speech" is no question that anybody asks."""
    return bool(_named(_speakers(memories), intent))


def _speakers(memories: Sequence[Remembered]) -> list[str]:
    """Return who said each memory, folded; "" where none is named."""
    beginnings = [memory.text[:_MAX_CHARS] for memory in memories]
    return [_speaker(text) if ":" in text or "：" in text else "" for text in beginnings]


def _named(speakers: Sequence[str], intent: str) -> list[str]:
    turns = Counter(filter(None, speakers))
    folded = fold_plain(intent)
    return [name for name, count in turns.items() if count >= _LEAST_TURNS and _names(folded, name)]


@lru_cache(maxsize=8192)
def _speaker(beginning: str) -> str:
    """Return the folded name before the first colon; "" where there is none."""
    found = _NAME.match(beginning)
    return fold_plain(found[1]) if found is not None else ""


def _names(folded: str, name: str) -> bool:
    """Return whether a name occurs as a whole word; Chinese has none, there it may stand anywhere."""
    if not name.isascii():
        return name in folded
    return re.search(rf"(?<![a-z0-9]){re.escape(name)}(?![a-z0-9])", folded) is not None
