"""Gather the pool of a recall from cache, embedder, index and SQL."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain
from typing import TypeAlias

from ltm.errors import VectorIndexError
from ltm.models import Owner
from ltm.ports import Cache, Reader, Snapshot, Spaces, SparseVector
from ltm.recall.columns import CheckedPool, PooledHits, check_heads, united
from ltm.recall.dates import NamedSpan, named_times, to_spans
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
        named: The spans of time that the intent names.
        stale: Hits that the heads check dropped.
        degraded: Parts that did not answer, of `index`, `embedder`, `cache`, in that order.
    """

    pool: CheckedPool | None
    named: tuple[NamedSpan, ...] = ()
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
        requests = [request, *self._parts(request)]
        named = self._named(requests)
        searches = self._searches(requests, named, snapshot)
        try:
            whole, *others = [search.pool() for search in searches]
        except VectorIndexError:
            pool = self._over_heads(request)
            return Gathered(pool=pool, named=named[0], degraded=_degraded(searches, has_index=False))
        pool, stale = self._checked(request.owner, united(whole, others))
        return Gathered(pool=pool, named=named[0], stale=stale, degraded=_degraded(searches, has_index=True))

    def _searches(
        self, requests: Sequence[RecallRequest], named: Sequence[tuple[NamedSpan, ...]], snapshot: Snapshot
    ) -> list[Search]:
        hot = HotCache(self.cache, ttl_s=self.cache_ttl_s)
        return [
            Search(
                request=request,
                profile=self.profile,
                snapshot=snapshot,
                spaces=self.spaces,
                hot=hot,
                spans=tuple(one.span for one in spans),
            )
            for request, spans in zip(requests, named, strict=True)
        ]

    def _named(self, requests: Sequence[RecallRequest]) -> list[tuple[NamedSpan, ...]]:
        """Return the spans of time that an intent and each of its parts name; the first has those of all.

        The user's statements are read only where a conversation is named; as of a time, those until then.
        """
        whole = requests[0]
        if self.profile.day_boost == 0.0:
            return [() for _ in requests]
        now = whole.now if whole.as_of is None else min(whole.now, whole.as_of)
        today = whole.now.astimezone(whole.zone).date()
        read = [named_times(request.intent, today) for request in requests]
        said_at: Sequence[datetime] = ()
        if any(named.conversations for named in read):
            said_at = self.reader.list_said_at(whole.owner, until=whole.as_of)
        spans = [to_spans(named, zone=whole.zone, said_at=said_at, now=now) for named in read]
        return [tuple(dict.fromkeys(chain(*spans))), *spans[1:]]

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
        if not wanted:
            return Gathered(pool=None)
        named = self._named([request, *self._parts(request)])
        return Gathered(pool=lexical_pool(wanted, self._query(request)), named=named[0])

    def _query(self, request: RecallRequest) -> SparseVector:
        return encode_intent(request.intent, request.history, last_turn_weight=self.profile.last_turn_weight)


def _degraded(searches: Sequence[Search], *, has_index: bool) -> tuple[str, ...]:
    has_embedder = all(search.has_embedder for search in searches)
    works = {"index": has_index, "embedder": has_embedder, "cache": not searches[0].hot.has_failed}
    return tuple(part for part, is_up in works.items() if not is_up)
