"""Chains drawn, values shown, times read."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from ltm.cli.tables import show_value
from ltm.cli.timeline import LOOKS, draw
from ltm.cli.where import Where
from ltm.errors import InvalidRequestError
from ltm.models import Evidence, Json, Kind, MemoryVersion, Role, Status
from ltm.settings import Settings

OCTOBER = datetime(2026, 10, 8, 2, 0, tzinfo=UTC)
SHANGHAI = ZoneInfo("Asia/Shanghai")


def _version(number: int, status: Status, *, valid_to: datetime | None = None) -> MemoryVersion:
    said = Evidence(turn_id="t1", session_id="s1", role=Role.USER, quote="只考虑杭州", start=0, end=5, said_at=OCTOBER)
    return MemoryVersion(
        memory_id="m1",
        user_id="u1",
        key="job.target_cities",
        value=["杭州"],
        text="意向城市：杭州",
        kind=Kind.PREFERENCE,
        pack="job_search@1.0.0",
        status=status,
        version=number,
        confidence=0.9,
        valid_from=OCTOBER,
        valid_to=valid_to,
        recorded_at=OCTOBER + timedelta(days=1),
        evidence=(said,),
        reason="new",
        actor="user",
    )


def test_a_version_is_drawn_with_interval_value_reason_and_quote() -> None:
    """Everything that says how a value is known stands below it, in the reader's time zone."""
    chain = [_version(1, Status.SUPERSEDED, valid_to=OCTOBER + timedelta(days=21)), _version(2, Status.ACTIVE)]
    lines = [line.plain for line in draw(chain, SHANGHAI)]
    assert lines[0] == "○ v1  2026-10-08 10:00 → 2026-10-29 10:00  superseded"
    assert lines[1] == "│   意向城市：杭州   [杭州]"
    assert lines[2] == "│   new · set by user · confidence 0.90 · learnt 2026-10-09 10:00"
    assert lines[3] == "│   “只考虑杭州”  2026-10-08 10:00 (s1, t1)"
    assert lines[4] == "● v2  2026-10-08 10:00 → now  active"


def test_every_status_has_a_look_and_nothing_gives_no_line() -> None:
    """A chain of any status can be drawn, an empty one too."""
    assert set(LOOKS) == set(Status)
    assert list(draw([], SHANGHAI)) == []


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, ""),
        ("text", "text"),
        (3, "3"),
        (0.5, "0.5"),
        (["杭州", "上海"], "杭州, 上海"),
        ({"min": 15000, "max": None, "currency": "CNY"}, "min=15000 currency=CNY"),
    ],
)
def test_a_value_is_shown_in_one_line(value: Json, shown: str) -> None:
    """Sets stand side by side, objects show the fields that are known."""
    assert show_value(value) == shown


def test_a_time_without_offset_is_in_the_settings_zone() -> None:
    """What somebody types is meant in their own zone, and what is no time is refused."""
    place = Where(path=Path("unused"), settings=Settings(timezone="Asia/Shanghai"))
    assert place.moment("2026-10-08T10:00") == OCTOBER
    assert place.moment("2026-10-08T10:00+08:00") == OCTOBER
    assert place.moment(None) is None
    with pytest.raises(InvalidRequestError, match="ISO 8601"):
        place.moment("yesterday")
