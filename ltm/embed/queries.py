"""Query vectors, remembered in the hot cache."""

from dataclasses import dataclass

import numpy as np

from ltm.errors import CacheError
from ltm.ports import Cache, Embedder, Vector, embedder_fingerprint, owner_cache_key

_ITEM = np.dtype("<f4")


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryVector:
    """An intent's vector, and whether the cache failed on the way."""

    vector: Vector
    is_cache_down: bool = False


class CachedQueries:
    """Embeds intents, asking the cache first.

    A key holds the owner, the embedder's fingerprint and the hash of the text: another model is never answered with
    this one's vectors, and what a user asked is erased with the user.
    """

    def __init__(self, embedder: Embedder, cache: Cache, *, ttl_s: float) -> None:
        self._embedder = embedder
        self._cache = cache
        self._ttl_s = ttl_s

    def embed(self, owner_key: str, text: str) -> QueryVector:
        """Return the intent's vector; a cache that does not answer counts as a miss and is not asked again.

        Raises:
            ModelError: It was not in the cache, and the embedder failed.
        """
        spec = self._embedder.spec
        key = owner_cache_key(owner_key, "query", embedder_fingerprint(spec), text)
        try:
            cached = self._cache.get(key)
        except CacheError:
            return QueryVector(vector=self._embedder.embed_query(text), is_cache_down=True)
        if cached is not None and len(cached) == spec.dim * _ITEM.itemsize:
            return QueryVector(vector=np.frombuffer(cached, dtype=_ITEM).astype(np.float32, copy=False))
        vector = self._embedder.embed_query(text)
        try:
            self._cache.set(key, vector.astype(_ITEM).tobytes(), ttl_s=self._ttl_s)
        except CacheError:
            return QueryVector(vector=vector, is_cache_down=True)
        return QueryVector(vector=vector)
