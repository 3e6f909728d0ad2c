"""Rows of `outbox`: what has to be brought to the index."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import bindparam, delete, exists, false, func, select, true, update

from ltm.models import Owner, Status
from ltm.ports import Clock, Failure, Lag, Locked, OutboxRow, WriteLocked
from ltm.store.database import Database, Row, Session
from ltm.store.memories import find_owner_ids, lock_heads
from ltm.store.prepared import among
from ltm.store.tables import memories, outbox
from ltm.store.users import OWNER_ID, named

_O = outbox.c
_COLUMNS = (_O.memory_id, _O.generation, _O.needs_embedding, _O.attempts, _O.raised_at, _O.last_error)
_RAISED_AGAIN = ("attempts", "is_dead", "next_attempt_at", "last_error")
_LONGEST_WAIT = timedelta(hours=1)
_FIRST = (
    select(*_COLUMNS)
    .where(_O.generation == bindparam("generation"), _O.is_dead == false())
    .order_by(_O.next_attempt_at, _O.memory_id)
    .limit(bindparam("limit"))
    .with_for_update(skip_locked=True)
)
DUE = _FIRST.where(_O.next_attempt_at <= bindparam("now", type_=_O.next_attempt_at.type))
AHEAD = _FIRST.where(_O.next_attempt_at > bindparam("now", type_=_O.next_attempt_at.type))
_DUE_OF_OWNER, _AHEAD_OF_OWNER = DUE.where(_O.owner == OWNER_ID), AHEAD.where(_O.owner == OWNER_ID)
_LEASE = (
    update(outbox)
    .values(next_attempt_at=bindparam("new_next", type_=_O.next_attempt_at.type))
    .where(_O.generation == bindparam("generation"), among(_O.memory_id, "id"))
)
_RELEASE = (
    update(outbox)
    .values(next_attempt_at=bindparam("new_next", type_=_O.next_attempt_at.type))
    .where(
        _O.generation == bindparam("at_generation"),
        _O.memory_id == bindparam("at_id"),
        _O.is_dead == false(),
        _O.next_attempt_at == bindparam("at_until", type_=_O.next_attempt_at.type),
    )
)
_SETTLE = delete(outbox).where(_O.generation == bindparam("generation"), among(_O.memory_id, "id"))
_DEAD = (
    select(*_COLUMNS)
    .where(_O.generation == bindparam("generation"), _O.is_dead == true())
    .order_by(_O.raised_at, _O.memory_id)
    .limit(bindparam("limit"))
)
_REVIVE = (
    update(outbox)
    .values(is_dead=false(), attempts=0, next_attempt_at=bindparam("new_next", type_=_O.next_attempt_at.type))
    .where(_O.generation == bindparam("generation"), _O.is_dead == true())
)
_FAIL = (
    update(outbox)
    .values(
        attempts=_O.attempts + 1,
        is_dead=bindparam("new_is_dead", type_=_O.is_dead.type),
        next_attempt_at=bindparam("new_next", type_=_O.next_attempt_at.type),
        last_error=bindparam("new_error", type_=_O.last_error.type),
    )
    .where(_O.generation == bindparam("at_generation"), _O.memory_id == bindparam("at_id"))
)
_WAITING = select(_O.memory_id).where(
    _O.generation == bindparam("generation"), _O.is_dead == false(), among(_O.memory_id, "id")
)
_LAG = (
    select(_O.is_dead, func.count(), func.min(_O.raised_at, type_=_O.raised_at.type))
    .where(_O.generation == bindparam("generation"))
    .group_by(_O.is_dead)
)


_WITHOUT_ROW = (
    select(memories.c.memory_id)
    .where(
        memories.c.status == bindparam("status", type_=memories.c.status.type),
        ~exists().where(_O.memory_id == memories.c.memory_id, _O.generation == bindparam("generation")),
    )
    .limit(1)
)


class Raised(NamedTuple):
    """Why a memory's point has to be brought in line.

    Attributes:
        owner_id: Number of the owner's row; None for a memory that is not there any more.
    """

    owner_id: int | None
    needs_embedding: bool


def raise_rows(
    session: Session,
    database: Database,
    generation_ids: Collection[int],
    raised: Mapping[str, Raised],
    now: datetime,
) -> None:
    """Raise a row for each generation and memory.

    A row that waits already keeps its age, and its need of an embedding; it is due at once, a dead letter too.
    """
    rows = [
        (memory_id, generation, item.owner_id, item.needs_embedding, 0, False, now, now, None)
        for generation in sorted(generation_ids)
        for memory_id, item in sorted(raised.items())
    ]
    session.many(database.upsert(outbox, _RAISED_AGAIN, ("needs_embedding",)), rows)


class SqlOutbox:
    """Implements `ltm.ports.Outbox`."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def claim(self, generation_id: int, *, limit: int, lease_s: float, owner: Owner | None = None) -> list[OutboxRow]:
        """Return due rows, the oldest first, that nobody else gets for `lease_s` seconds."""
        now = self._clock.now()
        due, ahead = (DUE, AHEAD) if owner is None else (_DUE_OF_OWNER, _AHEAD_OF_OWNER)
        whose = {} if owner is None else named(owner)
        until = now + timedelta(seconds=lease_s)

        def work() -> list[Row]:
            with self._database.transaction() as session:
                rows = session.all(due, generation=generation_id, now=now, limit=limit, **whose)
                if not rows:
                    # So far ahead no wait and no lease leads: the clock has been set back since.
                    never = now + max(_LONGEST_WAIT, 2 * timedelta(seconds=lease_s))
                    rows = session.all(ahead, generation=generation_id, now=never, limit=limit, **whose)
                session.run_each(_LEASE, [row[0] for row in rows], generation=generation_id, new_next=until)
            return rows

        return [_outbox_row(row, until) for row in self._database.retry(work)]

    def release(self, rows: Sequence[OutboxRow]) -> None:
        """Give claims back before their leases run out, without an attempt."""
        now = self._clock.now()
        claims = sorted((row.generation_id, row.memory_id, row.leased_until) for row in rows)

        def work() -> None:
            with self._database.transaction() as session:
                session.many(_RELEASE, [(now, *claim) for claim in claims])

        self._database.retry(work)

    def apply(self, generation_id: int, memory_ids: Collection[str], write: WriteLocked) -> int:
        """Lock the heads, let `write` bring the points in line, and settle the rows of what it returns."""
        if not memory_ids:
            return 0

        def work() -> int:
            with self._database.transaction() as session:
                done = write(_locked(session, memory_ids))
                return session.run_each(_SETTLE, sorted(done), generation=generation_id)

        return self._database.retry(work)

    def locked(self, memory_ids: Collection[str], work: Callable[[Locked], None]) -> None:
        """Do something with heads under their locks and settle nothing."""

        def held() -> None:
            with self._database.transaction() as session:
                work(_locked(session, memory_ids))

        self._database.retry(held)

    def enqueue(self, generation_id: int, memory_ids: Collection[str]) -> None:
        """Raise rows for these memories, embedding included."""
        with self._database.transaction() as session:
            owners = find_owner_ids(session, memory_ids)
            raised = {memory_id: Raised(owners.get(memory_id), True) for memory_id in memory_ids}
            raise_rows(session, self._database, [generation_id], raised, self._clock.now())

    def fail(self, generation_id: int, failures: Sequence[Failure]) -> None:
        """Count an attempt, note the error, and give the claim back."""
        now = self._clock.now()
        rows = [
            (
                failure.next_attempt_at is None,
                failure.next_attempt_at or now,
                failure.error,
                generation_id,
                failure.memory_id,
            )
            for failure in sorted(failures, key=lambda failure: failure.memory_id)
        ]

        def work() -> None:
            with self._database.transaction() as session:
                session.many(_FAIL, rows)

        self._database.retry(work)

    def dead_letters(self, generation_id: int, *, limit: int) -> list[OutboxRow]:
        """Return dead letters, the oldest first."""
        with self._database.session() as session:
            return [_outbox_row(row) for row in session.all(_DEAD, generation=generation_id, limit=limit)]

    def revive(self, generation_id: int) -> int:
        """Make every dead letter due again and return how many."""
        with self._database.transaction() as session:
            return session.run(_REVIVE, generation=generation_id, new_next=self._clock.now())

    def lag(self, generation_id: int) -> Lag:
        """Return how far the generation is behind."""
        with self._database.session() as session:
            found = {row[0]: row[1:] for row in session.all(_LAG, generation=generation_id)}
        rows, oldest = found.get(False, (0, None))
        seconds = 0.0 if oldest is None else max(0.0, (self._clock.now() - oldest).total_seconds())
        return Lag(rows=rows, seconds=seconds, dead=found.get(True, (0, None))[0])

    def has_all(self, generation_id: int) -> bool:
        """Tell whether every active memory has a row, be it a dead letter."""
        with self._database.session() as session:
            return session.one(_WITHOUT_ROW, generation=generation_id, status=Status.ACTIVE) is None

    def waiting(self, generation_id: int, memory_ids: Collection[str]) -> frozenset[str]:
        """Return those of these memories whose point a relay will bring in line."""
        with self._database.session() as session:
            return frozenset(row[0] for row in session.each(_WAITING, memory_ids, generation=generation_id))


def _locked(session: Session, memory_ids: Collection[str]) -> Locked:
    heads = lock_heads(session, memory_ids)
    return Locked(heads=heads, gone=tuple(sorted(set(memory_ids) - heads.keys())))


def _outbox_row(row: Row, leased_until: datetime | None = None) -> OutboxRow:
    return OutboxRow(
        memory_id=row[0],
        generation_id=row[1],
        needs_embedding=row[2],
        attempts=row[3],
        raised_at=row[4],
        last_error=row[5],
        leased_until=leased_until,
    )
