"""Rank a pool: every figure of every candidate, in one pass over columns."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np
import numpy.typing as npt

from ltm.models import Kind, Terms
from ltm.recall import score
from ltm.recall.boosts import Boosts, find_boosts
from ltm.recall.columns import CheckedPool, Floats, Remembered
from ltm.recall.floor import signals
from ltm.recall.mix import Mixed, mix
from ltm.recall.neighbours import neighbour_boost
from ltm.recall.profile import Profile
from ltm.recall.question import Question
from ltm.recall.speaker import names_speaker

HalfLife = Callable[[Kind, str | None, str | None], float]
"""Half-life in days of a kind, a slot and a pack."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ranked:
    """The figures of a pool, all of shape (n,) in the order of the pool.

    Attributes:
        order: Positions of the memories that pass the floor, best first, ties by memory id.
        below: How many do not pass it.
    """

    pool: CheckedPool
    channels: Mixed
    boosts: Boosts
    neighbours: Floats
    mixed: Floats
    signal: Floats
    relevance: Floats
    recency: Floats
    recency_factor: Floats
    confidence_factor: Floats
    score: Floats
    order: npt.NDArray[np.intp]
    below: int

    def terms(self, at: int) -> Terms:
        """Return every term of one candidate's score."""
        dense, lexical = float(self.pool.dense[at]), float(self.pool.lexical[at])
        return Terms(
            dense=None if np.isnan(dense) else dense,
            lexical=None if np.isnan(lexical) else lexical,
            dense_z=float(self.channels.dense_z[at]),
            lexical_z=float(self.channels.lexical_z[at]),
            day_boost=float(self.boosts.days[at]),
            slot_boost=float(self.boosts.slots[at]),
            topic_boost=float(self.boosts.topics[at]),
            kind_boost=float(self.boosts.kinds[at]),
            speaker_boost=float(self.boosts.speakers[at]),
            neighbour_boost=float(self.neighbours[at]),
            mixed=float(self.mixed[at]),
            signal=float(self.signal[at]),
            recency_factor=float(self.recency_factor[at]),
            confidence_factor=float(self.confidence_factor[at]),
        )


def rank(pool: CheckedPool, question: Question, profile: Profile, half_life_days: HalfLife) -> Ranked:
    """Score a pool and order the memories that pass the floor.

    `score = relevance * (1 + a * (recency - 1/2)) * (1 + b * (confidence - 1/2))`. Needs one candidate at least.
    """
    memories = pool.memories
    if question.asked.is_general and names_speaker(memories, question.intent):
        question = question.made_personal()
    valid_from_s = np.array([memory.valid_from.timestamp() for memory in memories])
    channels = mix(pool, profile)
    fused = reduce(np.maximum, (mix(part, profile).mixed for part in pool.parts), channels.mixed)
    neighbours = neighbour_boost(memories, valid_from_s, fused, profile)
    bearings = question.bearings(memories)
    boosts = find_boosts(memories, valid_from_s, bearings, question, profile)
    mixed = fused + neighbours + boosts.total
    relevance = score.relevance(mixed, scale=profile.relevance_scale)
    recency = score.recency(valid_from_s, _half_lives(memories, half_life_days), now=question.now)
    recency_factor = score.factor(recency, bound=profile.recency_bound)
    confidence = np.array([memory.confidence for memory in memories])
    confidence_factor = score.factor(confidence, bound=profile.confidence_bound)
    final = relevance * recency_factor * confidence_factor
    evidence = [signals(one, question, bearings, boosts.days, profile.floor) for one in (pool, *pool.parts)]
    signal = reduce(np.maximum, evidence)
    passing = _passing(relevance, signal, question.min_relevance, profile)
    order = np.argsort(-final, kind="stable")
    order = order[passing[order]]
    return Ranked(
        pool=pool,
        channels=channels,
        boosts=boosts,
        neighbours=neighbours,
        mixed=mixed,
        signal=signal,
        relevance=relevance,
        recency=recency,
        recency_factor=recency_factor,
        confidence_factor=confidence_factor,
        score=final,
        order=order,
        below=len(memories) - len(order),
    )


def _passing(relevance: Floats, signal: Floats, least: float | None, profile: Profile) -> npt.NDArray[np.bool_]:
    """Without a number the profile's floor on the signal holds; a number is the caller's own floor on relevance."""
    return signal >= profile.floor.least if least is None else relevance >= least


def _half_lives(memories: Sequence[Remembered], half_life_days: HalfLife) -> Floats:
    known: dict[tuple[Kind, str | None, str | None], float] = {}
    days = []
    for memory in memories:
        of = (memory.kind, memory.key, memory.pack)
        if of not in known:
            known[of] = half_life_days(*of)
        days.append(known[of])
    return np.array(days)
