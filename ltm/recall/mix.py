"""Two channels of scores become one: z-scores over what the owner has, or reciprocal ranks."""

import math
from dataclasses import dataclass

import numpy as np

from ltm.recall.columns import CheckedPool, Floats, filled
from ltm.recall.moments import Moments, padded_moments, pool_moments, truncated_moments
from ltm.recall.profile import Fusion, Profile


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Mixed:
    """Figures of a pool, all of shape (n,).

    Attributes:
        dense_z: 0 everywhere without the channel.
        lexical_z: The same.
        mixed: What relevance is mapped from; mean 0 over all that the owner has.
    """

    dense_z: Floats
    lexical_z: Floats
    mixed: Floats


def mix(pool: CheckedPool, profile: Profile) -> Mixed:
    """Fuse the channels of one pool.

    z-scores are over all that the owner has, as far as the pool tells (`moments`): over the pool alone a
    shared rare word would count for less the larger the store (docs/adr/0013).

    A memory outside the dense channel's hits gets the least score of them, an upper bound of its own: it lies behind
    the last of 50. Outside the lexical channel it gets 0, what a text without a common term pool. A channel without
    any hit leaves the whole weight to the other; a pool whose scores are all equal, or of one hit, has z = 0.
    """
    dense, lexical = pool.dense, pool.lexical
    shared = filled(lexical, 0.0)
    dense_z = _dense_moments(pool, profile).z(filled(dense, None))
    lexical_z = padded_moments(shared, _lexical_size(pool, profile)).z(shared)
    if profile.fusion is Fusion.RRF:
        ranks = _reciprocal(dense, profile.rrf_k) + _reciprocal(lexical, profile.rrf_k)
        return Mixed(dense_z=dense_z, lexical_z=lexical_z, mixed=pool_moments(ranks).z(ranks))
    weight = profile.dense_weight
    if np.isnan(dense).all():
        weight = 0.0
    return Mixed(dense_z=dense_z, lexical_z=lexical_z, mixed=weight * dense_z + (1.0 - weight) * lexical_z)


def _dense_moments(pool: CheckedPool, profile: Profile) -> Moments:
    depth = profile.pool_size
    known = pool.dense[~np.isnan(pool.dense)]
    is_whole = profile.fusion is Fusion.POOL or len(known) < depth or pool.owned <= depth
    if is_whole or math.isnan(pool.dense_mean):
        return pool_moments(filled(pool.dense, None))
    return truncated_moments(np.sort(known)[-depth:], owned=pool.owned, mean=pool.dense_mean)


def _lexical_size(pool: CheckedPool, profile: Profile) -> int:
    """Return of how many memories the pool tells: fewer dense hits than asked for are all there are of these kinds."""
    answered = int(np.count_nonzero(~np.isnan(pool.dense)))
    is_whole = profile.fusion is Fusion.POOL or 0 < answered < profile.pool_size
    return len(pool.dense) if is_whole else pool.owned


def _reciprocal(scores: Floats, k: float) -> Floats:
    """Return `1 / (k + rank)` by falling score, 0 outside the channel; ties by position."""
    order = np.argsort(-scores, kind="stable")  # NaN sorts last
    ranks = np.empty(len(scores))
    ranks[order] = np.arange(1, len(scores) + 1)
    return np.where(np.isnan(scores), 0.0, 1.0 / (k + ranks))
