"""What the life cycle, rollback and erasure report."""

from dataclasses import dataclass
from datetime import datetime

from ltm.models.memory import Json, MemoryVersion
from ltm.models.terms import Status


@dataclass(frozen=True, slots=True, kw_only=True)
class TransitionReport:
    """What a transition did, or with `dry_run` would do.

    Attributes:
        transition_id: Id of the recorded transition; None for a dry run and for a transition to the current state.
        expired: The versions that end the bound memories, each with the value it had, by memory id.
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
        versions: Numbers of the versions that were undone, ascending.
        status_after: `reverted` where nothing is left of it.
        value_after: What remains; of a memory of which nothing is left, the value it had.
    """

    memory_id: str
    key: str | None
    versions: tuple[int, ...]
    text_before: str
    value_before: Json
    status_before: Status
    text_after: str
    value_after: Json
    status_after: Status


@dataclass(frozen=True, slots=True, kw_only=True)
class RevertReport:
    """What `revert` undid, or with `dry_run` would undo.

    Attributes:
        changes: By memory id.
        pending_dropped: Held candidates of which nothing is left.
        pending_again: Memories that were remembered because it was said often enough, and now wait to be said again.
        turns: Turns that must not teach again.
    """

    changes: tuple[Reverted, ...]
    pending_dropped: int = 0
    pending_again: int = 0
    turns: int = 0
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
