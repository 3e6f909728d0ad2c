"""The SQL store: the truth. Versions and heads are read by `Reader`, written by `UnitOfWork`."""

from collections.abc import Callable, Collection
from contextlib import AbstractContextManager
from typing import Protocol, TypeVar

from ltm.models import Owner
from ltm.ports.store.origin import Origin
from ltm.ports.store.outbox import Failure, Generations, Lag, Locked, Outbox, OutboxRow, WriteLocked
from ltm.ports.store.reader import Reader
from ltm.ports.store.rows import (
    Erased,
    Generation,
    Head,
    HeldCandidate,
    NewVersion,
    OwnedHead,
    SeenTurn,
    Sighting,
    Snapshot,
    StoreCounts,
    TransitionRow,
    Undone,
    count_sessions,
)
from ltm.ports.store.unit import ChainUnit, IsEnough, StepUnit, TurnUnit, UnitOfWork

__all__ = [
    "ChainUnit",
    "Erased",
    "Erasure",
    "Failure",
    "Generation",
    "Generations",
    "Head",
    "HeldCandidate",
    "IsEnough",
    "Lag",
    "Locked",
    "NewVersion",
    "Origin",
    "Outbox",
    "OutboxRow",
    "OwnedHead",
    "Reader",
    "SeenTurn",
    "Sighting",
    "Snapshot",
    "StepUnit",
    "Store",
    "StoreCounts",
    "TransitionRow",
    "TurnUnit",
    "Undone",
    "UnitOfWork",
    "WriteLocked",
    "count_sessions",
]

_Result = TypeVar("_Result")


class Erasure(Protocol):
    """Physical removal. Salted hashes stay behind, so that the same turns and external ids are known as erased."""

    def erase_user(self, owner: Owner) -> Erased:
        """Remove every row of an owner, the user's own included; an unknown owner gives zero rows."""
        ...

    def erase_memory(self, owner: Owner, memory_id: str) -> Erased:
        """Remove a memory, its evidence, its decisions and what is held under its key.

        Raises:
            MemoryNotFoundError: The owner has no such memory.
        """
        ...

    def residue(self, owner: Owner, memory_ids: Collection[str] | None = None) -> int:
        """Count what is left in every table: of the owner, or of these memories only. 0 after an erasure.

        Queued removals from the index, which are memory ids and nothing else, are not counted.
        """
        ...


class Store(Protocol):
    """The store as a whole. Thread-safe; a unit of work belongs to one thread."""

    @property
    def store_id(self) -> str:
        """Return 32 hexadecimal digits made with the schema; they name what belongs to this store on shared servers."""
        ...

    @property
    def read(self) -> Reader:
        """Return the reader."""
        ...

    @property
    def outbox(self) -> Outbox:
        """Return the outbox."""
        ...

    @property
    def generations(self) -> Generations:
        """Return the builds of the index."""
        ...

    @property
    def erasure(self) -> Erasure:
        """Return the eraser."""
        ...

    def unit(self, owner: Owner) -> AbstractContextManager[UnitOfWork]:
        """Begin a transaction that locks the owner's row first, and makes it when absent.

        Raises:
            StoreUnavailableError: The database did not answer, or gave up on a lock; nothing is stored.
        """
        ...

    def transact(self, owner: Owner, work: Callable[[UnitOfWork], _Result]) -> _Result:
        """Run `work` in a unit, and again (three times at most) where the database rolled back a deadlock.

        `work` must have no effect outside the unit.
        """
        ...

    def close(self) -> None:
        """Release every connection; calling it again does nothing."""
        ...
