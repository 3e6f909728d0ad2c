"""Intervals and paired tests."""

import numpy as np
import pytest

from eval.metrics.intervals import compare, estimate


def rng() -> np.random.Generator:
    """Return a generator that always draws the same."""
    return np.random.default_rng(7)


def test_interval_holds_the_mean_and_narrows_with_more_queries() -> None:
    """Sixteen times the queries give about a quarter of the width."""
    few, many = estimate([0.0, 1.0] * 8, rng()), estimate([0.0, 1.0] * 128, rng())
    assert few.low < few.mean == 0.5 < few.high
    assert (many.high - many.low) * 3 < few.high - few.low
    assert (few.count, many.count) == (16, 256)


def test_equal_input_and_seed_give_equal_intervals() -> None:
    """A report can be made again."""
    assert estimate([0.0, 1.0, 1.0], rng()) == estimate([0.0, 1.0, 1.0], rng())


def test_no_values_is_an_error() -> None:
    """A mean of nothing is not 0."""
    with pytest.raises(ValueError, match="no values"):
        estimate([], rng())


def test_clear_difference_is_significant() -> None:
    """A that is better on every one of 40 queries excludes 0 and has a small p."""
    theirs = {f"q{at}": at / 100 for at in range(40)}
    found = compare({name: value + 0.1 for name, value in theirs.items()}, theirs, rng())
    assert found.low > 0.09
    assert found.p_value < 0.001
    assert (found.wins, found.losses, found.count) == (40, 0, 40)


def test_noise_is_not_significant() -> None:
    """Differences that cancel out give a large p and an interval around 0."""
    theirs = {f"q{at}": 0.0 for at in range(40)}
    ours = {f"q{at}": 0.1 if at % 2 else -0.1 for at in range(40)}
    found = compare(ours, theirs, rng())
    assert found.low < 0 < found.high
    assert found.p_value > 0.5


def test_identical_runs_differ_in_nothing() -> None:
    """The same run against itself has p = 1."""
    found = compare({"a": 1.0, "b": 0.0}, {"a": 1.0, "b": 0.0}, rng())
    assert (found.mean, found.p_value) == (0.0, 1.0)


def test_only_shared_queries_are_compared() -> None:
    """Queries that one run lacks are left out; none shared is an error."""
    assert compare({"a": 1.0, "b": 1.0}, {"b": 0.0}, rng()).count == 1
    with pytest.raises(ValueError, match="share no query"):
        compare({"a": 1.0}, {"b": 1.0}, rng())
