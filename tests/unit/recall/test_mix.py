"""Mixing two channels over a pool."""

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as nps

from ltm.recall.columns import CheckedPool, Floats
from ltm.recall.mix import mix
from ltm.recall.moments import truncated_moments
from ltm.recall.profile import DEFAULT, find_profile
from ltm.recall.score import factor, relevance
from ltm.recall.shift import Geometry

NAN = float("nan")
SCORES = nps.arrays(
    np.float64,
    st.integers(min_value=1, max_value=30),
    elements=st.one_of(st.just(NAN), st.floats(min_value=-1e3, max_value=1e3, width=32)),
)


def _pool(dense: npt.ArrayLike, lexical: npt.ArrayLike, *, owned: int = 1, dense_mean: float = NAN) -> CheckedPool:
    return CheckedPool(
        memories=(),
        dense=np.asarray(dense, dtype=np.float64),
        lexical=np.asarray(lexical, dtype=np.float64),
        geometry=Geometry(offset=0.0, scale=1.0),
        owned=owned,
        dense_mean=dense_mean,
    )


@given(SCORES)
def test_mixed_scores_are_finite_and_centred(dense: Floats) -> None:
    """Whatever is missing or equal, there is a figure for every memory and the mean is zero."""
    mixed = mix(_pool(dense, dense[::-1].copy()), DEFAULT).mixed
    assert np.isfinite(mixed).all()
    assert mixed.mean() == pytest.approx(0.0, abs=1e-6)


def test_the_weights_are_those_of_the_profile() -> None:
    """0.7 of the dense z-score and 0.3 of the lexical one."""
    mixed = mix(_pool([1.0, 3.0], [5.0, 1.0]), DEFAULT)
    assert mixed.dense_z.tolist() == [-1.0, 1.0]
    assert mixed.lexical_z.tolist() == [1.0, -1.0]
    assert mixed.mixed.tolist() == pytest.approx([-0.4, 0.4])


def test_outside_a_channel_the_least_counts() -> None:
    """Outside the dense hits the last of them is the bound; outside the lexical hits nothing is shared."""
    mixed = mix(_pool([0.9, 0.5, NAN], [NAN, 4.0, 2.0]), DEFAULT)
    assert mixed.dense_z[1] == mixed.dense_z[2]
    assert mixed.lexical_z[0] < mixed.lexical_z[2] < mixed.lexical_z[1]


def test_a_channel_without_hits_leaves_the_whole_weight_to_the_other() -> None:
    """With the embedder down the lexical z-score is the mixed one."""
    assert mix(_pool([NAN, NAN], [3.0, 1.0]), DEFAULT).mixed.tolist() == [1.0, -1.0]


@pytest.mark.parametrize("scores", [[0.8], [0.8, 0.8], [0.1, 0.1 + 1e-9]])
def test_a_pool_without_differences_has_z_zero(scores: list[float]) -> None:
    """One hit, equal hits, and hits that differ by rounding: nobody stands out."""
    assert mix(_pool(scores, [NAN] * len(scores)), DEFAULT).mixed.tolist() == [0.0] * len(scores)


def test_a_pool_stands_for_the_whole_store() -> None:
    """From the best of each channel, the mean of all and their number follow nearly the z-scores over all of them."""
    rng = np.random.default_rng(7)
    dense = np.sort(rng.normal(0.2, 0.1, 600))[::-1]
    lexical = np.where(rng.random(600) < 0.05, rng.random(600) * 4.0, 0.0)
    known = np.unique(np.concatenate([np.arange(50), np.flatnonzero(lexical)]))
    pool = _pool(dense[known], lexical[known], owned=600, dense_mean=float(dense.mean()))
    found = mix(pool, DEFAULT)
    whole = (lexical - lexical.mean()) / lexical.std()
    assert found.lexical_z == pytest.approx(whole[known])
    assert found.dense_z == pytest.approx(((dense - dense.mean()) / dense.std())[known], rel=0.05, abs=0.05)


@pytest.mark.parametrize("owned", [51, 55, 100, 101, 5_000])
def test_the_deviation_follows_from_the_best_hits(owned: int) -> None:
    """However much of the store the pool holds, nearly all or one in a hundred, the deviation is near the true one."""
    scores = np.sort(np.random.default_rng(owned).normal(0.3, 0.05, owned))
    found = truncated_moments(scores[-50:], owned=owned, mean=float(scores.mean()))
    assert found.variance**0.5 == pytest.approx(scores.std(), rel=0.12)


def test_reciprocal_ranks_ignore_distances() -> None:
    """First in both channels wins, whatever the scores; outside a channel a memory gets nothing from it."""
    mixed = mix(_pool([9.0, 0.2, 0.1], [NAN, 1.0, NAN]), find_profile("rrf")).mixed
    assert mixed[1] > mixed[0] > mixed[2]


@given(st.floats(min_value=-50, max_value=50), st.floats(min_value=-50, max_value=50))
def test_relevance_is_monotone_and_within_bounds(one: float, other: float) -> None:
    """Between 0 and 1, never falling in z, one half for the average of a pool."""
    low, high, middle = relevance(np.array([min(one, other), max(one, other), 0.0]), scale=1.5)
    assert 0 < low <= high < 1
    assert middle == 0.5


def test_factors_are_bounded() -> None:
    """A bound of .1 moves a score by .05 at most, either way."""
    assert factor(np.array([0.0, 0.5, 1.0]), bound=0.1).tolist() == pytest.approx([0.95, 1.0, 1.05])
