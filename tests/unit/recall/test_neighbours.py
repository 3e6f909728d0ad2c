"""What turns of a dialogue get from the turns beside them."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ltm.ports import Head
from ltm.recall.neighbours import neighbour_boost
from ltm.recall.profile import DEFAULT
from tests.unit.recall.fakes import head

START = datetime(2026, 10, 1, 9, tzinfo=UTC)
PROFILE = replace(DEFAULT, turn_before_weight=0.1, turn_after_weight=0.3)


def _turn(memory_id: str, text: str, context: str | None = None, *, hours: float = 0.0) -> Head:
    return head(memory_id, text, context=context, valid_from=START + timedelta(hours=hours))


def _boosts(turns: Sequence[Head], z: Sequence[float]) -> list[float]:
    times = np.array([turn.valid_from.timestamp() for turn in turns])
    return list(map(float, neighbour_boost(turns, times, np.array(z), PROFILE)))


def test_a_turn_gets_a_share_of_the_turn_before_and_of_the_turn_after() -> None:
    """Of three turns the middle one gets both; blanks around the words do not part them."""
    turns = [_turn("m1", "Where to?"), _turn("m2", " To Lisbon.\n", "Where to?"), _turn("m3", "Lovely!", "To Lisbon. ")]
    assert _boosts(turns, [1.0, 2.0, 4.0]) == pytest.approx([0.6, 0.1 + 1.2, 0.2])


def test_who_matches_worse_than_the_mean_takes_nothing_away() -> None:
    """A neighbour's negative z-score counts as 0."""
    assert _boosts([_turn("m1", "Where to?"), _turn("m2", "To Lisbon.", "Where to?")], [-2.0, 1.0]) == [0.3, 0.0]


def test_the_order_of_time_counts_and_at_one_moment_that_of_ids() -> None:
    """What was said later is not before, whatever its id; a session stored with one time keeps the order of its ids."""
    late = [_turn("m1", "To Lisbon.", "Where to?", hours=2), _turn("m2", "Where to?", hours=1)]
    assert _boosts(late, [1.0, 1.0]) == pytest.approx([0.1, 0.3])
    early = [_turn("m1", "To Lisbon.", "Where to?", hours=1), _turn("m2", "Where to?", hours=2)]
    assert _boosts(early, [1.0, 1.0]) == [0.0, 0.0]
    together = [_turn("m1", "To Lisbon.", "Where to?"), _turn("m2", "Where to?")]
    assert _boosts(together, [1.0, 1.0]) == [0.0, 0.0]
    assert _boosts([_turn("m1", "Yes", "Yes")], [1.0]) == [0.0]


@pytest.mark.parametrize("hours", [0.0, 1.0])
def test_of_several_turns_with_the_same_words_the_last_one_before_counts(hours: float) -> None:
    """A "Yes" before and one after the turn that is followed stay out of it."""
    turns = [
        _turn("m1", "Yes", hours=0 * hours),
        _turn("m2", "Yes", hours=1 * hours),
        _turn("m3", "So it is Lisbon.", "Yes", hours=2 * hours),
        _turn("m4", "Yes", hours=3 * hours),
    ]
    assert _boosts(turns, [1.0, 2.0, 4.0, 8.0]) == pytest.approx([0.0, 1.2, 0.2, 0.0])


@pytest.mark.parametrize(("hours", "is_beside"), [(24.0, True), (24.1, False)])
def test_a_turn_follows_another_within_a_day(hours: float, is_beside: bool) -> None:
    """The same words in an older dialogue are not the turn before."""
    turns = [_turn("m1", "Where to?"), _turn("m2", "To Lisbon.", "Where to?", hours=hours)]
    assert _boosts(turns, [1.0, 1.0]) == pytest.approx([0.3, 0.1] if is_beside else [0.0, 0.0])


def test_several_memories_of_one_turn_count_once() -> None:
    """The best of those that follow is what the turn before them gets."""
    turns = [_turn("m1", "Where to?"), _turn("m2", "To Lisbon.", "Where to?"), _turn("m3", "By train.", "Where to?")]
    assert _boosts(turns, [0.0, 3.0, 2.0]) == pytest.approx([0.9, 0.0, 0.0])


@pytest.mark.parametrize("context", [None, "", "   ", "Said to somebody else."])
def test_what_has_no_neighbour_in_the_pool_gets_nothing(context: str | None) -> None:
    """Neither memories without a context nor one whose turn before was not found are lifted."""
    assert _boosts([_turn("m1", "Where to?"), _turn("m2", "To Lisbon.", context)], [1.0, 2.0]) == [0.0, 0.0]


def test_both_weights_can_be_off() -> None:
    """Weights of 0 look at nothing, and each can be off alone."""
    turns = [_turn("m1", "Where to?"), _turn("m2", "To Lisbon.", "Where to?")]
    times, z = np.array([0.0, 1.0]), np.array([1.0, 1.0])
    before_only, after_only = replace(PROFILE, turn_after_weight=0.0), replace(PROFILE, turn_before_weight=0.0)
    assert neighbour_boost(turns, times, z, replace(after_only, turn_after_weight=0.0)).tolist() == [0.0, 0.0]
    assert neighbour_boost(turns, times, z, before_only).tolist() == pytest.approx([0.0, 0.1])
    assert neighbour_boost(turns, times, z, after_only).tolist() == pytest.approx([0.3, 0.0])


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from([None, *"abc"]), st.integers(0, 30)), min_size=1))
def test_nobody_is_ever_lowered_nor_lifted_above_both_shares_of_the_best(
    said: list[tuple[str, str | None, int]],
) -> None:
    """Whatever words repeat and however turns name each other, a boost is between 0 and both shares of the best z."""
    turns = [_turn(f"m{at:03}", text, context, hours=hours) for at, (text, context, hours) in enumerate(said)]
    z = [float(hours - 15) for _, _, hours in said]
    assert all(0.0 <= boost <= 0.4 * max(*z, 0.0) + 1e-9 for boost in _boosts(turns, z))
