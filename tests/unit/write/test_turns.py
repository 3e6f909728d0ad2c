"""Turns as they come in."""

from collections.abc import Collection
from datetime import UTC, datetime, timedelta

import pytest

from ltm.errors import InvalidRequestError
from ltm.models import Turn
from ltm.ports import SeenTurn
from ltm.write.turns import check_turns, content_hash, seen_turns, sort_turns
from tests.unit.write.build import NOON


class Known:
    """What a store knows about the turns of one session."""

    def __init__(self, seen: Collection[SeenTurn] = (), erased: Collection[str] = ()) -> None:
        self._seen = seen
        self._erased = erased

    def find_turns(self, session_id: str, turn_ids: Collection[str]) -> dict[str, SeenTurn]:
        """Return the turns that were observed."""
        return {turn.turn_id: turn for turn in self._seen if turn.turn_id in turn_ids}

    def erased_turns(self, session_id: str, turn_ids: Collection[str]) -> frozenset[str]:
        """Return the turns that were erased."""
        return frozenset(self._erased) & frozenset(turn_ids)


def say(text: str, turn_id: str | None = None, *, role: str = "user", at: datetime | None = None) -> Turn:
    """Return a turn."""
    return Turn(role=role, text=text, id=turn_id, at=at)


def test_missing_ids_are_derived_and_stay_the_same() -> None:
    """Session, position and content decide: the same call gives the same ids, another place or session others."""
    twice = [say("hi"), say("hi")]
    first, second = check_turns(twice, "s", NOON)
    assert first.id != second.id
    assert [turn.id for turn in check_turns(twice, "s", NOON)] == [first.id, second.id]
    assert check_turns(twice, "s2", NOON)[0].id != first.id


def test_a_missing_time_is_now() -> None:
    """And a given one stays."""
    past = datetime(2020, 1, 1, tzinfo=UTC)
    assert [turn.at for turn in check_turns([say("a"), say("b", at=past)], None, NOON)] == [NOON, past]


def test_clocks_may_differ_by_a_day_but_not_by_more() -> None:
    """A turn of next year would make everything after it stale."""
    check_turns([say("a", at=NOON + timedelta(hours=23))], "s", NOON)
    with pytest.raises(InvalidRequestError, match=r"input 1: turn time .* more than a day ahead"):
        check_turns([say("a"), say("b", at=NOON + timedelta(days=2))], "s", NOON)


def test_one_id_with_two_contents_is_an_error_and_with_one_content_one_turn() -> None:
    """Nobody can tell which of the two was meant."""
    assert len(check_turns([say("a", "t1"), say("a", "t1")], "s", NOON)) == 1
    with pytest.raises(InvalidRequestError, match="'t1' is used twice"):
        check_turns([say("a", "t1"), say("b", "t1")], "s", NOON)


def test_what_is_no_turn_is_refused() -> None:
    """With its place in the call."""
    with pytest.raises(InvalidRequestError, match="input 0: expected a Turn, not str"):
        check_turns(["hi"], "s", NOON)  # type: ignore[list-item]


def test_a_session_id_is_checked() -> None:
    """Like any id."""
    with pytest.raises(InvalidRequestError, match="session_id"):
        check_turns([say("a")], "", NOON)


def test_turns_are_told_apart_by_what_is_known() -> None:
    """New, known with other words, reverted, erased; what is known with the same words is passed over."""
    turns = [say(text, text) for text in ("new", "same", "other", "undone", "gone")]
    seen = [
        SeenTurn(session_id="s", turn_id="same", content_hash=content_hash(turns[1])),
        SeenTurn(session_id="s", turn_id="other", content_hash="0"),
        SeenTurn(session_id="s", turn_id="undone", content_hash=content_hash(turns[3]), is_reverted=True),
    ]
    found = sort_turns([*turns, say("a", "a", role="assistant")], "s", Known(seen, ["gone"]))
    assert (found.new, found.conflicting, found.reverted, found.erased) == (
        ("new",),
        ("other",),
        ("undone",),
        ("gone",),
    )


def test_without_a_session_everything_is_new_and_nothing_is_noted() -> None:
    """Such a call is a session of its own."""
    turns = [say("a", "t1")]
    assert sort_turns(turns, None, Known(erased=["t1"])).new == ("t1",)
    assert seen_turns(turns, ["t1"], None) == []


def test_only_new_turns_are_noted() -> None:
    """With the hash of what they said."""
    turns = [say("a", "t1"), say("b", "t2")]
    assert seen_turns(turns, ["t2"], "s") == [
        SeenTurn(session_id="s", turn_id="t2", content_hash=content_hash(turns[1]))
    ]
