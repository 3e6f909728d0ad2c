"""The unit of work: one transaction of one owner."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime

from ltm.models import Owner
from ltm.ports import Clock, Head
from ltm.store.database import Database
from ltm.store.generations import generation_ids
from ltm.store.outbox import Raised, raise_rows
from ltm.store.slots import Slots
from ltm.store.tombstones import Graves
from ltm.store.unit.part import Bench
from ltm.store.unit.steps import StepPart
from ltm.store.unit.turns import TurnPart
from ltm.store.unit.undoing import UndoPart
from ltm.store.users import is_bare, lock_or_create_user, raise_revision


class SqlUnit(UndoPart, TurnPart, StepPart):
    """Implements `ltm.ports.UnitOfWork`."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.is_discarded = False

    @property
    def owner(self) -> Owner:
        """Return whose unit it is."""
        return self._bench.owner

    @property
    def now(self) -> datetime:
        """Return the time of recording."""
        return self._bench.now

    @property
    def touched(self) -> Mapping[str, Head]:
        """Return the heads of the memories whose points change, by id; what was deferred is written first."""
        self.flush()
        return {memory_id: self.get_head(memory_id) for memory_id in sorted(self.raised)}

    def discard(self) -> None:
        """Make the unit end without storing anything."""
        self.is_discarded = True

    def finish(self) -> None:
        """Write what is left: changes, outbox rows, revision."""
        self.flush()
        bench = self._bench
        if self.raised:
            built = generation_ids(bench.session)
            raised = {memory_id: Raised(bench.owner_id, needs) for memory_id, needs in self.raised.items()}
            raise_rows(bench.session, bench.database, built, raised, bench.now)
        if self.is_changed:
            raise_revision(bench.session, bench.owner_id)


class _DiscardedError(Exception):
    """Rolls a unit back on its way out."""


@contextmanager
def open_unit(database: Database, owner: Owner, *, clock: Clock, slots: Slots, graves: Graves) -> Iterator[SqlUnit]:
    """Begin a transaction by locking the owner's row; it is committed when the block ends normally."""
    try:
        with database.transaction() as session:
            row = lock_or_create_user(session, database, owner, clock.now())
            bench = Bench(
                database=database,
                session=session,
                owner=owner,
                owner_id=row.owner_id,
                now=clock.now(),
                clock=clock,
                slots=slots,
                graves=graves,
            )
            unit = SqlUnit(bench)
            yield unit
            if unit.is_discarded:
                raise _DiscardedError
            unit.finish()
            # Whoever was only looked for, or undone, in vain is no user; an erased one must not come back by that.
            if row.is_new and not unit.is_changed and is_bare(session, row.owner_id):
                raise _DiscardedError
    except _DiscardedError:
        return
