"""Turns of a dialogue beside each other: an answer often stands next to the turn that matches an intent best.

A memory that was remembered with a `context` names the turn before it by its words. Where that turn is in the pool too,
each of the two gets a share of the other's mixed z-score.
"""

from collections.abc import Sequence

import numpy as np

from ltm.recall.columns import Floats, Remembered
from ltm.recall.profile import Profile

_LONGEST_GAP_S = 86_400.0
"""A turn follows another within a day; who says the same words next week continues another dialogue."""


def neighbour_boost(memories: Sequence[Remembered], valid_from_s: Floats, z: Floats, profile: Profile) -> Floats:
    """Return what the turns beside them add to the mixed z-scores of a pool, shape (n,).

    A neighbour whose z is below 0 adds nothing: none ever takes anything away. What follows one turn in several
    memories counts once, by the best of them. A pool without contexts has 0 everywhere.

    Args:
        memories: The pool, ascending by memory id.
        valid_from_s: When they were said, POSIX seconds, shape (n,).
        z: Mixed z-scores without any boost, shape (n,).
        profile: Weights.
    """
    boost = np.zeros(len(memories))
    contexts = [memory.context for memory in memories]
    if not any(contexts) or profile.turn_before_weight == profile.turn_after_weight == 0.0:
        return boost
    beside = _neighbours(memories, contexts, valid_from_s)
    lift = np.maximum(z, 0.0)
    latter = np.fromiter(beside.keys(), dtype=np.intp)
    former = np.fromiter(beside.values(), dtype=np.intp)
    np.maximum.at(boost, former, profile.turn_after_weight * lift[latter])
    boost[latter] += profile.turn_before_weight * lift[former]
    return boost


def _neighbours(memories: Sequence[Remembered], contexts: Sequence[str | None], valid_from_s: Floats) -> dict[int, int]:
    """Return by the position of a turn that of the turn before it.

    Of several turns with the words of a context the last one before counts, in the order of time and then of ids.
    """
    times = valid_from_s.tolist()
    beside: dict[int, int] = {}
    said: dict[str, int] = {}
    for at in np.argsort(valid_from_s, kind="stable").tolist():
        context = contexts[at]
        former = said.get(context.strip()) if context else None
        if former is not None and times[at] - times[former] <= _LONGEST_GAP_S:
            beside[at] = former
        said[memories[at].text.strip()] = at
    return beside
