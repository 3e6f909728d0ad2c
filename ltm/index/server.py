"""A generation in a collection of a Qdrant server, or of the client's local mode."""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext

from qdrant_client import QdrantClient
from qdrant_client import models as qm

from ltm.index.engine import Channel, Page
from ltm.index.payload import DENSE, PointId, floats_of, hits_of, payload_of_change, point_id, stored_point
from ltm.index.server_words import active_of, not_above, owned_by, request_of, server_errors, struct_of
from ltm.ports import Hit, Point, StatusChange, StoredPoint


class ServerEngine:
    """Every write waits until it can be read. The client, and so the timeout, belongs to whoever made it."""

    def __init__(
        self, client: QdrantClient, collection: str, *, turn: AbstractContextManager[object] | None = None
    ) -> None:
        """Take a client that answers.

        Args:
            client: Not closed here.
            collection: It exists.
            turn: Entered around every call; a lock where the client is for one thread at a time (local mode).
        """
        self._client = client
        self._collection = collection
        self._turn = turn or nullcontext()

    def query(self, channels: Sequence[Channel]) -> list[list[Hit]]:
        """Answer all channels in one request."""
        with self._turn, server_errors(self._collection):
            requests = [request_of(channel) for channel in channels]
            answers = self._client.query_batch_points(self._collection, requests)
            return [hits_of(answer.points) for answer in answers]

    def write(self, points: Sequence[Point], *, newest: int | None) -> None:
        """Write distinct points in one request."""
        with self._turn, server_errors(self._collection):
            structs = [struct_of(point) for point in points]
            guard = None if newest is None else not_above(newest)
            self._client.upsert(self._collection, structs, wait=True, update_filter=guard)

    def mark(self, changes: Sequence[StatusChange]) -> None:
        """Write the payload of stored points: an operation each, in one request."""
        with self._turn, server_errors(self._collection):
            operations = [_mark_of(change) for change in changes]
            self._client.batch_update_points(self._collection, operations, wait=True)

    def delete(self, ids: Sequence[PointId]) -> None:
        """Remove points."""
        with self._turn, server_errors(self._collection):
            self._client.delete(self._collection, qm.PointIdsList(points=list(ids)), wait=True)

    def delete_owner(self, owner_key: str) -> None:
        """Remove the points of exactly this owner."""
        with self._turn, server_errors(self._collection):
            self._client.delete(self._collection, qm.FilterSelector(filter=owned_by(owner_key)), wait=True)

    def count(self, owner_key: str | None, *, only_active: bool = False) -> int:
        """Count points exactly."""
        select = active_of if only_active else owned_by
        with self._turn, server_errors(self._collection):
            selected = None if owner_key is None else select(owner_key)
            return int(self._client.count(self._collection, selected, exact=True).count)

    def retrieve(self, ids: Sequence[PointId], *, with_vectors: bool) -> list[StoredPoint]:
        """Return the stored points among these ids."""
        with self._turn, server_errors(self._collection):
            records = self._client.retrieve(self._collection, list(ids), with_vectors=with_vectors)
            return [stored_point(record) for record in records]

    def page(self, *, start: PointId | None, limit: int, with_vectors: bool) -> Page:
        """Return points by id, from `start` on."""
        with self._turn, server_errors(self._collection):
            records, next_id = self._client.scroll(
                self._collection, limit=limit, offset=start, with_payload=True, with_vectors=with_vectors
            )
            points = [stored_point(record) for record in records]
        return Page(points=points, next_id=next_id if next_id is None or isinstance(next_id, int) else str(next_id))

    def active_vectors(self, owner_key: str, *, limit: int) -> list[list[float]]:
        """Return the dense vectors of the owner's first active points by id."""
        with self._turn, server_errors(self._collection):
            records, _ = self._client.scroll(
                self._collection, active_of(owner_key), limit=limit, with_payload=False, with_vectors=[DENSE]
            )
            return [vector for record in records if (vector := floats_of(record)) is not None]

    def flush(self) -> None:
        """Do nothing: a server keeps what it has acknowledged, as its own settings say."""

    def close(self) -> None:
        """Do nothing: the client is not ours."""


def _mark_of(change: StatusChange) -> qm.SetPayloadOperation:
    guard = not_above(change.version, point_id(change.memory_id))
    return qm.SetPayloadOperation(set_payload=qm.SetPayload(payload=payload_of_change(change), filter=guard))
