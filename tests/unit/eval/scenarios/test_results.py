"""Totals of the stories."""

import pytest

from eval.scenarios.results import Result, add_up


def test_rates_are_taken_over_turns_and_wanted_memories() -> None:
    """Pollution is wrong memories a user turn, the miss rate a share of what was wanted."""
    results = [
        Result(story_id="a", kind="x", failures=(), turns=3, polluting=0, wanted=2, missed=0, actions=()),
        Result(story_id="b", kind="x", failures=("no",), turns=1, polluting=1, wanted=2, missed=1, actions=()),
    ]
    totals = add_up(results)
    assert (totals.stories, totals.held) == (2, 1)
    assert totals.pollution_rate == pytest.approx(0.25)
    assert totals.miss_rate == pytest.approx(0.25)


def test_no_stories_have_rates_of_zero() -> None:
    """Nothing told is nothing wrong."""
    assert add_up([]).pollution_rate == 0.0
