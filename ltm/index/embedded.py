"""A generation in a folder: Qdrant Edge, the engine of Qdrant in this process."""

from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from uuid import UUID

import qdrant_edge as qe

from ltm.errors import VectorIndexError
from ltm.index.disk import RESERVE_BYTES, require_room
from ltm.index.edge import active_of, edge_errors, is_complete, not_above, owned_by, request_of
from ltm.index.engine import Channel, Page
from ltm.index.folder_lock import FolderLock
from ltm.index.identity import damaged
from ltm.index.payload import (
    BM25,
    DENSE,
    PointId,
    floats_of,
    hits_of,
    payload_of,
    payload_of_change,
    point_id,
    stored_point,
)
from ltm.index.process import BirthProcess
from ltm.ports import Hit, Point, StatusChange, StoredPoint

# Unflushed writes are replayed at the next opening, 60 microseconds a point; a flush takes 50 to 150 ms.
_FLUSH_EVERY = 10_000


class EdgeEngine:
    """Opened at its first use, by one process at a time, and never by a child of the process that made it.

    In a forked child every call raises, and closing does nothing: the shard is the parent's.
    """

    def __init__(self, folder: Path, lock: FolderLock, *, reserve_bytes: int = RESERVE_BYTES) -> None:
        """Touch nothing.

        Args:
            folder: The shard's own.
            lock: Of the whole index.
            reserve_bytes: With less of them free on the disk, the shard is neither opened nor written.
        """
        self._folder = folder
        self._reserve_bytes = reserve_bytes
        self._lock = lock
        self._guard = Lock()
        self._process = BirthProcess()
        self._opened: qe.EdgeShard | None = None
        self._closed = False
        self._unflushed = 0

    @property
    def closed(self) -> bool:
        """Tell whether `close` was called."""
        return self._closed

    def query(self, channels: Sequence[Channel]) -> list[list[Hit]]:
        """Answer all channels in one planned batch."""
        shard = self._shard()
        with edge_errors(self._folder):
            answers = shard.query_batch(qe.QueryBatchRequest([request_of(channel) for channel in channels]))
            return [hits_of(answer) for answer in answers]

    def write(self, points: Sequence[Point], *, newest: int | None) -> None:
        """Write distinct points in one operation."""
        shard = self._writable()
        with edge_errors(self._folder):
            condition = None if newest is None else not_above(newest)
            shard.update(qe.UpdateOperation.upsert_points([_edge_point(point) for point in points], condition))
        self._wrote(shard, len(points))

    def mark(self, changes: Sequence[StatusChange]) -> None:
        """Write the payload of stored points, each in its own operation."""
        shard = self._writable()
        with edge_errors(self._folder):
            for change in changes:
                guard = not_above(change.version, point_id(change.memory_id))
                shard.update(qe.UpdateOperation.set_payload_by_filter(guard, payload_of_change(change)))
        self._wrote(shard, len(changes))

    def delete(self, ids: Sequence[PointId]) -> None:
        """Remove points."""
        shard = self._writable()
        with edge_errors(self._folder):
            shard.update(qe.UpdateOperation.delete_points(list(ids)))
        self._wrote(shard, len(ids))

    def delete_owner(self, owner_key: str) -> None:
        """Remove the points of exactly this owner."""
        shard = self._writable()
        with edge_errors(self._folder):
            shard.update(qe.UpdateOperation.delete_points_by_filter(owned_by(owner_key)))
        self._wrote(shard, 1)

    def count(self, owner_key: str | None, *, only_active: bool = False) -> int:
        """Count points exactly."""
        shard = self._shard()
        select = active_of if only_active else owned_by
        with edge_errors(self._folder):
            return shard.count(qe.CountRequest(filter=None if owner_key is None else select(owner_key)))

    def retrieve(self, ids: Sequence[PointId], *, with_vectors: bool) -> list[StoredPoint]:
        """Return the stored points among these ids."""
        shard = self._shard()
        with edge_errors(self._folder):
            return [stored_point(record) for record in shard.retrieve(list(ids), True, with_vectors)]

    def page(self, *, start: PointId | None, limit: int, with_vectors: bool) -> Page:
        """Return points by id, from `start` on."""
        shard = self._shard()
        with edge_errors(self._folder):
            request = qe.ScrollRequest(offset=start, limit=limit, with_payload=True, with_vector=with_vectors)
            records, next_id = shard.scroll(request)
            points = [stored_point(record) for record in records]
        return Page(points=points, next_id=next_id if next_id is None or isinstance(next_id, int) else str(next_id))

    def active_vectors(self, owner_key: str, *, limit: int) -> list[list[float]]:
        """Return the dense vectors of the owner's first active points by id."""
        shard = self._shard()
        with edge_errors(self._folder):
            request = qe.ScrollRequest(
                limit=limit, filter=active_of(owner_key), with_payload=False, with_vector=[DENSE]
            )
            records, _ = shard.scroll(request)
            return [vector for record in records if (vector := floats_of(record)) is not None]

    def flush(self) -> None:
        """Write everything to the disk; what was never opened has nothing to write."""
        if self._opened is not None:
            shard = self._shard()
            with edge_errors(self._folder):
                shard.flush()

    def close(self) -> None:
        """Write everything to the disk and let other processes in; in a forked child only forget it."""
        if not self._process.is_here():
            return
        with self._guard:
            self._closed = True
            shard, self._opened = self._opened, None
            if shard is None:
                return
            try:
                with edge_errors(self._folder):
                    shard.close()
            finally:
                self._lock.release()

    def _shard(self) -> qe.EdgeShard:
        self._process.require()
        return self._opened or self._open()

    def _writable(self) -> qe.EdgeShard:
        shard = self._shard()
        require_room(self._folder, self._reserve_bytes)
        return shard

    def _open(self) -> qe.EdgeShard:
        with self._guard:
            if self._closed:
                error = VectorIndexError(f"the embedded index in {self._folder} is closed")
                error.retryable = False
                raise error
            if self._opened is None:
                self._lock.acquire()
                try:
                    self._opened = _load(self._folder, self._reserve_bytes)
                except BaseException:
                    self._lock.release()
                    raise
            return self._opened

    def _wrote(self, shard: qe.EdgeShard, count: int) -> None:
        self._unflushed += count
        if self._unflushed >= _FLUSH_EVERY:
            self._unflushed = 0
            with edge_errors(self._folder):
                shard.flush()


def _load(folder: Path, reserve_bytes: int) -> qe.EdgeShard:
    if not folder.is_dir():
        raise damaged(f"the embedded index in {folder} has lost its points")
    require_room(folder, reserve_bytes)
    try:
        with edge_errors(folder):
            shard = qe.EdgeShard.load(str(folder))
            if is_complete(shard):
                return shard
            shard.close()
    except VectorIndexError as error:
        if type(error) is VectorIndexError:
            raise damaged(str(error)) from error
        raise
    raise damaged(f"the embedded index in {folder} has lost its points")


def _edge_point(point: Point) -> qe.Point:
    sparse = qe.SparseVector(list(point.sparse.indices), list(point.sparse.values))
    # Edge tries a string as every other type first: a UUID is read in half the time.
    return qe.Point(UUID(point.memory_id), {DENSE: point.dense.tolist(), BM25: sparse}, payload_of(point))
