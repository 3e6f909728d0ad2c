from datetime import UTC, datetime, timedelta

import pytest

from ltm.errors import InvalidRequestError
from ltm.models import Evidence, Role
from ltm.ports import Origin, Sighting, TransitionRow

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
LATER = NOW + timedelta(seconds=1)


def _sighting(session: str | None, seen_at: datetime, said_at: datetime = NOW) -> Sighting:
    evidence = Evidence(turn_id="t", session_id=session, role=Role.USER, quote="q", start=0, end=1, said_at=said_at)
    return Sighting(evidence=evidence, confidence=0.45, seen_at=seen_at)


def _step(session: str | None, recorded_at: datetime) -> TransitionRow:
    return TransitionRow(
        transition_id="x",
        machine="job_search",
        from_state="searching",
        to_state="hired",
        at=NOW,
        recorded_at=recorded_at,
        session_id=session,
        actor="user",
        expired={},
    )


@pytest.mark.parametrize(("session", "since"), [(None, None), ("s", NOW)])
def test_an_origin_is_a_session_or_a_time(session: str | None, since: datetime | None) -> None:
    """Neither, or both, is refused."""
    with pytest.raises(InvalidRequestError):
        Origin(session_id=session, since=since)


def test_a_session_is_compared_as_it_is() -> None:
    """What was said without a session belongs to none, and no character has a meaning."""
    origin = Origin(session_id="s%", since=None)
    assert [origin.is_of(_sighting(name, NOW)) for name in ("s%", "s1", "S%", None)] == [True, False, False, False]
    assert [origin.drove(_step(name, NOW)) for name in ("s%", "s1", None)] == [True, False, False]


def test_a_time_is_that_of_recording() -> None:
    """What was said long ago counts as learnt when it was recorded; the moment itself is included."""
    origin = Origin(session_id=None, since=LATER)
    long_ago = NOW - timedelta(days=99)
    assert [origin.is_of(_sighting("s", seen, long_ago)) for seen in (NOW, LATER)] == [False, True]
    assert [origin.drove(_step(None, recorded)) for recorded in (NOW, LATER)] == [False, True]
