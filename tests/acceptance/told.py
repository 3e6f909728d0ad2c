"""What the stories tell, and what they look at."""

from datetime import UTC, datetime, timedelta

from ltm import Memory, Turn
from ltm.models import Decision, Json, MemoryVersion

SALARY = "job.expected_salary"
CITIES = "job.target_cities"
STATUS = "job.current_status"


def day(number: int, hour: int = 12) -> datetime:
    """Return an hour of a day of March 2026 (1 to 31), or of one before or after it."""
    return datetime(2026, 2, 28, hour, tzinfo=UTC) + timedelta(days=number)


def say(
    memory: Memory, user: str, text: str, *, on: int, session: str | None = None, turn: str = "t1"
) -> list[Decision]:
    """Let a user say something on a day, by default in a session of that day."""
    turns = [Turn(role="user", text=text, at=day(on), id=turn)]
    return list(memory.observe(user, turns, session or f"day-{on}").decisions)


def reasons(decisions: list[Decision]) -> list[str]:
    """Return why each was decided so."""
    return [str(decision.reason) for decision in decisions]


def active(memory: Memory, user: str) -> dict[str | None, Json]:
    """Return the active values by key; of a free text the text under None."""
    return {record.key: record.value if record.key else record.text for record in memory.list(user)}


def shown(records: list[MemoryVersion]) -> list[tuple[Json, str]]:
    """Return value (of free texts the text) and status of each record."""
    return [(record.text if record.value is None else record.value, str(record.status)) for record in records]


def salary(low: int, high: int | None) -> Json:
    """Return a monthly salary in yuan."""
    return {"min": low, "max": high, "currency": "CNY", "period": "month"}
