"""Apply heads to an index so that one that cannot be applied does not hold up the others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ltm.apply.heads import apply_heads
from ltm.errors import LtmError, ModelError, StoreUnavailableError
from ltm.ports import Head, Space, Store


@dataclass(slots=True, kw_only=True)
class Outcome:
    """What became of memories.

    Attributes:
        settled: Outbox rows that are done.
        failed: Class of the error by memory id; no user's words.
    """

    settled: int = 0
    failed: dict[str, str] = field(default_factory=dict)


def apply_apart(
    store: Store, space: Space, memory_ids: Sequence[str], heads: Mapping[str, Head] | None = None
) -> Outcome:
    """Apply memories in one batch; where that fails, apply halves until those that do not work stand alone.

    Args:
        store: Its outbox rows are settled.
        space: The generation.
        memory_ids: Those of erased memories too.
        heads: As the caller has just read them; None reads them.

    Raises:
        LtmError: Store, index or embedder do not answer a harmless question either: it is no memory's fault.
    """
    outcome = Outcome()
    left = [list(memory_ids)] if memory_ids else []
    while left:
        batch = left.pop()
        try:
            outcome.settled += apply_heads(store, space, batch, heads=heads, batch=len(batch)).settled
        except Exception as error:  # noqa: BLE001 - whatever one memory does to a driver must not stop the others
            _require_parts(space, error)
            if len(batch) == 1:
                outcome.failed[batch[0]] = type(error).__name__
            else:
                middle = len(batch) // 2
                left += [batch[middle:], batch[:middle]]
    return outcome


def _require_parts(space: Space, error: Exception) -> None:
    if isinstance(error, StoreUnavailableError):
        raise error
    if space.embedder is None:
        raise ModelError(f"the embedder of {space.generation.name} cannot be loaded here") from error
    try:
        space.index.count()
        space.embedder.embed_passages(["probe"])
    except LtmError as outage:
        raise outage from error
