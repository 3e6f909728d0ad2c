"""Mean and deviation of a channel's scores over all that the owner has, from the hits of a pool.

A z-score over the pool alone makes little of the lexical channel: of 600 memories 20 share a rare word, which among the
100 hits of a pool is nothing special. What a pool does not hold is known well enough to stand for the whole store.
"""

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from ltm.recall.columns import Floats

_LEVEL = 1e-12
"""A variance below this is no variance: scores that differ by rounding alone are equal."""
_NORMAL = NormalDist()


@dataclass(frozen=True, slots=True, kw_only=True)
class Moments:
    """Mean and variance of scores."""

    mean: float
    variance: float

    def z(self, scores: Floats) -> Floats:
        """Return the z-scores; 0 for all where the scores do not differ."""
        scale = float(np.abs(scores).max(initial=0.0)) ** 2
        if self.variance <= _LEVEL * max(scale, _LEVEL):
            return np.zeros_like(scores)
        deviations: Floats = (scores - self.mean) / math.sqrt(self.variance)
        return deviations


def pool_moments(scores: Floats) -> Moments:
    """Return the moments of the pool alone."""
    return padded_moments(scores, len(scores))


def padded_moments(scores: Floats, owned: int) -> Moments:
    """Return the moments over `owned` memories, of which those outside the pool score 0."""
    count = max(owned, len(scores), 1)
    mean = float(scores.sum()) / count
    centred = scores - mean
    rest = (count - len(scores)) * mean * mean
    return Moments(mean=mean, variance=(float(centred @ centred) + rest) / count)


def truncated_moments(best: Floats, *, owned: int, mean: float) -> Moments:
    """Return the moments over `owned` memories of which only the highest scores and the mean of all are known.

    The rest has a known mean, and is taken for what lies below the cut of a normal distribution: its variance is
    `s2 * (1 - b * h - h * h)` with `h = phi(b) / Phi(b)` and b the cut in deviations (Johnson, Kotz and Balakrishnan,
    Continuous Univariate Distributions, 13.10). Solved for the variance of the whole.

    Args:
        best: The highest scores, fewer than `owned`, at least 1.
        owned: How many scores there are.
        mean: Of all of them.
    """
    missing = owned - len(best)
    share = missing / owned
    cut = _NORMAL.inv_cdf(share)
    hazard = _NORMAL.pdf(cut) / share
    above = best - mean
    below = float(above.sum()) / missing
    known = (float(above @ above) + missing * below * below) / owned
    return Moments(mean=mean, variance=known / (1.0 - share * (1.0 - cut * hazard - hazard * hazard)))
