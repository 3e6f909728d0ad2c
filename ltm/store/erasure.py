"""Physical removal, under the same locks as writing."""

from collections.abc import Collection, Iterable
from dataclasses import replace

from sqlalchemy import BindParameter, bindparam, delete, func, select

from ltm.errors import MemoryNotFoundError
from ltm.models import Owner
from ltm.ports import Clock, Erased
from ltm.store.database import Database, Session
from ltm.store.generations import generation_ids
from ltm.store.memories import find_heads
from ltm.store.outbox import Raised, raise_rows
from ltm.store.prepared import among
from ltm.store.slots import Slots
from ltm.store.tables import (
    decisions,
    evidence,
    external_ids,
    memories,
    memory_versions,
    pending,
    transitions,
    turns,
    users,
)
from ltm.store.tombstones import Graves
from ltm.store.traces import drop_contexts, drop_decisions_about, drop_steps_of, strip_steps
from ltm.store.users import find_user, lock_user, raise_revision

_OWNER: BindParameter[int] = bindparam("owner_id")
# Children before parents.
_OWNED = (evidence, external_ids, memory_versions, memories, turns, decisions, pending, transitions)
_DELETE_OWNED = [delete(table).where(table.c.owner == _OWNER) for table in _OWNED]
_COUNT_OWNED = [select(func.count()).select_from(table).where(table.c.owner == _OWNER) for table in _OWNED]
_DELETE_USER = delete(users).where(users.c.id == _OWNER)
_OF_MEMORY = (evidence, external_ids, memory_versions, memories, decisions)
_DELETE_MEMORY = [delete(table).where(table.c.owner == _OWNER, among(table.c.memory_id, "id")) for table in _OF_MEMORY]
_COUNT_MEMORY = [select(func.count()).select_from(table).where(among(table.c.memory_id, "id")) for table in _OF_MEMORY]
_LOCK_HEADS = (
    select(memories.c.memory_id).where(memories.c.owner == _OWNER).order_by(memories.c.memory_id).with_for_update()
)
_LOCK_HEAD = _LOCK_HEADS.where(among(memories.c.memory_id, "id"))
_TURNS = select(turns.c.session_id, turns.c.turn_id).where(turns.c.owner == _OWNER)
_QUOTED = select(evidence.c.session_id, evidence.c.turn_id).where(evidence.c.owner == _OWNER)
_QUOTED_OF_MEMORY = _QUOTED.where(among(evidence.c.memory_id, "id"))
_WORDS = [
    select(column).where(table.c.owner == _OWNER, among(table.c.memory_id, "id"))
    for table, column in ((memory_versions, memory_versions.c.text), (evidence, evidence.c.quote))
]
_EXTERNAL = [
    select(table.c.external_id).where(table.c.owner == _OWNER, table.c.external_id.is_not(None))
    for table in (memory_versions, external_ids)
]
_EXTERNAL_OF_MEMORY = [
    statement.where(among(table.c.memory_id, "id"))
    for statement, table in zip(_EXTERNAL, (memory_versions, external_ids), strict=True)
]
_DELETE_DECISIONS = delete(decisions).where(
    decisions.c.owner == _OWNER,
    decisions.c.memory_id.is_(None),
    decisions.c.session_id == bindparam("at_session"),
    decisions.c.turn_id == bindparam("at_turn"),
)
_DELETE_PENDING = delete(pending).where(pending.c.owner == _OWNER, pending.c.key == bindparam("at_key"))


class SqlErasure:
    """Implements `ltm.ports.Erasure`."""

    def __init__(self, database: Database, clock: Clock, graves: Graves, slots: Slots) -> None:
        self._database = database
        self._clock = clock
        self._graves = graves
        self._slots = slots

    def erase_user(self, owner: Owner) -> Erased:
        """Remove every row of an owner, the user's own included."""
        erased = self._database.retry(lambda: self._erase_user(owner))
        return replace(erased, is_scrubbed=self._scrub())

    def erase_memory(self, owner: Owner, memory_id: str) -> Erased:
        """Remove a memory, its evidence, its decisions, what is held under its key, and what other rows say of it."""
        erased = self._database.retry(lambda: self._erase_memory(owner, memory_id))
        return replace(erased, is_scrubbed=self._scrub())

    def residue(self, owner: Owner, memory_ids: Collection[str] | None = None) -> int:
        """Count what is left in every table: of the owner, or of these memories only."""
        with self._database.session() as session:
            if memory_ids is not None:
                listed = list(memory_ids)
                return sum(int(row[0]) for statement in _COUNT_MEMORY for row in session.each(statement, listed))
            user = find_user(session, owner)
            if user is None:
                return 0
            return 1 + sum(int(session.all(statement, owner_id=user.owner_id)[0][0]) for statement in _COUNT_OWNED)

    def _erase_user(self, owner: Owner) -> Erased:
        with self._database.transaction() as session:
            user = lock_user(session, owner)
            if user is None:
                return Erased(rows=0, memory_ids=())
            number = user.owner_id
            memory_ids = [row[0] for row in session.all(_LOCK_HEADS, owner_id=number)]
            told = {*session.all(_TURNS, owner_id=number), *session.all(_QUOTED, owner_id=number)}
            external = [row[0] for each in _EXTERNAL for row in session.all(each, owner_id=number)]
            self._bury(session, owner, told, external, with_user=True)
            self._queue(session, number, memory_ids)
            rows = sum(session.run(statement, owner_id=number) for statement in _DELETE_OWNED)
            rows += session.run(_DELETE_USER, owner_id=number)
        return Erased(rows=rows, memory_ids=tuple(memory_ids))

    def _erase_memory(self, owner: Owner, memory_id: str) -> Erased:
        with self._database.transaction() as session:
            user = lock_user(session, owner)
            head = find_heads(session, owner, [memory_id]).get(memory_id)
            if user is None or head is None:
                raise MemoryNotFoundError(f"this user has no memory {memory_id!r}")
            number = user.owner_id
            session.each(_LOCK_HEAD, [memory_id], owner_id=number)
            told = set(session.each(_QUOTED_OF_MEMORY, [memory_id], owner_id=number))
            found = (session.each(statement, [memory_id], owner_id=number) for statement in _EXTERNAL_OF_MEMORY)
            external = [row[0] for rows in found for row in rows]
            words = {row[0] for each in _WORDS for row in session.each(each, [memory_id], owner_id=number)}
            self._bury(session, owner, told, external, with_user=False)
            self._queue(session, number, [memory_id])
            rows = sum(session.run_each(statement, [memory_id], owner_id=number) for statement in _DELETE_MEMORY)
            rows += sum(
                session.run(_DELETE_DECISIONS, owner_id=number, at_session=at, at_turn=turn) for at, turn in told
            )
            if head.key is not None:
                rows += session.run(_DELETE_PENDING, owner_id=number, at_key=head.key)
                rows += drop_decisions_about(session, number, head.key)
                rows += drop_steps_of(session, number, self._slots.machine_of(head.key))
            strip_steps(session, number, memory_id)
            self._queue(session, number, drop_contexts(session, number, words), needs_embedding=True)
            raise_revision(session, number)
        return Erased(rows=rows, memory_ids=(memory_id,))

    def _bury(
        self,
        session: Session,
        owner: Owner,
        told: Iterable[tuple[str | None, ...]],
        external: Iterable[str],
        *,
        with_user: bool,
    ) -> None:
        hashes = [
            (self._graves.turn(owner, at, turn), "turn") for at, turn in told if at is not None and turn is not None
        ]
        hashes += [(self._graves.external(owner, external_id), "external") for external_id in external]
        hashes += [(self._graves.user(owner), "user")] if with_user else []
        self._graves.dig(session, hashes, self._clock.now())

    def _queue(
        self, session: Session, owner_id: int, memory_ids: Collection[str], *, needs_embedding: bool = False
    ) -> None:
        """Queue points to be brought in line, in every generation; the rows hold numbers and memory ids only."""
        raised = {memory_id: Raised(owner_id, needs_embedding) for memory_id in memory_ids}
        raise_rows(session, self._database, generation_ids(session), raised, self._clock.now())

    def _scrub(self) -> bool:
        with self._database.session() as session:
            return self._database.dialect.scrub(session.raw)
