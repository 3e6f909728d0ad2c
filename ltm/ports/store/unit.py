"""Writing the store: one transaction of one owner."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Protocol, TypeAlias

from ltm.models import Decision, Evidence, Kind, MemoryVersion, Owner, Status
from ltm.ports.store.origin import Origin
from ltm.ports.store.rows import (
    Head,
    HeldCandidate,
    NewVersion,
    SeenTurn,
    Sighting,
    TransitionRow,
    Undone,
)

IsEnough: TypeAlias = Callable[[Sequence[Sighting]], bool]
"""Says whether evidence is enough to keep a version; for none at all it must say no."""


class ChainUnit(Protocol):
    """Memories within a unit of work. Lookups see what the same unit has already changed.

    Methods that take a memory id raise `MemoryNotFoundError` where the owner has no such memory.
    """

    def prefetch(
        self,
        *,
        memory_ids: Collection[str] = (),
        keys: Collection[str] = (),
        fingerprints: Collection[str] = (),
        external_ids: Collection[str] = (),
    ) -> None:
        """Load chains in bulk, so that the lookups and appends that follow need no statement of their own."""
        ...

    def find(self, memory_id: str) -> Head | None:
        """Return the head of a memory, or None."""
        ...

    def find_by_key(self, key: str) -> Head | None:
        """Return the head of the one memory with this key, whatever its status, or None."""
        ...

    def find_by_fingerprint(self, kind: Kind, fingerprint: str) -> Head | None:
        """Return the oldest memory without a key of this kind whose head has the fingerprint, or None."""
        ...

    def find_by_external_id(self, external_id: str) -> MemoryVersion | None:
        """Return the version that an input with this id made or reinforced, as a full record, or None."""
        ...

    def list_heads(
        self,
        *,
        status: Status | None = Status.ACTIVE,
        keys: Collection[str] | None = None,
        kinds: Collection[Kind] = (),
    ) -> list[Head]:
        """Return heads by memory id.

        Args:
            status: Only heads of this status; None means all.
            keys: Only memories of these keys; None means all, with and without a key.
            kinds: Only these kinds; none means all.
        """
        ...

    def append(self, new: NewVersion) -> MemoryVersion:
        """Append a version and return it as it stands now; a late statement comes back `superseded`.

        Raises:
            VersionConflictError: The head is not the expected version.
            MemoryNotFoundError: `memory_id` is not one of the owner's memories.
        """
        ...

    def reinforce(
        self,
        memory_id: str,
        *,
        confidence: float,
        evidence: Sequence[Evidence] = (),
        sightings: Sequence[Sighting] = (),
        external_id: str | None = None,
    ) -> MemoryVersion:
        """Add evidence to what the head shows; its confidence becomes the greater one. No version is made.

        `external_id`, which must be new to the owner, is found from then on.
        """
        ...

    def end(
        self,
        memory_ids: Iterable[str],
        status: Status,
        *,
        at: datetime,
        reason: str,
        actor: str,
        evidence: Sequence[Evidence] = (),
        sightings: Sequence[Sighting] = (),
    ) -> list[MemoryVersion]:
        """End active memories with `retracted` or `expired` by one version each, which keeps the value.

        A memory that is not active is left alone. `at` before the head's valid_from counts as valid_from, so that
        the head is what ends.

        Returns:
            The appended versions, by memory id.
        """
        ...

    def rollback(
        self, memory_id: str, to_version: int, *, reason: str, actor: str, expected_version: int | None = None
    ) -> MemoryVersion:
        """Undo every version behind `to_version` and append one that carries its value.

        Where nothing lies behind it, nothing is written and the head is returned.

        Raises:
            MemoryNotFoundError: There is no such memory or version.
            VersionConflictError: The head is not the expected version.
        """
        ...

    def taught_by(self, origin: Origin, *, is_enough: IsEnough = bool) -> dict[str, tuple[int, ...]]:
        """Return the standing versions that a session taught, or that were recorded since a time, by memory id.

        A version stays, and is left out, where what others said of it `is_enough`; `withdraw_evidence` takes the
        session's evidence from it. A rollback to something that was reverted already goes by what it went back to.
        """
        ...

    def get_contents(self, memory_id: str, versions: Collection[int] | None = None) -> list[NewVersion]:
        """Return what some versions said, ascending, each with its standing evidence as sightings, oldest first.

        None means every version of the chain, whatever its status.
        """
        ...

    def undo(self, versions: Mapping[str, Collection[int]], *, reason: str, actor: str) -> list[Undone]:
        """Revert versions and append to each memory one that shows what remains; by memory id.

        What other versions added later stays. Rollbacks to these versions go with them. Versions that are reverted
        already are passed over.
        """
        ...

    def withdraw_evidence(self, origin: Origin) -> int:
        """Take an origin's evidence from versions that stay, confidence included, and return how many rows."""
        ...


class TurnUnit(Protocol):
    """Turns, decisions and held candidates within a unit of work."""

    def find_turns(self, session_id: str, turn_ids: Collection[str]) -> dict[str, SeenTurn]:
        """Return those of a session's turns that were observed before, by turn id."""
        ...

    def erased_turns(self, session_id: str, turn_ids: Collection[str]) -> frozenset[str]:
        """Return those of a session's turns that were erased and must not teach again."""
        ...

    def is_external_id_erased(self, external_id: str) -> bool:
        """Tell whether a memory with this external id was erased."""
        ...

    def add_turns(self, turns: Sequence[SeenTurn]) -> None:
        """Record turns as observed; one that is recorded already stays as it is."""
        ...

    def revert_turns(self, origin: Origin) -> int:
        """Mark a session's turns, or those observed at or after a time, as reverted and return how many."""
        ...

    def add_decisions(self, decisions: Sequence[Decision]) -> tuple[Decision, ...]:
        """Append to the audit trail; returned with their ids, in input order."""
        ...

    def find_pending(self, pending_id: str) -> HeldCandidate | None:
        """Return a held candidate, or None."""
        ...

    def find_pending_like(self, key: str | None, fingerprint: str) -> HeldCandidate | None:
        """Return the held candidate that says the same, or None."""
        ...

    def list_pending(self) -> list[HeldCandidate]:
        """Return the held candidates by id."""
        ...

    def put_pending(self, held: HeldCandidate) -> None:
        """Store a held candidate, or replace the one with its id."""
        ...

    def drop_pending(self, pending_ids: Collection[str]) -> int:
        """Remove held candidates and return how many there were."""
        ...


class StepUnit(Protocol):
    """Steps of state machines within a unit of work. Where a machine stands is the value of its state slot."""

    def add_transition(self, transition: TransitionRow) -> None:
        """Record a transition."""
        ...

    def list_transitions(self, machine: str | None = None) -> list[TransitionRow]:
        """Return recorded transitions in the order in which they were recorded."""
        ...

    def drop_transitions(self, transition_ids: Collection[str]) -> int:
        """Remove records of transitions that were undone and return how many."""
        ...


class UnitOfWork(ChainUnit, TurnUnit, StepUnit, Protocol):
    """One transaction that began by locking the owner's row. Made by `Store.unit`; use it in one thread.

    When it ends normally, versions, heads, evidence, outbox rows (one a generation for every memory whose point
    changes) and the raised revision are committed together; when it ends with an exception or was discarded, nothing
    is. Statements may be deferred to the end, so a unit that has ended is the proof that something is stored.
    """

    @property
    def owner(self) -> Owner:
        """Return whose unit it is."""
        ...

    @property
    def now(self) -> datetime:
        """Return the time of recording, the same for the whole unit."""
        ...

    @property
    def touched(self) -> Mapping[str, Head]:
        """Return the heads of the memories whose points change, by memory id; what to apply to the index at the end."""
        ...

    def discard(self) -> None:
        """Make the unit end without storing anything, for previews."""
        ...
