"""Reading the store. Nothing here locks or writes."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Protocol

from ltm.models import Decision, Kind, MemoryVersion, Owner, Status
from ltm.ports.store.rows import (
    Head,
    HeldCandidate,
    OwnedHead,
    Snapshot,
    StoreCounts,
    TransitionRow,
)


class Reader(Protocol):
    """What is stored, as it is committed now. Every method may raise `StoreUnavailableError`.

    Only rows of exactly the given owner are seen; an id of somebody else's memory is as unknown as an invented one.
    Pages are keyset pages: `after` is the last id of the page before, `limit` None means all.
    """

    def snapshot(self, owner: Owner) -> Snapshot:
        """Return the owner's revision and the live generation, read together."""
        ...

    def heads(self, owner: Owner, memory_ids: Collection[str]) -> dict[str, Head]:
        """Return the heads among these ids, of any status; unknown ids are left out. One query by primary key."""
        ...

    def list_heads(
        self, owner: Owner, *, status: Status | None = Status.ACTIVE, kinds: Collection[Kind] = ()
    ) -> list[Head]:
        """Return heads by memory id; no kinds means all kinds, status None every status."""
        ...

    def records(self, owner: Owner, memory_ids: Collection[str]) -> dict[str, MemoryVersion]:
        """Return the heads among these ids as full records with evidence; unknown ids are left out."""
        ...

    def list_records(
        self,
        owner: Owner,
        *,
        status: Status | None = Status.ACTIVE,
        kinds: Collection[Kind] = (),
        after: str | None = None,
        limit: int | None = None,
    ) -> list[MemoryVersion]:
        """Return heads as full records with evidence, by memory id."""
        ...

    def find_memory_id(self, owner: Owner, key: str) -> str | None:
        """Return the memory of this key, or None. There is at most one for ever."""
        ...

    def list_said_at(self, owner: Owner, *, until: datetime | None = None) -> list[datetime]:
        """Return when something new was said (`valid_from`), ascending, each instant once.

        What was reverted does not count; what was superseded, retracted or expired since does: it was said. What mends
        or ends a chain says nothing, and what only was said again has made no version.

        Args:
            owner: Whose statements.
            until: Only what was said by then, that instant included; None means all.
        """
        ...

    def history(self, owner: Owner, memory_id: str) -> list[MemoryVersion]:
        """Return a whole chain in version order; an unknown memory gives an empty list.

        Statuses and intervals are those of now; a value is the whole value at that version, for a reverted version as
        it was believed when recorded.
        """
        ...

    def as_of(self, owner: Owner, when: datetime, known_at: datetime | None = None) -> list[MemoryVersion]:
        """Return what was true at `when`, by memory id, each with status `active`.

        Args:
            owner: Whose memories.
            when: Time in the world.
            known_at: Only what was recorded by then and not yet undone; None means now.
        """
        ...

    def list_decisions(self, owner: Owner, *, after: int | None = None, limit: int | None = None) -> list[Decision]:
        """Return the audit trail in the order in which it was written."""
        ...

    def list_pending(self, owner: Owner) -> list[HeldCandidate]:
        """Return the held candidates by id, expired ones included."""
        ...

    def list_expired_pending(self, before: datetime, *, limit: int) -> list[tuple[Owner, HeldCandidate]]:
        """Return candidates of all owners whose time was over before then, the oldest first."""
        ...

    def list_transitions(self, owner: Owner, machine: str | None = None) -> list[TransitionRow]:
        """Return recorded transitions in the order in which they were recorded."""
        ...

    def list_users(self, namespace: str, *, after: str | None = None, limit: int | None = None) -> list[str]:
        """Return user ids of a namespace in the order of their bytes."""
        ...

    def scan(
        self,
        *,
        after: str | None = None,
        limit: int,
        statuses: Sequence[Status] = (),
        kinds: Sequence[Kind] = (),
    ) -> list[OwnedHead]:
        """Return heads of all owners by memory id, for jobs; no statuses (kinds) means all of them."""
        ...

    def owned(self, memory_ids: Iterable[str]) -> dict[str, OwnedHead]:
        """Return the heads among these ids whoever owns them, for jobs; unknown ids are left out."""
        ...

    def counts(self) -> StoreCounts:
        """Count what is stored, all namespaces."""
        ...
