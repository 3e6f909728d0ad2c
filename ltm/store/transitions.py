"""Rows of `transitions`."""

from collections.abc import Collection

from sqlalchemy import bindparam, delete, select

from ltm.models import Owner
from ltm.ports import TransitionRow
from ltm.store.database import Session
from ltm.store.prepared import among, insert_into
from ltm.store.tables import transitions
from ltm.store.users import OWNER_ID, named

_T = transitions.c
_LIST = (
    select(
        _T.transition_id,
        _T.machine,
        _T.from_state,
        _T.to_state,
        _T.at,
        _T.recorded_at,
        _T.session_id,
        _T.actor,
        _T.expired,
    )
    .where(_T.owner == OWNER_ID)
    .order_by(_T.recorded_at, _T.transition_id)
)
_INSERT = insert_into(transitions)
_DROP_TRANSITIONS = delete(transitions).where(_T.owner == bindparam("owner_id"), among(_T.transition_id, "id"))


def list_transitions(session: Session, owner: Owner, machine: str | None) -> list[TransitionRow]:
    """Return transitions in the order in which they were recorded."""
    found = [
        TransitionRow(
            transition_id=row[0],
            machine=row[1],
            from_state=row[2],
            to_state=row[3],
            at=row[4],
            recorded_at=row[5],
            session_id=row[6],
            actor=row[7],
            expired=row[8],
        )
        for row in session.all(_LIST, **named(owner))
    ]
    return [row for row in found if machine is None or row.machine == machine]


def add_transition(session: Session, owner_id: int, row: TransitionRow) -> None:
    """Record a transition."""
    values = (
        row.transition_id,
        owner_id,
        row.machine,
        row.from_state,
        row.to_state,
        row.at,
        row.recorded_at,
        row.session_id,
        row.actor,
        dict(row.expired),
    )
    session.many(_INSERT, [values])


def drop_transitions(session: Session, owner_id: int, transition_ids: Collection[str]) -> int:
    """Remove transitions that were undone and return how many."""
    return session.run_each(_DROP_TRANSITIONS, transition_ids, owner_id=owner_id)
