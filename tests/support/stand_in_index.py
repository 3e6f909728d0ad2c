"""A vector index in memory: what a server is to jobs that share it, with ways to make it fail."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from threading import RLock

import numpy as np

from ltm.errors import FingerprintMismatchError, VectorIndexError
from ltm.lexical import bm25_scores
from ltm.models import Status
from ltm.ports import Hit, OwnerMean, Point, Pool, PoolQuery, StatusChange, StoredPoint, Vector


class StandInIndex:
    """One generation. Thread-safe.

    Attributes:
        points: By memory id.
        refused: Memory ids whose points cannot be written.
        is_down: Every call raises.
        before_write: Called with the memory ids before points are written.
    """

    def __init__(self, dim: int) -> None:
        self.dim = dim
        self.points: dict[str, Point] = {}
        self.refused: set[str] = set()
        self.is_down = False
        self.before_write: Callable[[list[str]], None] = lambda memory_ids: None
        self._lock = RLock()

    def search(self, query: PoolQuery) -> Pool:
        """Score every active point of the owner."""
        with self._lock:
            self._answer()
            mine = self._active(query.owner_key)
            asked = [point for point in mine if not query.kinds or point.kind in query.kinds]
            dense = [] if query.dense is None else [(point, float(point.dense @ query.dense)) for point in asked]
            words: list[tuple[Point, float]] = []
            if query.sparse is not None:
                scores = bm25_scores(query.sparse, [point.sparse for point in mine])
                words = [(point, score) for point, score in zip(mine, scores, strict=True) if score and point in asked]
        return Pool(dense=_best(dense, query.limit), lexical=_best(words, query.limit))

    def owner_mean(self, owner_key: str, *, cap: int = 512) -> OwnerMean | None:
        """Return the mean of the owner's first active points."""
        with self._lock:
            self._answer()
            rows = [point.dense for point in self._active(owner_key)[:cap]]
        return OwnerMean(vector=np.mean(rows, axis=0, dtype=np.float32), count=len(rows)) if rows else None

    def upsert(self, points: Sequence[Point]) -> None:
        """Write points, unless a later version is stored."""
        self._write(points, is_newer=lambda stored, point: stored.version > point.version)

    def replace(self, points: Sequence[Point]) -> None:
        """Write points whatever is stored."""
        self._write(points, is_newer=lambda stored, point: False)

    def set_status(self, changes: Sequence[StatusChange]) -> None:
        """Change the payload of stored points."""
        with self._lock:
            self._answer()
            for change in changes:
                stored = self.points.get(change.memory_id)
                if stored is not None and stored.version <= change.version:
                    self.points[change.memory_id] = replace(
                        stored, status=change.status, version=change.version, valid_from=change.valid_from
                    )

    def delete(self, memory_ids: Sequence[str]) -> None:
        """Remove points."""
        with self._lock:
            self._answer()
            for memory_id in memory_ids:
                self.points.pop(memory_id, None)

    def delete_owner(self, owner_key: str) -> int:
        """Remove an owner's points."""
        with self._lock:
            self._answer()
            mine = [point.memory_id for point in self.points.values() if point.owner_key == owner_key]
            self.delete(mine)
            return len(mine)

    def count(self, owner_key: str | None = None) -> int:
        """Count points."""
        with self._lock:
            self._answer()
            return sum(owner_key in (None, point.owner_key) for point in self.points.values())

    def retrieve(self, memory_ids: Sequence[str], *, with_vectors: bool = False) -> list[StoredPoint]:
        """Return stored points by id."""
        with self._lock:
            self._answer()
            return [_stored(self.points[one], with_vectors) for one in sorted({*memory_ids} & self.points.keys())]

    def scroll(self, *, batch: int = 1000, with_vectors: bool = False) -> Iterator[StoredPoint]:
        """Yield stored points by id, a page at a time."""
        last = ""
        while True:
            with self._lock:
                self._answer()
                page = [_stored(self.points[one], with_vectors) for one in sorted(self.points) if one > last][:batch]
            if not page:
                return
            yield from page
            last = page[-1].memory_id

    def flush(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""

    def _write(self, points: Sequence[Point], is_newer: Callable[[Point, Point], bool]) -> None:
        memory_ids = [point.memory_id for point in points]
        self.before_write(memory_ids)
        with self._lock:
            self._answer()
            if self.refused & {*memory_ids}:
                raise VectorIndexError("the index refused the request")
            for point in points:
                stored = self.points.get(point.memory_id)
                if stored is None or not is_newer(stored, point):
                    self.points[point.memory_id] = point

    def _active(self, owner_key: str) -> list[Point]:
        mine = [point for point in self.points.values() if point.owner_key == owner_key]
        return sorted((each for each in mine if each.status is Status.ACTIVE), key=lambda each: each.memory_id)

    def _answer(self) -> None:
        if self.is_down:
            raise VectorIndexError("the index does not answer")


class StandInAdmin:
    """The generations of a stand-in server; several stores may share it."""

    def __init__(self) -> None:
        self.generations: dict[str, tuple[str, StandInIndex]] = {}

    def check(self) -> None:
        """Do nothing."""

    def create(self, name: str, *, dim: int, fingerprint: str) -> StandInIndex:
        """Make a generation, or open it."""
        self.generations.setdefault(name, (fingerprint, StandInIndex(dim)))
        return self.open(name, dim=dim, fingerprint=fingerprint)

    def open(self, name: str, *, dim: int, fingerprint: str) -> StandInIndex:
        """Open a generation."""
        if name not in self.generations:
            raise VectorIndexError(f"there is no generation {name}")
        built, index = self.generations[name]
        if (built, index.dim) != (fingerprint, dim):
            raise FingerprintMismatchError(f"{name} was built with another embedder")
        return index

    def names(self) -> list[str]:
        """List the generations."""
        return sorted(self.generations)

    def drop(self, name: str) -> None:
        """Remove a generation."""
        self.generations.pop(name, None)

    def close(self) -> None:
        """Do nothing."""


def _best(scored: list[tuple[Point, float]], limit: int) -> tuple[Hit, ...]:
    hits = [
        Hit(memory_id=point.memory_id, version=point.version, status=point.status, score=score)
        for point, score in scored
    ]
    return tuple(sorted(hits, key=lambda hit: (-hit.score, hit.memory_id))[:limit])


def _stored(point: Point, with_vectors: bool) -> StoredPoint:
    dense: Vector | None = point.dense if with_vectors else None
    return StoredPoint(
        memory_id=point.memory_id,
        owner_key=point.owner_key,
        status=point.status,
        kind=point.kind,
        version=point.version,
        valid_from=point.valid_from,
        dense=dense,
        sparse=point.sparse if with_vectors else None,
    )
