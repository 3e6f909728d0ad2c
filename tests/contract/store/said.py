"""What is said in the tests, and by whom."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from ltm.models import Evidence, Json, Kind, MemoryVersion, Op, Owner, Role
from ltm.ports import Head, NewVersion, Sighting, Store, UnitOfWork

CITIES = "job.target_cities"
SALARY = "job.expected_salary"


def day(number: int) -> datetime:
    """Return noon of a day in October 2026 (1 to 31), or a later one."""
    return datetime(2026, 9, 30, 12, tzinfo=UTC) + timedelta(days=number)


def quote(session: str | None, turn: str | None = "t1", words: str = "words", at: int = 1) -> Evidence:
    """Return evidence from a session's turn."""
    return Evidence(
        turn_id=turn,
        session_id=session,
        role=Role.USER,
        quote=words,
        start=0,
        end=len(words),
        said_at=day(at),
    )


def seen(session: str | None, turn: str | None = "t1", words: str = "words", at: int = 1) -> Sighting:
    """Return a sighting in a session's turn, recorded when it was said."""
    return Sighting(evidence=quote(session, turn, words, at), confidence=0.45, seen_at=day(at))


def text(words: str, at: int = 1, kind: Kind = Kind.FACT, **fields: object) -> NewVersion:
    """Return something without a key."""
    return NewVersion(text=words, kind=kind, valid_from=day(at), **fields)  # type: ignore[arg-type]


def salary(low: int, at: int = 1, **fields: object) -> NewVersion:
    """Return a value of a single-valued slot."""
    value: Json = {"min": low, "max": None, "currency": "CNY", "period": "month"}
    return NewVersion(
        text=f"期望薪资 {low}",
        key=SALARY,
        value=value,
        kind=Kind.PREFERENCE,
        valid_from=day(at),
        **fields,  # type: ignore[arg-type]
    )


def cities(*names: str, at: int = 1, op: Op = Op.ADD, **fields: object) -> NewVersion:
    """Return members of a set-valued slot."""
    return NewVersion(
        text="意向城市 " + " ".join(names),
        key=CITIES,
        value=list(names),
        op=op,
        kind=Kind.PREFERENCE,
        valid_from=day(at),
        **fields,  # type: ignore[arg-type]
    )


def tell(store: Store, owner: Owner, *news: NewVersion) -> str:
    """Append versions, each in a unit of its own, and return the last one's memory."""
    memory_id = ""
    for new in news:
        with store.unit(owner) as unit:
            memory_id = unit.append(new).memory_id
    return memory_id


def append_all(unit: UnitOfWork, news: Sequence[NewVersion]) -> list[MemoryVersion]:
    """Append versions in order in one unit; each as it stood when it was appended."""
    return [unit.append(new) for new in news]


def head(store: Store, owner: Owner, memory_id: str) -> Head:
    """Return the head of a memory that is there."""
    return store.read.heads(owner, [memory_id])[memory_id]
