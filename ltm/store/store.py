"""The store as a whole."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TypeVar

from ltm.models import Owner
from ltm.ports import Clock, Erasure, Generations, Outbox, Reader, UnitOfWork
from ltm.store.database import Database
from ltm.store.erasure import SqlErasure
from ltm.store.generations import SqlGenerations
from ltm.store.meta import read_meta
from ltm.store.outbox import SqlOutbox
from ltm.store.reader import SqlReader
from ltm.store.slots import Slots
from ltm.store.tombstones import Graves
from ltm.store.unit import open_unit

_Result = TypeVar("_Result")


class SqlStore:
    """Implements `ltm.ports.Store` over a database whose schema is up to date, and closes it."""

    def __init__(self, database: Database, *, clock: Clock, slots: Slots) -> None:
        self._database = database
        self._clock = clock
        self._slots = slots
        self._store_id = read_meta(database, "store_id")
        self._graves = Graves(database, salt=bytes.fromhex(read_meta(database, "salt")))
        self._read = SqlReader(database, slots)
        self._outbox = SqlOutbox(database, clock)
        self._generations = SqlGenerations(database, clock)
        self._erasure = SqlErasure(database, clock, self._graves, slots)

    @property
    def store_id(self) -> str:
        """Return what tells this store from every other one."""
        return self._store_id

    @property
    def read(self) -> Reader:
        """Return the reader."""
        return self._read

    @property
    def outbox(self) -> Outbox:
        """Return the outbox."""
        return self._outbox

    @property
    def generations(self) -> Generations:
        """Return the builds of the index."""
        return self._generations

    @property
    def erasure(self) -> Erasure:
        """Return the eraser."""
        return self._erasure

    def unit(self, owner: Owner) -> AbstractContextManager[UnitOfWork]:
        """Begin a transaction that locks the owner's row first, and makes it when absent."""
        return open_unit(self._database, owner, clock=self._clock, slots=self._slots, graves=self._graves)

    def transact(self, owner: Owner, work: Callable[[UnitOfWork], _Result]) -> _Result:
        """Run `work` in a unit, and again where the database rolled back a deadlock."""

        def attempt() -> _Result:
            with self.unit(owner) as unit:
                return work(unit)

        return self._database.retry(attempt)

    def close(self) -> None:
        """Release every connection; calling it again does nothing."""
        self._database.close()
