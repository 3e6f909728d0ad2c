"""Erasure: physical, in every store, proved by reading back."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from ltm.errors import CacheError, LtmError
from ltm.models import ErasureReport, Owner
from ltm.ports import Cache, Generation, Locked, Space, Spaces, Store

_log = logging.getLogger(__name__)
_BATCH = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class _IndexPart:
    removed: int
    left: int
    is_queued: bool


def erase_user(store: Store, spaces: Spaces, cache: Cache, owner: Owner) -> ErasureReport:
    """Remove everything of a user from SQL, from every generation of the index, and from the cache.

    SQL comes first: from its commit on, no recall shows anything and no relay can bring anything back. Where the index
    does not answer, its part stays in the outbox and is finished by the relay.
    """
    erased = store.erasure.erase_user(owner)
    parts = [_erase_points(store, spaces, owner, generation, erased.memory_ids) for generation in _generations(store)]
    cached, is_cache_clean = _erase_cache(cache, owner)
    is_clean = erased.is_scrubbed and store.erasure.residue(owner) == 0 and is_cache_clean
    return _report(erased.rows, parts, cached, is_clean=is_clean)


def erase_memory(store: Store, spaces: Spaces, cache: Cache, owner: Owner, memory_id: str) -> ErasureReport:
    """Remove one memory with its chain, evidence and decisions, as `erase_user` does.

    Raises:
        MemoryNotFoundError: The user has no such memory.
    """
    erased = store.erasure.erase_memory(owner, memory_id)
    parts = [_erase_points(store, spaces, None, generation, erased.memory_ids) for generation in _generations(store)]
    cached, is_cache_clean = _erase_cache(cache, owner)
    is_clean = erased.is_scrubbed and store.erasure.residue(owner, [memory_id]) == 0 and is_cache_clean
    return _report(erased.rows, parts, cached, is_clean=is_clean)


def _generations(store: Store) -> list[Generation]:
    return store.generations.list_all()


def _erase_points(
    store: Store, spaces: Spaces, owner: Owner | None, generation: Generation, memory_ids: Sequence[str]
) -> _IndexPart:
    """Remove points of one generation; `owner` also takes points of theirs that SQL no longer knows."""
    try:
        space = spaces.get(generation)
        removed = sum(
            _settle(store, space, memory_ids[start : start + _BATCH]) for start in range(0, len(memory_ids), _BATCH)
        )
        if owner is None:
            left = len(space.index.retrieve(memory_ids))
        else:
            removed += space.index.delete_owner(owner.key)
            left = space.index.count(owner.key)
            _bring_back_what_is_new(store, generation, owner)
        space.index.flush()
    except LtmError as error:
        # SQL is clean by now, so that whatever happens here the caller has to get a report.
        _log.warning("erasure queued: generation %s, %s", generation.name, type(error).__name__)
        return _IndexPart(removed=0, left=0, is_queued=True)
    return _IndexPart(removed=removed, left=left, is_queued=False)


def _bring_back_what_is_new(store: Store, generation: Generation, owner: Owner) -> None:
    """Queue what the user was told to remember since SQL was erased: its points may have gone with the old ones."""
    new = [head.memory_id for head in store.read.list_heads(owner, status=None)]
    if new:
        store.outbox.enqueue(generation.generation_id, new)


def _settle(store: Store, space: Space, memory_ids: Sequence[str]) -> int:
    """Delete the points of erased memories under their locks, settle their rows, and return how many points there were.

    The count is taken under the same locks, so that a relay cannot add a point between the two.
    """
    removed = 0

    def delete(locked: Locked) -> Sequence[str]:
        nonlocal removed
        removed = len(space.index.retrieve(locked.gone))
        space.index.delete(locked.gone)
        return locked.gone

    store.outbox.apply(space.generation.generation_id, memory_ids, delete)
    return removed


def _erase_cache(cache: Cache, owner: Owner) -> tuple[int, bool]:
    try:
        removed = cache.delete_owner(owner.key)
        return removed, cache.count_owner(owner.key) == 0
    except CacheError:
        _log.warning("erasure: the cache did not answer, its entries die by their time to live")
        return 0, False


def _report(rows: int, parts: Sequence[_IndexPart], cached: int, *, is_clean: bool) -> ErasureReport:
    return ErasureReport(
        sql=rows,
        index=sum(part.removed for part in parts),
        cache=cached,
        verified=is_clean and all(part.left == 0 and not part.is_queued for part in parts),
        queued=any(part.is_queued for part in parts),
    )
