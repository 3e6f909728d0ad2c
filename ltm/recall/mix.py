"""Two channels of scores become one: z-scores over the pool, or reciprocal ranks."""

from dataclasses import dataclass

import numpy as np

from ltm.recall.columns import Floats, filled
from ltm.recall.profile import Fusion, Profile

_LEVEL = 1e-12
"""A variance below this is no variance: scores that differ by rounding alone are equal."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Mixed:
    """Figures of a pool, all of shape (n,).

    Attributes:
        dense_z: 0 everywhere without the channel.
        lexical_z: The same.
        mixed: What relevance is mapped from; mean 0 over the pool.
    """

    dense_z: Floats
    lexical_z: Floats
    mixed: Floats


def mix(dense: Floats, lexical: Floats, profile: Profile) -> Mixed:
    """Fuse the channels of one pool.

    A memory outside the dense channel's hits gets the least score of them, an upper bound of its own: it lies behind
    the last of 50. Outside the lexical channel it gets 0, what a text without a common term scores. A channel without
    any hit leaves the whole weight to the other; a pool whose scores are all equal, or of one hit, has z = 0.

    Args:
        dense: Inner products, NaN outside that channel, shape (n,).
        lexical: BM25 scores, NaN outside that channel, shape (n,).
        profile: Fusion and weights.
    """
    dense_z, lexical_z = _z(filled(dense, None)), _z(filled(lexical, 0.0))
    if profile.fusion is Fusion.RRF:
        mixed = _z(_reciprocal(dense, profile.rrf_k) + _reciprocal(lexical, profile.rrf_k))
        return Mixed(dense_z=dense_z, lexical_z=lexical_z, mixed=mixed)
    weight = profile.dense_weight
    if np.isnan(dense).all():
        weight = 0.0
    return Mixed(dense_z=dense_z, lexical_z=lexical_z, mixed=weight * dense_z + (1.0 - weight) * lexical_z)


def _z(scores: Floats) -> Floats:
    centred = scores - scores.sum() / max(len(scores), 1)
    variance = float(centred @ centred) / max(len(scores), 1)
    scale = float(np.abs(scores).max(initial=0.0)) ** 2
    if variance <= _LEVEL * max(scale, _LEVEL):
        return np.zeros_like(scores)
    deviations: Floats = centred / variance**0.5
    return deviations


def _reciprocal(scores: Floats, k: float) -> Floats:
    """Return `1 / (k + rank)` by falling score, 0 outside the channel; ties by position."""
    order = np.argsort(-scores, kind="stable")  # NaN sorts last
    ranks = np.empty(len(scores))
    ranks[order] = np.arange(1, len(scores) + 1)
    return np.where(np.isnan(scores), 0.0, 1.0 / (k + ranks))
