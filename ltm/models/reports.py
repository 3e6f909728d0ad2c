"""What the life cycle, rollback and erasure report."""

from dataclasses import dataclass
from datetime import datetime

from ltm.models.memory import MemoryVersion


@dataclass(frozen=True, slots=True, kw_only=True)
class TransitionReport:
    """What a transition did, or with `dry_run` would do.

    Attributes:
        transition_id: Id of the recorded transition; None for a dry run and for a transition to the current state.
        expired: The heads it ended, as they were before, by memory id.
    """

    machine: str
    from_state: str
    to_state: str
    at: datetime
    transition_id: str | None
    expired: tuple[MemoryVersion, ...]
    dry_run: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Reverted:
    """One memory that a revert changed.

    Attributes:
        before: The head before.
        after: The head afterwards, status `reverted` where nothing is left; None in a dry run.
        versions: Numbers of the versions that were undone.
    """

    before: MemoryVersion
    after: MemoryVersion | None
    versions: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RevertReport:
    """What `revert` undid, or with `dry_run` would undo, by memory id."""

    changes: tuple[Reverted, ...]
    pending_dropped: int = 0
    dry_run: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasureReport:
    """What `erase` removed.

    Attributes:
        sql: Rows removed from the SQL store.
        index: Points removed from the vector index, all generations.
        cache: Entries removed from the cache.
        verified: A read-back of every store found nothing left.
        queued: The index did not answer; its part stays in the outbox and is finished by the relay. Recall shows
            nothing of it already.
    """

    sql: int
    index: int
    cache: int
    verified: bool
    queued: bool
