"""One search of the index: what is asked, what the answer means, and what of it may be cached.

Keys hold whatever their value depends on: owner, life, revision, generation, weights, the words of the intent (hashed).
A pool and a mean are cached only where the snapshot is settled: between a commit and its `apply` the index is behind.
"""

import math
from dataclasses import dataclass, field

import numpy as np

from ltm.errors import FingerprintMismatchError, ModelError, VectorIndexError
from ltm.ports import (
    OwnerMean,
    PoolQuery,
    Snapshot,
    Space,
    Spaces,
    SparseVector,
    TimeSpan,
    Vector,
    embedder_fingerprint,
    owner_cache_key,
)
from ltm.recall.columns import PooledHits, pooled
from ltm.recall.hot_cache import HotCache
from ltm.recall.long_intent import embed_intent, encode_intent
from ltm.recall.pool_bytes import from_bytes, to_bytes
from ltm.recall.profile import Fusion, Profile
from ltm.recall.request import RecallRequest
from ltm.recall.shift import Geometry, centre, shift


@dataclass(slots=True, kw_only=True, eq=False)
class Search:
    """The search of one recall.

    Attributes:
        spans: What the intent names, so that the pool has what was said then.
        has_embedder: False once the dense channel was wanted and could not be had.
    """

    request: RecallRequest
    profile: Profile
    snapshot: Snapshot
    spaces: Spaces
    hot: HotCache
    spans: tuple[TimeSpan, ...] = ()
    has_embedder: bool = field(default=True, init=False)

    def pool(self) -> PooledHits:
        """Return both channels' hits.

        Raises:
            VectorIndexError: The index did not answer, is locked, or there is none yet.
            FingerprintMismatchError: The embedder answers in another dimension than the index has.
        """
        key = self._pool_key()
        cached = None if key is None else self.hot.get(key, from_bytes)
        if cached is not None:
            return cached
        hits = self._search()
        if key is not None and self.has_embedder:
            self.hot.set(key, to_bytes(hits))
        return hits

    def _search(self) -> PooledHits:
        if self.snapshot.live is None:
            raise VectorIndexError("no generation of the index is live yet")
        space = self.spaces.get(self.snapshot.live)
        query = self._dense(space) if self._wants_dense() else None
        mean = self._owner_mean(space)
        vector, geometry = query, Geometry(offset=0.0, scale=1.0)
        if query is not None and space.embedder is not None:
            around = centre(mean, space.embedder.mean, shift_n=self.profile.shift_n)
            forms = None if space.embedder.forms is None else space.embedder.forms[: self.profile.form_directions]
            shifted = shift(query, around, mean, strength=self.profile.shift_strength, forms=forms)
            vector, geometry = shifted.vector, shifted.geometry
        found = space.index.search(
            PoolQuery(
                owner_key=self.request.owner.key,
                dense=vector,
                sparse=self._sparse() if self._wants_lexical(query) else None,
                limit=self.profile.pool_size,
                kinds=self.request.kinds,
                spans=self.spans,
                is_joint=self._is_mixed() and mean is not None and mean.count > self.profile.pool_size,
            )
        )
        dense_mean = math.nan if vector is None or mean is None else float(vector @ mean.vector)
        return pooled(found, geometry, 1 if mean is None else mean.count, dense_mean)

    def _is_mixed(self) -> bool:
        return self.profile.fusion is Fusion.MIX and 0.0 < self.profile.dense_weight < 1.0

    def _wants_dense(self) -> bool:
        return self.profile.fusion is Fusion.RRF or self.profile.dense_weight > 0.0

    def _wants_lexical(self, query: Vector | None) -> bool:
        return query is None or self.profile.fusion is Fusion.RRF or self.profile.dense_weight < 1.0

    def _sparse(self) -> SparseVector | None:
        request = self.request
        sparse = encode_intent(request.intent, request.history, last_turn_weight=self.profile.last_turn_weight)
        return sparse if sparse.indices else None

    def _dense(self, space: Space) -> Vector | None:
        """Return the query vector; None, noted, where there is no embedder or it does not answer."""
        embedder = space.embedder
        if embedder is None:
            self.has_embedder = False
            return None
        try:
            key = owner_cache_key(self.request.owner.key, "query", embedder_fingerprint(embedder.spec), *self._words())
            cached = self.hot.get(key, _read_vector)
            if cached is not None:
                return cached
            vector = embed_intent(
                embedder,
                self.request.intent,
                self.request.history,
                last_turn_weight=self.profile.last_turn_weight,
            )
        except ModelError:
            self.has_embedder = False
            return None
        if vector.shape != (space.index.dim,):
            raise FingerprintMismatchError(
                f"the embedder answers with vectors of shape {vector.shape}, the index has {space.index.dim} dimensions"
            )
        self.hot.set(key, vector.astype(np.float32).tobytes())
        return vector

    def _owner_mean(self, space: Space) -> OwnerMean | None:
        owner_key = self.request.owner.key
        if not self.snapshot.is_settled:
            return space.index.owner_mean(owner_key)
        key = owner_cache_key(
            owner_key, "mean", self.snapshot.life, self.snapshot.revision, space.generation.generation_id
        )
        cached = self.hot.get(key, _read_mean)
        if cached is not None:
            return cached
        mean = space.index.owner_mean(owner_key)
        if mean is not None:
            self.hot.set(key, mean.count.to_bytes(8, "big") + mean.vector.astype(np.float32).tobytes())
        return mean

    def _pool_key(self) -> str | None:
        live = self.snapshot.live
        if live is None or not self.snapshot.is_settled:
            return None
        weights = self.profile
        return owner_cache_key(
            self.request.owner.key,
            "pool",
            self.snapshot.life,
            self.snapshot.revision,
            live.generation_id,
            live.fingerprint,
            weights.pool_size,
            repr(
                (
                    weights.shift_strength,
                    weights.shift_n,
                    weights.form_directions,
                    self._is_mixed(),
                    self._wants_dense(),
                    weights.dense_weight < 1.0,
                )
            ),
            ",".join(self.request.kinds),
            repr([(span.start.isoformat(), span.end.isoformat()) for span in self.spans]),
            *self._words(),
        )

    def _words(self) -> tuple[str, ...]:
        """Return what the query is made of."""
        turns = tuple(f"{turn.role}:{turn.text}" for turn in self.request.history)
        return (self.request.intent, repr(self.profile.last_turn_weight), *turns) if turns else (self.request.intent,)


def _read_mean(data: bytes) -> OwnerMean | None:
    if len(data) <= 8 or len(data) % 4:
        return None
    return OwnerMean(vector=np.frombuffer(data, dtype=np.float32, offset=8), count=int.from_bytes(data[:8], "big"))


def _read_vector(data: bytes) -> Vector | None:
    return np.frombuffer(data, dtype=np.float32) if data and len(data) % 4 == 0 else None
