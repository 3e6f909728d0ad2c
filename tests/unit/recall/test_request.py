"""What a recall may be asked."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from ltm.errors import InvalidRequestError
from ltm.models import Kind, Turn
from ltm.recall import RecallRequest, checked_request
from tests.support.manual_clock import ManualClock
from tests.unit.recall.fakes import NOW, OWNER

PARIS = ZoneInfo("Europe/Paris")


def _ask(intent: object = "意向城市", **changes: Any) -> RecallRequest:
    return checked_request(OWNER, intent, clock=ManualClock(), default_zone=PARIS, **changes)


@pytest.mark.parametrize(
    "bad",
    [
        {"intent": ""},
        {"intent": "   "},
        {"intent": None},
        {"intent": "x" * 32_769},
        {"intent": "a\ud800"},
        {"intent": "a\x00"},
        {"token_budget": 0},
        {"token_budget": -1},
        {"token_budget": 1.5},
        {"token_budget": True},
        {"limit": 0},
        {"limit": 201},
        {"limit": "10"},
        {"min_relevance": -0.1},
        {"min_relevance": 1.1},
        {"min_relevance": float("nan")},
        {"now": datetime(2026, 1, 1)},  # noqa: DTZ001
        {"now": "2026-01-01"},
        {"as_of": datetime(2026, 1, 1)},  # noqa: DTZ001
        {"kinds": ["opinion"]},
        {"tz": "Mars/Olympus"},
        {"tz": "../etc/passwd"},
        {"tz": "Europe"},
        {"tz": 8},
        {"history": ["hello"]},
    ],
)
def test_bad_input_is_refused_by_name(bad: dict[str, Any]) -> None:
    """The message names the argument, and nothing was read."""
    intent = bad.pop("intent", "意向城市") if "intent" in bad else "意向城市"
    name = next(iter(bad), "intent")
    with pytest.raises(InvalidRequestError, match=name):
        _ask(intent, **bad)


def test_defaults() -> None:
    """Unbounded, ten items, all kinds, now by the clock, the zone of the settings."""
    request = _ask()
    assert (request.token_budget, request.limit, request.kinds, request.min_relevance) == (None, 10, (), None)
    assert request.now == ManualClock().now()
    assert request.zone is PARIS


def test_the_zone_is_that_of_tz_else_of_now_else_of_the_settings() -> None:
    """In this order; a fixed offset of `now` is a zone too."""
    east = datetime(2026, 1, 1, tzinfo=timezone(timedelta(hours=8)))
    assert _ask(now=east, tz="Asia/Tokyo").zone == ZoneInfo("Asia/Tokyo")
    assert _ask(now=east, tz=UTC).zone is UTC
    assert _ask(now=east).zone == timezone(timedelta(hours=8))
    assert _ask(now=NOW).zone is UTC
    assert _ask(tz=None).zone is PARIS


def test_kinds_are_read_from_words() -> None:
    """One or several, as members or strings, in one order."""
    assert _ask(kinds=["state", Kind.FACT, "fact"]).kinds == (Kind.FACT, Kind.STATE)
    assert _ask(kinds="fact").kinds == (Kind.FACT,)
    assert _ask(kinds=[]).kinds == ()


def test_history_is_kept_in_order() -> None:
    """Turns as they were given."""
    turns = [Turn(role="user", text="一"), Turn(role="assistant", text="二")]
    assert _ask(history=turns).history == tuple(turns)
