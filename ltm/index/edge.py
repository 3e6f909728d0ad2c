"""Qdrant Edge's words: schema, filters, requests, and its errors turned into ours."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

import qdrant_edge as qe

from ltm.errors import VectorIndexError
from ltm.index.engine import Channel
from ltm.index.folder_lock import locked
from ltm.index.payload import (
    BM25,
    DENSE,
    FIELDS,
    HIT_FIELDS,
    KIND,
    OWNER,
    STATUS,
    VALID_FROM,
    VERSION,
    microseconds,
)
from ltm.models import Kind, Status
from ltm.ports import SparseVector, TimeSpan


def create_shard(folder: Path, *, dim: int) -> qe.EdgeShard:
    """Make an empty shard with all its payload indexes."""
    config = qe.EdgeConfig(
        vectors={DENSE: qe.EdgeVectorParams(size=dim, distance=qe.Distance.Dot)},
        sparse_vectors={BM25: qe.EdgeSparseVectorParams(modifier=qe.Modifier.Idf)},
        # No graph over everybody's memories: a search never leaves one owner.
        hnsw_config=qe.HnswIndexConfig(m=0, ef_construct=100, full_scan_threshold=10_000, payload_m=16),
    )
    shard = qe.EdgeShard.create(str(folder), config)
    word = qe.KeywordIndexParams(enable_hnsw=False)
    number = qe.IntegerIndexParams(lookup=False, range=True, enable_hnsw=False)
    tenant = qe.KeywordIndexParams(is_tenant=True)
    for field, params in ((OWNER, tenant), (STATUS, word), (KIND, word), (VERSION, number), (VALID_FROM, number)):
        shard.update(qe.UpdateOperation.create_field_index(field, params))
    return shard


def is_complete(shard: qe.EdgeShard) -> bool:
    """Tell whether every payload index is there; an emptied folder loads without an error, but without them."""
    return set(FIELDS) <= set(shard.info().payload_schema)


def owned_by(owner_key: str) -> qe.Filter:
    """Select the points of exactly this owner."""
    return qe.Filter(must=[qe.FieldCondition(OWNER, match=qe.MatchValue(owner_key))])


def active_of(owner_key: str, *more: qe.FieldCondition | qe.Filter) -> qe.Filter:
    """Select the owner's active points that also meet `more`."""
    owner = qe.FieldCondition(OWNER, match=qe.MatchValue(owner_key))
    return qe.Filter(must=[owner, qe.FieldCondition(STATUS, match=qe.MatchValue(Status.ACTIVE.value)), *more])


def not_above(version: int, *memory_ids: str) -> qe.Filter:
    """Select points (of these ids) whose version is not greater; also those whose version is missing or garbled."""
    greater = qe.FieldCondition(VERSION, range=qe.RangeFloat(gt=version))
    return qe.Filter(must=[qe.HasIdCondition(set(memory_ids))] if memory_ids else None, must_not=[greater])


def request_of(channel: Channel) -> qe.QueryRequest:
    """Return the request of one channel."""
    selected, corpus = _selection(channel.owner_key, channel.kinds, channel.spans)
    if isinstance(channel.vector, SparseVector):
        query, params = _words(channel.vector), corpus
    else:
        query, params = qe.Query.Nearest(channel.vector.tolist(), using=DENSE), None
    among = None
    if channel.among is not None:
        among = [qe.Prefetch(channel.limit, query=_words(channel.among), params=corpus, filter=selected)]
    return qe.QueryRequest(
        limit=channel.limit,
        query=query,
        prefetches=among,
        filter=selected,
        with_payload=HIT_FIELDS,
        params=params,
    )


def _words(vector: SparseVector) -> qe.Query:
    return qe.Query.Nearest(qe.SparseVector(list(vector.indices), list(vector.values)), using=BM25)


@lru_cache(maxsize=1024)
def _selection(
    owner_key: str, kinds: tuple[Kind, ...], spans: tuple[TimeSpan, ...]
) -> tuple[qe.Filter, qe.SearchParams]:
    # What is searched, and over what IDF is computed. Filters are immutable, and a tenth of a search to make.
    corpus = active_of(owner_key)
    params = qe.SearchParams(idf=qe.IdfParams(corpus))
    if not kinds and not spans:
        return corpus, params
    more: list[qe.FieldCondition | qe.Filter] = []
    if kinds:
        more.append(qe.FieldCondition(KIND, match=qe.MatchAny([kind.value for kind in kinds])))
    if spans:
        more.append(qe.Filter(should=[qe.FieldCondition(VALID_FROM, range=_range(span)) for span in spans]))
    return active_of(owner_key, *more), params


def _range(span: TimeSpan) -> qe.RangeFloat:
    return qe.RangeFloat(gte=microseconds(span.start), lt=microseconds(span.end))


@contextmanager
def edge_errors(folder: Path) -> Iterator[None]:
    """Turn what Edge raises into our errors; wraps calls of the driver and nothing else.

    Edge raises bare `Exception`, `ValueError` and `OverflowError`, and for a bug in the engine a `PanicException` that
    is no `Exception` and cannot be imported.
    """
    try:
        yield
    except BaseException as error:
        if type(error) not in (Exception, ValueError, OverflowError) and type(error).__name__ != "PanicException":
            raise
        if "WouldBlock" in str(error):
            raise locked(folder) from error
        raise VectorIndexError(f"the embedded index in {folder} failed: {error}") from error
