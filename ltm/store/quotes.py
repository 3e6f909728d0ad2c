"""Rows of `evidence`: where the user said it."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import bindparam, select, update

from ltm.models import Evidence, Owner
from ltm.ports import Sighting
from ltm.store.database import Row, Session
from ltm.store.prepared import among, insert_into
from ltm.store.tables import evidence
from ltm.store.users import OWNER_ID, named

_E = evidence.c
_COLUMNS = (
    _E.id,
    _E.memory_id,
    _E.version,
    _E.confidence,
    _E.is_origin,
    _E.is_enough,
    _E.recorded_at,
    _E.reverted_at,
    _E.turn_id,
    _E.session_id,
    _E.role,
    _E.quote,
    _E.start,
    _E.end,
    _E.said_at,
)
OF_MEMORIES = select(*_COLUMNS).where(among(_E.memory_id, "id"))
OF_SESSION = select(_E.memory_id).where(
    _E.owner == OWNER_ID, _E.session_id == bindparam("session_id"), _E.reverted_at.is_(None)
)
_SINCE = select(_E.memory_id).where(
    _E.owner == OWNER_ID,
    _E.recorded_at >= bindparam("since", type_=_E.recorded_at.type),
    _E.reverted_at.is_(None),
)
_INSERT = insert_into(evidence)
_WITHDRAW = update(evidence).values(reverted_at=bindparam("new_reverted_at")).where(among(_E.id, "row"))

Place = tuple[str, int]
"""Memory id and version."""


class QuoteRow(NamedTuple):
    """One piece of evidence as stored.

    Attributes:
        is_origin: It made the version; otherwise it reinforced it.
        is_enough: It would have made the version alone.
        reverted_at: When it was withdrawn, or None.
    """

    row_id: int
    memory_id: str
    version: int
    confidence: float
    is_origin: bool
    is_enough: bool
    recorded_at: datetime
    reverted_at: datetime | None
    evidence: Evidence


class NewQuote(NamedTuple):
    """One piece of evidence to store."""

    memory_id: str
    version: int
    said: Sighting
    is_origin: bool


def list_quotes(session: Session, memory_ids: Collection[str]) -> dict[Place, list[QuoteRow]]:
    """Return all evidence of these memories, which the caller knows to be the owner's, by version, oldest first."""
    found: dict[Place, list[QuoteRow]] = defaultdict(list)
    for row in sorted(session.each(OF_MEMORIES, memory_ids), key=lambda row: (row[-1], row[0])):
        found[row[1], row[2]].append(QuoteRow._make((*row[:8], _evidence(row[8:]))))
    return found


def standing(rows: Iterable[QuoteRow]) -> tuple[Evidence, ...]:
    """Return the evidence that was not withdrawn."""
    return tuple(row.evidence for row in rows if row.reverted_at is None)


def memories_of_session(session: Session, owner: Owner, session_id: str) -> list[str]:
    """Return the memories that a session is evidence for."""
    return sorted({row[0] for row in session.all(OF_SESSION, **named(owner), session_id=session_id)})


def memories_since(session: Session, owner: Owner, since: datetime) -> list[str]:
    """Return the memories with evidence recorded at or after then."""
    return sorted({row[0] for row in session.all(_SINCE, **named(owner), since=since)})


def insert_quotes(session: Session, owner_id: int, quotes: Iterable[NewQuote]) -> None:
    """Store evidence."""
    session.many(_INSERT, [_row(owner_id, quote) for quote in quotes])


def withdraw_quotes(session: Session, row_ids: Collection[int], now: datetime) -> None:
    """Take evidence back; the rows stay."""
    session.run_each(_WITHDRAW, row_ids, new_reverted_at=now)


def _row(owner_id: int, quote: NewQuote) -> Row:
    said = quote.said.evidence
    return (
        owner_id,
        quote.memory_id,
        quote.version,
        said.session_id,
        said.turn_id,
        said.role,
        said.quote,
        said.start,
        said.end,
        said.said_at,
        quote.said.confidence,
        quote.is_origin,
        quote.said.made_it,
        quote.said.seen_at,
        None,
    )


def _evidence(row: Row) -> Evidence:
    return Evidence(
        turn_id=row[0],
        session_id=row[1],
        role=row[2],
        quote=row[3],
        start=row[4],
        end=row[5],
        said_at=row[6],
    )
