"""Gather the pool of a recall from cache, embedder, index and SQL."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from ltm.errors import VectorIndexError
from ltm.models import Owner
from ltm.ports import Cache, Reader, Spaces, SparseVector
from ltm.recall.columns import CheckedPool, PooledHits, check_heads, united
from ltm.recall.hot_cache import HotCache
from ltm.recall.lexical_pool import lexical_pool
from ltm.recall.long_intent import encode_intent
from ltm.recall.parts import parts
from ltm.recall.profile import Profile
from ltm.recall.request import RecallRequest
from ltm.recall.search import Search


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Gathered:
    """A pool whose heads were checked.

    Attributes:
        pool: None where the owner has nothing.
        stale: Hits that the heads check dropped.
        degraded: Parts that did not answer, of `index`, `embedder`, `cache`, in that order.
    """

    pool: CheckedPool | None
    stale: int = 0
    degraded: tuple[str, ...] = ()


Settle: TypeAlias = Callable[[Owner], bool]


def leave_it(owner: Owner) -> bool:
    """Leave what waits to a relay."""
    return False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Retriever:
    """Reads what a recall needs and writes nothing but the cache.

    Attributes:
        settle: Brings an owner's memories to the index that wait for it, and tells whether there were any.
    """

    reader: Reader
    spaces: Spaces
    cache: Cache
    profile: Profile
    cache_ttl_s: float
    settle: Settle = leave_it

    def gather(self, request: RecallRequest) -> Gathered:
        """Return the pool of an intent.

        Raises:
            StoreUnavailableError: The SQL store did not answer.
            FingerprintMismatchError: The index was built with another embedder than its generation says.
        """
        if request.as_of is not None:
            return self._as_of(request)
        snapshot = self.reader.snapshot(request.owner)
        if snapshot.revision == 0:
            return Gathered(pool=None)
        if not snapshot.is_settled and self.settle(request.owner):
            snapshot = self.reader.snapshot(request.owner)
        hot = HotCache(self.cache, ttl_s=self.cache_ttl_s)
        searches = [
            Search(request=asked, profile=self.profile, snapshot=snapshot, spaces=self.spaces, hot=hot)
            for asked in (request, *self._parts(request))
        ]
        try:
            whole, *others = [search.pool() for search in searches]
        except VectorIndexError:
            pool = self._over_heads(request)
            return Gathered(pool=pool, degraded=_degraded(searches, has_index=False))
        pool, stale = self._checked(request.owner, united(whole, others))
        return Gathered(pool=pool, stale=stale, degraded=_degraded(searches, has_index=True))

    def _parts(self, request: RecallRequest) -> list[RecallRequest]:
        """Return a request for each part of the intent; the dialogue before it stays with the whole."""
        found = parts(request.intent) if self.profile.has_parts else ()
        return [replace(request, intent=part, history=()) for part in found]

    def _checked(self, owner: Owner, found: list[PooledHits]) -> tuple[CheckedPool, int]:
        """Check the heads of all hits in one read; returns the pool, its parts in it, and how many were stale."""
        ids = found[0].ids
        heads = self.reader.heads(owner, ids) if ids else {}
        whole, *others = [check_heads(hits, heads) for hits in found]
        pool = replace(whole, parts=tuple(others)) if others else whole
        return pool, len(ids) - len(whole.memories)

    def _over_heads(self, request: RecallRequest) -> CheckedPool:
        """Search the active heads in SQL; slower with every memory, and as right as the index's lexical channel."""
        heads = self.reader.list_heads(request.owner, kinds=request.kinds)
        return lexical_pool(heads, self._query(request))

    def _as_of(self, request: RecallRequest) -> Gathered:
        """Search what was true then. A context helps as it does in the index."""
        versions = self.reader.as_of(request.owner, request.as_of) if request.as_of is not None else []
        wanted = [version for version in versions if not request.kinds or version.kind in request.kinds]
        return Gathered(pool=lexical_pool(wanted, self._query(request)) if wanted else None)

    def _query(self, request: RecallRequest) -> SparseVector:
        return encode_intent(request.intent, request.history, last_turn_weight=self.profile.last_turn_weight)


def _degraded(searches: Sequence[Search], *, has_index: bool) -> tuple[str, ...]:
    has_embedder = all(search.has_embedder for search in searches)
    works = {"index": has_index, "embedder": has_embedder, "cache": not searches[0].hot.has_failed}
    return tuple(part for part, is_up in works.items() if not is_up)
