"""From SQL to the index: what is to be applied, to which generation, under which lock."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, TypeAlias

from ltm.models import Owner
from ltm.ports.embedder import EmbedderSpec
from ltm.ports.store.rows import Generation, OwnedHead


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboxRow:
    """A memory whose point in one generation is not yet that of its head.

    Attributes:
        needs_embedding: False where only status or version changed: a payload update is enough.
        attempts: How often it has failed.
        raised_at: When it was first raised; the lag counts from here.
        leased_until: Of a claimed row: when somebody else may claim it.
    """

    memory_id: str
    generation_id: int
    needs_embedding: bool
    attempts: int
    raised_at: datetime
    last_error: str | None = None
    leased_until: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A row that could not be applied.

    Attributes:
        error: Reason code or error class, never a user's words.
        next_attempt_at: When to try again; None makes it a dead letter.
    """

    memory_id: str
    error: str
    next_attempt_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Lag:
    """How far a generation is behind.

    Attributes:
        rows: Rows waiting, dead letters not counted.
        seconds: Age of the oldest waiting row; 0 where none waits.
        dead: Dead letters.
    """

    rows: int
    seconds: float
    dead: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Locked:
    """Heads as they are now, under their locks.

    Attributes:
        heads: By memory id.
        gone: Ids without a memory, ascending: erased, their points must go.
    """

    heads: dict[str, OwnedHead]
    gone: tuple[str, ...]


WriteLocked: TypeAlias = Callable[[Locked], Collection[str]]
"""Writes points and returns the memory ids that are done; it may be called again when the database asks for a retry."""


class Outbox(Protocol):
    """Rows to be applied. Every method may raise `StoreUnavailableError`."""

    def claim(self, generation_id: int, *, limit: int, lease_s: float, owner: Owner | None = None) -> list[OutboxRow]:
        """Return due rows, of one owner or of all, the oldest first, that nobody else gets for `lease_s` seconds.

        Dead letters and rows whose next attempt lies ahead are left out. A claim that is neither applied nor failed
        comes back when its lease has run out, or is released. What lies more than an hour ahead was raised before the
        clock was set back, and is due when nothing else is.
        """
        ...

    def release(self, rows: Sequence[OutboxRow]) -> None:
        """Give claims back before their leases run out, without an attempt.

        Rows that are settled, dead, raised again or claimed by somebody else since are left as they are.
        """
        ...

    def apply(self, generation_id: int, memory_ids: Collection[str], write: WriteLocked) -> int:
        """Lock the heads, let `write` bring the points in line, and settle the rows of what it returns.

        One transaction: heads cannot change, nor be erased, before it ends. An id that is not in the outbox is no
        error: its head is locked and handed over all the same. When `write` raises, nothing is settled.

        Returns:
            How many rows were settled.
        """
        ...

    def locked(self, memory_ids: Collection[str], work: Callable[[Locked], None]) -> None:
        """Do something with heads under their locks and settle nothing; for a rebuild and for repair."""
        ...

    def enqueue(self, generation_id: int, memory_ids: Collection[str]) -> None:
        """Raise rows for these memories, embedding included."""
        ...

    def fail(self, generation_id: int, failures: Sequence[Failure]) -> None:
        """Count an attempt, note the error, and give the claim back."""
        ...

    def dead_letters(self, generation_id: int, *, limit: int) -> list[OutboxRow]:
        """Return dead letters, the oldest first."""
        ...

    def revive(self, generation_id: int) -> int:
        """Make every dead letter due again and return how many."""
        ...

    def lag(self, generation_id: int) -> Lag:
        """Return how far the generation is behind."""
        ...

    def has_all(self, generation_id: int) -> bool:
        """Tell whether every active memory has a row, be it a dead letter: an index without points then hides nothing.

        True where there is no active memory.
        """
        ...

    def waiting(self, generation_id: int, memory_ids: Collection[str]) -> frozenset[str]:
        """Return those of these memories whose point a relay will bring in line; dead letters are left out."""
        ...


class Generations(Protocol):
    """The builds of the index. Outbox rows are raised for every generation that exists, whatever its state."""

    def find_live(self) -> Generation | None:
        """Return the generation that readers use, or None."""
        ...

    def list_all(self) -> list[Generation]:
        """Return the generations, the oldest first."""
        ...

    def ensure_live(self, name: str, *, fingerprint: str, spec: EmbedderSpec) -> Generation:
        """Return the live generation; where there is none, make this one live and raise every memory for it.

        Two processes at once get the same one. The caller compares fingerprints.
        """
        ...

    def create(self, name: str, *, fingerprint: str, spec: EmbedderSpec) -> Generation:
        """Register a generation as `building`. From its return on, every write raises a row for it too.

        Raises:
            InvalidRequestError: There is one with this name.
        """
        ...

    def checkpoint(self, generation_id: int, memory_id: str) -> None:
        """Note the last memory id that the build has written."""
        ...

    def switch(self, generation_id: int) -> Generation:
        """Make it live, and what was live `retired`, by one pointer row; returns it as it is now."""
        ...

    def drop(self, generation_id: int) -> None:
        """Forget a generation and its outbox rows.

        Raises:
            InvalidRequestError: It is the live one.
        """
        ...
