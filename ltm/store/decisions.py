"""Rows of `decisions`: the audit trail."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from sqlalchemy import bindparam, select

from ltm.models import Candidate, Channel, Decision, Kind, Op, Owner, SpeechAct
from ltm.store.database import Row, Session
from ltm.store.prepared import insert_into
from ltm.store.tables import decisions
from ltm.store.users import NO_LIMIT, OWNER_ID, named

_D = decisions.c
_COLUMNS = (
    _D.id,
    _D.at,
    _D.session_id,
    _D.turn_id,
    _D.action,
    _D.outcome,
    _D.reason,
    _D.candidate,
    _D.memory_id,
    _D.version,
)
_LIST = (
    select(*_COLUMNS).where(_D.owner == OWNER_ID, _D.id > bindparam("after")).order_by(_D.id).limit(bindparam("limit"))
)
_LAST_IDS = select(_D.id).where(_D.owner == bindparam("owner_id")).order_by(_D.id.desc()).limit(bindparam("limit"))
_INSERT = insert_into(decisions)


def list_decisions(session: Session, owner: Owner, after: int | None, limit: int | None) -> list[Decision]:
    """Return a page of the trail, in the order in which it was written."""
    rows = session.all(_LIST, **named(owner), after=after or 0, limit=NO_LIMIT if limit is None else limit)
    return [_decision(row) for row in rows]


def add_decisions(session: Session, owner_id: int, added: Sequence[Decision]) -> tuple[Decision, ...]:
    """Append to the trail and return the decisions with their ids.

    The owner's row is locked, so the last ids of this owner are those just given.
    """
    if not added:
        return ()
    session.many(_INSERT, [_row(owner_id, decision) for decision in added])
    ids = sorted(row[0] for row in session.all(_LAST_IDS, owner_id=owner_id, limit=len(added)))
    return tuple(replace(decision, decision_id=given) for decision, given in zip(added, ids, strict=True))


def _row(owner_id: int, decision: Decision) -> Row:
    return (
        owner_id,
        decision.at,
        decision.session_id,
        decision.turn_id,
        decision.action,
        decision.outcome,
        decision.reason,
        None if decision.candidate is None else asdict(decision.candidate),
        decision.memory_id,
        decision.version,
    )


def _decision(row: Row) -> Decision:
    return Decision(
        decision_id=row[0],
        at=row[1],
        session_id=row[2],
        turn_id=row[3],
        action=row[4],
        outcome=row[5],
        reason=row[6],
        candidate=None if row[7] is None else _candidate(row[7]),
        memory_id=row[8],
        version=row[9],
    )


def _candidate(stored: dict[str, Any]) -> Candidate:
    words = {
        "kind": Kind(stored["kind"]),
        "speech_act": SpeechAct(stored["speech_act"]),
        "channel": Channel(stored["channel"]),
        "op": Op(stored["op"]),
    }
    return Candidate(**{**stored, **words})
