"""Rows of `turns`: what was observed, without its text."""

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import bindparam, select, update

from ltm.models import Owner
from ltm.ports import SeenTurn
from ltm.store.database import Database, Session
from ltm.store.prepared import among
from ltm.store.tables import turns
from ltm.store.users import OWNER_ID, named

_T = turns.c
_FIND = select(_T.turn_id, _T.content_hash, _T.reverted_at).where(
    _T.owner == OWNER_ID, _T.session_id == bindparam("session_id"), among(_T.turn_id, "id")
)
_REVERT = update(turns).values(reverted_at=bindparam("new_reverted_at", type_=_T.reverted_at.type))
_REVERT_SESSION = _REVERT.where(
    _T.owner == bindparam("owner_id"), _T.session_id == bindparam("at_session"), _T.reverted_at.is_(None)
)
_REVERT_SINCE = _REVERT.where(
    _T.owner == bindparam("owner_id"),
    _T.observed_at >= bindparam("since", type_=_T.observed_at.type),
    _T.reverted_at.is_(None),
)


def find_turns(session: Session, owner: Owner, session_id: str, turn_ids: Collection[str]) -> dict[str, SeenTurn]:
    """Return those turns of a session that were observed, by turn id."""
    rows = session.each(_FIND, turn_ids, **named(owner), session_id=session_id)
    return {
        row[0]: SeenTurn(session_id=session_id, turn_id=row[0], content_hash=row[1], is_reverted=row[2] is not None)
        for row in rows
    }


def add_turns(session: Session, database: Database, owner_id: int, seen: Sequence[SeenTurn], now: datetime) -> None:
    """Record turns as observed; one that is recorded already stays as it is."""
    rows = [
        (owner_id, turn.session_id, turn.turn_id, turn.content_hash, now, now if turn.is_reverted else None)
        for turn in seen
    ]
    session.many(database.insert_absent(turns), rows)


def revert_session(session: Session, owner_id: int, session_id: str, now: datetime) -> int:
    """Mark a session's turns as reverted and return how many."""
    return session.run(_REVERT_SESSION, new_reverted_at=now, owner_id=owner_id, at_session=session_id)


def revert_since(session: Session, owner_id: int, since: datetime, now: datetime) -> int:
    """Mark turns observed at or after then as reverted and return how many."""
    return session.run(_REVERT_SINCE, new_reverted_at=now, owner_id=owner_id, since=since)
