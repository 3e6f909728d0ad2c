"""The Qdrant client's words: schema, filters, requests, and its errors turned into ours."""

from collections.abc import Iterator
from contextlib import contextmanager

from grpc import RpcError  # type: ignore[import-untyped]
from qdrant_client import models as qm
from qdrant_client.common.client_exceptions import QdrantException
from qdrant_client.http.exceptions import ApiException, ResponseHandlingException, UnexpectedResponse

from ltm.errors import LtmError, VectorIndexError
from ltm.index.engine import Channel
from ltm.index.payload import (
    BM25,
    DENSE,
    HIT_FIELDS,
    KIND,
    OWNER,
    STATUS,
    VALID_FROM,
    VERSION,
    microseconds,
    payload_of,
    point_id,
)
from ltm.models import Status
from ltm.ports import Point, SparseVector, TimeSpan

_WORD = qm.KeywordIndexParams(type=qm.KeywordIndexType.KEYWORD, enable_hnsw=False)
_NUMBER = qm.IntegerIndexParams(type=qm.IntegerIndexType.INTEGER, lookup=False, range=True, enable_hnsw=False)
PAYLOAD_INDEXES: dict[str, qm.KeywordIndexParams | qm.IntegerIndexParams] = {
    OWNER: qm.KeywordIndexParams(type=qm.KeywordIndexType.KEYWORD, is_tenant=True),
    STATUS: _WORD,
    KIND: _WORD,
    VERSION: _NUMBER,
    VALID_FROM: _NUMBER,
}
SPARSE = {BM25: qm.SparseVectorParams(modifier=qm.Modifier.IDF)}
# No graph over everybody's memories: a search never leaves one owner.
GRAPH = qm.HnswConfigDiff(m=0, payload_m=16)


def dense_params(dim: int) -> dict[str, qm.VectorParams]:
    """Return the dense half of the schema."""
    return {DENSE: qm.VectorParams(size=dim, distance=qm.Distance.DOT)}


def owned_by(owner_key: str) -> qm.Filter:
    """Select the points of exactly this owner."""
    return qm.Filter(must=[_is(OWNER, owner_key)])


def active_of(owner_key: str, *more: qm.FieldCondition | qm.Filter) -> qm.Filter:
    """Select the owner's active points that also meet `more`."""
    return qm.Filter(must=[_is(OWNER, owner_key), _is(STATUS, Status.ACTIVE.value), *more])


def not_above(version: int, *memory_ids: str) -> qm.Filter:
    """Select points (of these ids) whose version is not greater; also those whose version is missing or garbled."""
    greater = qm.FieldCondition(key=VERSION, range=qm.Range(gt=version))
    return qm.Filter(must=[qm.HasIdCondition(has_id=list(memory_ids))] if memory_ids else None, must_not=[greater])


def request_of(channel: Channel) -> qm.QueryRequest:
    """Return the request of one channel."""
    selected = _selection(channel)
    params = qm.SearchParams(idf=qm.IdfCorpusParams(corpus=active_of(channel.owner_key)))
    is_sparse = isinstance(channel.vector, SparseVector)
    among = None
    if channel.among is not None:
        among = qm.Prefetch(
            query=sparse_of(channel.among), using=BM25, filter=selected, params=params, limit=channel.limit
        )
    return qm.QueryRequest(
        query=sparse_of(channel.vector) if isinstance(channel.vector, SparseVector) else channel.vector.tolist(),
        using=BM25 if is_sparse else DENSE,
        prefetch=among,
        filter=selected,
        params=params if is_sparse else None,
        limit=channel.limit,
        with_payload=HIT_FIELDS,
    )


def _selection(channel: Channel) -> qm.Filter:
    more: list[qm.FieldCondition | qm.Filter] = []
    if channel.kinds:
        more.append(qm.FieldCondition(key=KIND, match=qm.MatchAny(any=[kind.value for kind in channel.kinds])))
    if channel.spans:
        more.append(qm.Filter(should=[_within(span) for span in channel.spans]))
    return active_of(channel.owner_key, *more)


def _within(span: TimeSpan) -> qm.FieldCondition:
    return qm.FieldCondition(key=VALID_FROM, range=qm.Range(gte=microseconds(span.start), lt=microseconds(span.end)))


def struct_of(point: Point) -> qm.PointStruct:
    """Return the point as it is sent."""
    vectors = {DENSE: point.dense.tolist(), BM25: sparse_of(point.sparse)}
    return qm.PointStruct(id=point_id(point.memory_id), vector=vectors, payload=payload_of(point))


def sparse_of(vector: SparseVector) -> qm.SparseVector:
    """Return the term weights as they are sent."""
    return qm.SparseVector(indices=list(vector.indices), values=list(vector.values))


@contextmanager
def server_errors(collection: str) -> Iterator[None]:
    """Turn what the client raises into our errors; wraps calls of the driver and nothing else.

    The local mode raises `ValueError` and `RuntimeError` where a server answers with an error.
    """
    try:
        yield
    except LtmError:
        raise
    except (ApiException, QdrantException, RpcError, ValueError, RuntimeError, LookupError, OSError) as error:
        raise VectorIndexError(f"Qdrant collection {collection}: {cause_of(error)}") from error


def cause_of(error: Exception) -> str:
    """Say what went wrong, without the server's address, which may hold a password."""
    if isinstance(error, UnexpectedResponse):
        return f"status {error.status_code}: {error.content[:200].decode('utf-8', 'replace')}"
    if isinstance(error, ResponseHandlingException):
        return f"{type(error.source).__name__}: {error.source}"
    return f"{type(error).__name__}: {error}"


def _is(field: str, value: str) -> qm.FieldCondition:
    return qm.FieldCondition(key=field, match=qm.MatchValue(value=value))
