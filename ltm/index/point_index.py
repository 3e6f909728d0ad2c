"""The vector index port over any Qdrant: what is decided once for both backends."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from operator import attrgetter
from struct import Struct
from typing import TypeVar

import numpy as np

from ltm.errors import FingerprintMismatchError, InvalidRequestError
from ltm.index.engine import Channel, Engine
from ltm.index.payload import find_point_id
from ltm.models.check import check_count
from ltm.ports import Hit, OwnerMean, Point, Pool, PoolQuery, SparseVector, StatusChange, StoredPoint, Vector

MAX_LIMIT = 1000
# Of one request. Qdrant Edge holds the GIL while it writes: 256 points are 10 ms in which no other thread recalls.
_WRITE_BATCH = 256
_READ_BATCH = 1000
# How deep equal scores are followed to cut them by id; far beyond any owner's number of memories with the same words.
_TIE_DEPTH = 20_000

_Item = TypeVar("_Item")


class PointIndex:
    """One generation of the index; see `ltm.ports.VectorIndex` for what its methods mean."""

    def __init__(self, engine: Engine, *, dim: int) -> None:
        self._engine = engine
        self._dim = dim

    @property
    def dim(self) -> int:
        """Return the length of the dense vectors."""
        return self._dim

    def search(self, query: PoolQuery) -> Pool:
        """Answer both channels in one batched request; another one only where equal scores straddle the limit."""
        check_count(query.limit, "limit", low=1, high=MAX_LIMIT)
        if query.dense is not None:
            self._check_vector(query.dense)
        dense, lexical = _dense_channels(query), _lexical_channels(query)
        if not dense and not lexical:
            return Pool()
        answers = self._engine.query([*dense, *lexical])
        best = [self._best(*answer, query.limit) for answer in zip((*dense, *lexical), answers, strict=True)]
        return Pool(dense=_united(best[: len(dense)]), lexical=_united(best[len(dense) :]))

    def owner_mean(self, owner_key: str, *, cap: int = 512) -> OwnerMean | None:
        """Return the mean of the owner's first `cap` active points by memory id; None for an owner without points."""
        rows = self._engine.active_vectors(owner_key, limit=cap)
        if not rows:
            return None
        # Packed by hand: numpy takes four times as long to make an array of a list.
        pack = Struct(f"{self._dim}d").pack
        vectors = np.frombuffer(b"".join(pack(*row) for row in rows)).reshape(-1, self._dim)
        count = len(rows) if len(rows) < cap else self._engine.count(owner_key, only_active=True)
        return OwnerMean(vector=vectors.mean(axis=0).astype(np.float32), count=count)

    def upsert(self, points: Sequence[Point]) -> None:
        """Write points; a stored point whose version is greater stays as it is. Equal versions overwrite."""
        self._check_points(points)
        newest: dict[str, Point] = {}
        for point in points:
            seen = newest.get(point.memory_id)
            if seen is None or seen.version <= point.version:
                newest[point.memory_id] = point
        # A request has one condition, and the condition holds the version: one version at a time.
        for version, same in groupby(sorted(newest.values(), key=_VERSION), key=_VERSION):
            for batch in _batches(list(same), _WRITE_BATCH):
                self._engine.write(batch, newest=version)

    def set_status(self, changes: Sequence[StatusChange]) -> None:
        """Change the payload of stored points whose version is not greater; absent points stay absent."""
        known = [change for change in changes if isinstance(find_point_id(change.memory_id), str)]
        for batch in _batches(known, _WRITE_BATCH):
            self._engine.mark(batch)

    def replace(self, points: Sequence[Point]) -> None:
        """Write points whatever is stored; of two with one id the last."""
        self._check_points(points)
        for batch in _batches(list({point.memory_id: point for point in points}.values()), _WRITE_BATCH):
            self._engine.write(batch, newest=None)

    def delete(self, memory_ids: Sequence[str]) -> None:
        """Remove points; unknown ids are no error."""
        for batch in _batches(_known_ids(memory_ids), _READ_BATCH):
            self._engine.delete(batch)

    def delete_owner(self, owner_key: str) -> int:
        """Remove every point of exactly this owner and return how many there were."""
        count = self._engine.count(owner_key)
        self._engine.delete_owner(owner_key)
        return count

    def count(self, owner_key: str | None = None) -> int:
        """Count points of every status, of one owner or of all."""
        return self._engine.count(owner_key)

    def retrieve(self, memory_ids: Sequence[str], *, with_vectors: bool = False) -> list[StoredPoint]:
        """Return the stored points among these ids, by memory id."""
        found: list[StoredPoint] = []
        for batch in _batches(_known_ids(memory_ids), _READ_BATCH):
            found += self._engine.retrieve(batch, with_vectors=with_vectors)
        return sorted(found, key=attrgetter("memory_id"))

    def scroll(self, *, batch: int = 1000, with_vectors: bool = False) -> Iterator[StoredPoint]:
        """Yield every stored point by id, in bounded memory."""
        page = self._engine.page(start=None, limit=batch, with_vectors=with_vectors)
        yield from page.points
        while page.next_id is not None:
            page = self._engine.page(start=page.next_id, limit=batch, with_vectors=with_vectors)
            yield from page.points

    def flush(self) -> None:
        """Make what was acknowledged survive a crash of the machine, where the backend can promise it."""
        self._engine.flush()

    def close(self) -> None:
        """Release it; calling it again does nothing."""
        self._engine.close()

    def _best(self, channel: Channel, hits: list[Hit], limit: int) -> tuple[Hit, ...]:
        # The channel asks for one hit more than the limit. Where that one scores like the last one within, the engine
        # has cut equal scores in an order of its own: ask deeper until the tie ends, then cut by id.
        if channel.among is not None:
            return tuple(hits)  # where scores are equal in the other channel, it may be about other points
        asked = channel.limit
        while len(hits) == asked < _TIE_DEPTH and hits[-1].score == hits[limit - 1].score:
            asked = min(asked * 4, _TIE_DEPTH)
            hits = self._engine.query([replace(channel, limit=asked)])[0]
        if len({hit.score for hit in hits}) < len(hits):
            hits = sorted(hits, key=_best_first)
        return tuple(hits[:limit])

    def _check_points(self, points: Sequence[Point]) -> None:
        for index, point in enumerate(points):
            if not isinstance(find_point_id(point.memory_id), str):
                raise InvalidRequestError(f"a memory id is a UUID; got {point.memory_id!r}", index=index)
            self._check_vector(point.dense)

    def _check_vector(self, vector: Vector) -> None:
        if vector.shape != (self._dim,):
            raise FingerprintMismatchError(
                f"the vector has shape {vector.shape}, the index holds {self._dim} dimensions: "
                "use the embedder it was built with, or build a new generation with `ltm index reindex`"
            )
        if not np.isfinite(np.dot(vector, vector)):
            raise InvalidRequestError("the vector has members that are not finite")


_VERSION = attrgetter("version")


def _best_first(hit: Hit) -> tuple[float, str]:
    return -hit.score, hit.memory_id


def _dense_channels(query: PoolQuery) -> list[Channel]:
    if query.dense is None:
        return []
    channels = [_channel(query, query.dense)]
    if query.is_joint and query.sparse is not None and query.sparse.indices:
        channels.append(replace(channels[0], among=query.sparse))
    return channels + [replace(channels[0], spans=query.spans) for _ in query.spans[:1]]


def _lexical_channels(query: PoolQuery) -> list[Channel]:
    if query.sparse is None or not query.sparse.indices:
        return []
    channel = _channel(query, query.sparse)
    return [channel] + [replace(channel, spans=query.spans) for _ in query.spans[:1]]


def _channel(query: PoolQuery, vector: Vector | SparseVector) -> Channel:
    return Channel(owner_key=query.owner_key, kinds=query.kinds, vector=vector, limit=query.limit + 1)


def _united(answers: list[tuple[Hit, ...]]) -> tuple[Hit, ...]:
    """Return all hits of one channel's answers, best first, each once."""
    if len(answers) < 2:
        return answers[0] if answers else ()
    hits = {hit.memory_id: hit for answer in answers[::-1] for hit in answer}
    return tuple(sorted(hits.values(), key=_best_first))


def _known_ids(memory_ids: Sequence[str]) -> list[str | int]:
    return list(dict.fromkeys(found for each in memory_ids if (found := find_point_id(each)) is not None))


def _batches(items: list[_Item], size: int) -> Iterator[list[_Item]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]
