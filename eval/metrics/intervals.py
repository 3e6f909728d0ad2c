"""How sure a mean is: percentile bootstrap, and tests for two systems on the same queries."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

RESAMPLES = 2000
PERMUTATIONS = 10_000
_CELLS = 4_000_000
"""Numbers drawn at once, so that memory stays below 32 MB whatever the number of queries."""

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A mean with its 95 % interval.

    Attributes:
        count: Number of queries it was taken over.
    """

    mean: float
    low: float
    high: float
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """System A minus system B over the same queries.

    Attributes:
        low: Lower end of the 95 % paired bootstrap interval.
        p_value: Two-sided, of the sign-flip randomisation test (Smucker et al., CIKM 2007).
        wins: Queries in which A is better.
        losses: Queries in which B is better.
    """

    mean: float
    low: float
    high: float
    p_value: float
    wins: int
    losses: int
    count: int


def estimate(values: Sequence[float], rng: np.random.Generator) -> Estimate:
    """Return the mean and its percentile bootstrap interval over queries.

    Raises:
        ValueError: There are no values.
    """
    sample = np.asarray(values, dtype=np.float64)
    if sample.size == 0:
        raise ValueError("no values to estimate a mean from")
    low, high = _interval(sample, rng)
    return Estimate(mean=float(sample.mean()), low=low, high=high, count=sample.size)


def compare(ours: Mapping[str, float], theirs: Mapping[str, float], rng: np.random.Generator) -> Difference:
    """Compare two systems over the queries that both have figures for.

    Raises:
        ValueError: They share no query.
    """
    shared = [name for name in ours if name in theirs]
    if not shared:
        raise ValueError("the two runs share no query")
    gaps = np.asarray([ours[name] - theirs[name] for name in shared], dtype=np.float64)
    low, high = _interval(gaps, rng)
    return Difference(
        mean=float(gaps.mean()),
        low=low,
        high=high,
        p_value=_sign_flip(gaps, rng),
        wins=int((gaps > 0).sum()),
        losses=int((gaps < 0).sum()),
        count=gaps.size,
    )


def _interval(sample: Array, rng: np.random.Generator) -> tuple[float, float]:
    means = np.concatenate(
        [sample[rng.integers(0, sample.size, (rows, sample.size))].mean(axis=1) for rows in _chunks(RESAMPLES, sample)]
    )
    low, high = np.quantile(means, (0.025, 0.975))
    return float(low), float(high)


def _sign_flip(gaps: Array, rng: np.random.Generator) -> float:
    """Count how often random signs give a mean as far from 0; the observed one counts as one of the draws."""
    observed, extreme = abs(gaps.sum()), 0
    for rows in _chunks(PERMUTATIONS, gaps):
        signs = rng.integers(0, 2, (rows, gaps.size)) * 2 - 1
        extreme += int((np.abs(signs @ gaps) >= observed - 1e-12).sum())
    return (extreme + 1) / (PERMUTATIONS + 1)


def _chunks(total: int, sample: Array) -> list[int]:
    size = max(1, min(total, _CELLS // sample.size))
    return [size] * (total // size) + ([total % size] if total % size else [])
