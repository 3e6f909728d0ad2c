"""Rows of `pending`: candidates that are held."""

from collections.abc import Collection
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, delete, select

from ltm.models import Evidence, Owner, Role
from ltm.ports import HeldCandidate, Sighting
from ltm.store.database import Database, Row, Session
from ltm.store.prepared import among
from ltm.store.tables import pending, users
from ltm.store.users import OWNER_ID, named

_P = pending.c
_COLUMNS = (
    _P.pending_id,
    _P.key,
    _P.fingerprint,
    _P.value,
    _P.text,
    _P.kind,
    _P.op,
    _P.confidence,
    _P.reason,
    _P.evidence,
    _P.context,
    _P.pack,
    _P.pack_hash,
    _P.expires_at,
)
_CHANGING = tuple(column.name for column in _COLUMNS[1:])
_LIST = select(*_COLUMNS).where(_P.owner == OWNER_ID).order_by(_P.pending_id)
_FIND = _LIST.where(_P.pending_id == bindparam("pending_id"))
_LIKE = _LIST.where(_P.fingerprint == bindparam("fingerprint"))
_EXPIRED = (
    select(users.c.namespace, users.c.user_id, *_COLUMNS)
    .join(users, users.c.id == _P.owner)
    .where(_P.expires_at < bindparam("before", type_=_P.expires_at.type))
    .order_by(_P.expires_at, _P.pending_id)
    .limit(bindparam("limit"))
)
_DROP = delete(pending).where(_P.owner == bindparam("owner_id"), among(_P.pending_id, "id"))


def list_held(session: Session, owner: Owner) -> list[HeldCandidate]:
    """Return the owner's held candidates, by id."""
    return [_held(row) for row in session.all(_LIST, **named(owner))]


def find_held(session: Session, owner: Owner, pending_id: str) -> HeldCandidate | None:
    """Return one of the owner's held candidates, or None."""
    row = session.one(_FIND, **named(owner), pending_id=pending_id)
    return None if row is None else _held(row)


def find_held_like(session: Session, owner: Owner, key: str | None, fingerprint: str) -> HeldCandidate | None:
    """Return the held candidate with this key, or without one, and this fingerprint, or None."""
    found = [_held(row) for row in session.all(_LIKE, **named(owner), fingerprint=fingerprint)]
    return next((held for held in found if held.key == key), None)


def list_expired(session: Session, before: datetime, limit: int) -> list[tuple[Owner, HeldCandidate]]:
    """Return held candidates of all owners whose time is over, the oldest first."""
    rows = session.all(_EXPIRED, before=before, limit=limit)
    return [(Owner(namespace=row[0], user_id=row[1]), _held(row[2:])) for row in rows]


def put_held(session: Session, database: Database, owner_id: int, held: HeldCandidate) -> None:
    """Store a held candidate, or replace the one with its id."""
    session.many(database.upsert(pending, _CHANGING), [_row(owner_id, held)])


def drop_held(session: Session, owner_id: int, pending_ids: Collection[str]) -> int:
    """Remove held candidates and return how many there were."""
    return session.run_each(_DROP, pending_ids, owner_id=owner_id)


def _row(owner_id: int, held: HeldCandidate) -> Row:
    return (
        held.pending_id,
        owner_id,
        held.key,
        held.fingerprint,
        held.value,
        held.text,
        held.kind,
        held.op,
        held.confidence,
        held.reason,
        [_stored(item) for item in held.sightings],
        held.context,
        held.pack,
        held.pack_hash,
        held.expires_at,
    )


def _held(row: Row) -> HeldCandidate:
    return HeldCandidate(
        pending_id=row[0],
        key=row[1],
        fingerprint=row[2],
        value=row[3],
        text=row[4],
        kind=row[5],
        op=row[6],
        confidence=row[7],
        reason=row[8],
        sightings=tuple(_sighting(item) for item in row[9]),
        context=row[10],
        pack=row[11],
        pack_hash=row[12],
        expires_at=row[13],
    )


def _stored(sighting: Sighting) -> dict[str, Any]:
    said = sighting.evidence
    times = {"said_at": said.said_at.isoformat(), "seen_at": sighting.seen_at.isoformat()}
    return {**asdict(said), **times, "confidence": sighting.confidence, "made_it": sighting.made_it}


def _sighting(stored: dict[str, Any]) -> Sighting:
    said = {**stored, "role": Role(stored["role"]), "said_at": datetime.fromisoformat(stored["said_at"])}
    seen_at = datetime.fromisoformat(said.pop("seen_at"))
    confidence, made_it = said.pop("confidence"), said.pop("made_it")
    return Sighting(evidence=Evidence(**said), confidence=confidence, seen_at=seen_at, made_it=made_it)
