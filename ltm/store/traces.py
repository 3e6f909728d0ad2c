"""What other rows say of a memory that is erased: an audit trail, a turn before, a list of what a step ended."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import BindParameter, Table, bindparam, delete, null, select, update

from ltm.store.database import Session
from ltm.store.prepared import among
from ltm.store.tables import decisions, memories, memory_versions, pending, transitions

_OWNER: BindParameter[int] = bindparam("owner_id")
_DECIDED = select(decisions.c.id, decisions.c.candidate).where(decisions.c.owner == _OWNER)
_DROP_DECISIONS = delete(decisions).where(decisions.c.owner == _OWNER, among(decisions.c.id, "row"))
_CONTEXTS: dict[Table, Any] = {
    table: select(table.c[key], table.c.context).where(table.c.owner == _OWNER, table.c.context.is_not(None))
    for table, key in ((memories, "memory_id"), (memory_versions, "memory_id"), (pending, "pending_id"))
}
_DROP_CONTEXTS: dict[Table, Any] = {
    table: update(table).values(context=null()).where(table.c.owner == _OWNER, among(table.c[key], "id"))
    for table, key in ((memories, "memory_id"), (memory_versions, "memory_id"), (pending, "pending_id"))
}
_STEPS = select(transitions.c.transition_id, transitions.c.expired).where(transitions.c.owner == _OWNER)
_DROP_STEPS = delete(transitions).where(transitions.c.owner == _OWNER, transitions.c.machine == bindparam("at_machine"))
_STRIP_STEP = (
    update(transitions)
    .values(expired=bindparam("new_expired", type_=transitions.c.expired.type))
    .where(transitions.c.owner == _OWNER, transitions.c.transition_id == bindparam("at_id"))
)


def drop_decisions_about(session: Session, owner_id: int, key: str) -> int:
    """Remove the decisions about candidates for a slot, whatever became of them, and return how many."""
    rows = session.all(_DECIDED, owner_id=owner_id)
    about = [row[0] for row in rows if row[1] is not None and row[1].get("key") == key]
    return session.run_each(_DROP_DECISIONS, about, owner_id=owner_id)


def drop_contexts(session: Session, owner_id: int, words: Collection[str]) -> list[str]:
    """Take away the turn before from whatever has these words in it, and return the memories whose points change."""
    changed: list[str] = []
    for table, listed in _CONTEXTS.items():
        rows = session.all(listed, owner_id=owner_id)
        found = sorted({row[0] for row in rows if any(each in row[1] for each in words)})
        session.run_each(_DROP_CONTEXTS[table], found, owner_id=owner_id)
        changed += found if table is memories else []
    return changed


def drop_steps_of(session: Session, owner_id: int, machine: str | None) -> int:
    """Remove the recorded steps of a state machine, which say where it stood, and return how many."""
    return session.run(_DROP_STEPS, owner_id=owner_id, at_machine=machine)


def strip_steps(session: Session, owner_id: int, memory_id: str) -> None:
    """Take a memory from the lists of what steps of state machines have ended."""
    for transition_id, expired in session.all(_STEPS, owner_id=owner_id):
        if memory_id in expired:
            left = {name: version for name, version in expired.items() if name != memory_id}
            session.run(_STRIP_STEP, owner_id=owner_id, at_id=transition_id, new_expired=left)
