"""Points to payloads and back; the same on every Qdrant.

The payload is thin and made of exact types: `valid_from` is an integer of microseconds since 1970, so that ranges work
and a comparison with SQL is exact.
"""

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Protocol, TypeAlias, TypeVar, cast
from uuid import UUID

import numpy as np

from ltm.errors import InvalidRequestError
from ltm.models import Kind, Status
from ltm.ports import Hit, Point, SparseVector, StatusChange, StoredPoint

DENSE = "dense"
BM25 = "bm25"

OWNER = "owner"
STATUS = "status"
KIND = "kind"
VERSION = "version"
VALID_FROM = "valid_from"
FIELDS = (OWNER, STATUS, KIND, VERSION, VALID_FROM)
HIT_FIELDS = [VERSION]

PointId: TypeAlias = str | int
"""A UUID string; an integer only where somebody else wrote into the index."""

_CANONICAL = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_Word = TypeVar("_Word", bound=StrEnum)
_STATUSES = {each.value: each for each in Status}
_KINDS = {each.value: each for each in Kind}


class Record(Protocol):
    """A stored point as both drivers return it."""

    @property
    def id(self) -> object:
        """UUID, its string, or an integer."""
        ...

    @property
    def payload(self) -> Mapping[str, object] | None:
        """As far as it was asked for."""
        ...

    @property
    def vector(self) -> object:
        """Vectors by name, as far as they were asked for."""
        ...


class ScoredRecord(Record, Protocol):
    """A stored point that was found by a query."""

    @property
    def score(self) -> float:
        """Higher is better."""
        ...


class _SparseRecord(Protocol):
    indices: list[int]
    values: list[float]


def microseconds(moment: datetime) -> int:
    """Return an aware time as the payload holds it."""
    return (moment - _EPOCH) // _MICROSECOND


def payload_of(point: Point) -> dict[str, str | int]:
    """Return everything the index knows about a memory besides its vectors."""
    return {
        OWNER: point.owner_key,
        STATUS: point.status.value,
        KIND: point.kind.value,
        VERSION: point.version,
        VALID_FROM: microseconds(point.valid_from),
    }


def payload_of_change(change: StatusChange) -> dict[str, str | int]:
    """Return the fields that a change of status writes."""
    return {
        STATUS: change.status.value,
        VERSION: change.version,
        VALID_FROM: microseconds(change.valid_from),
    }


def hits_of(answer: Iterable[ScoredRecord]) -> list[Hit]:
    """Read scored points that were found under status `active`; a garbled version is 0, which no head has."""
    hits = []
    for found in answer:
        payload = found.payload
        version = payload.get(VERSION) if payload else None
        hits.append(Hit(str(found.id), version if type(version) is int else 0, Status.ACTIVE, found.score))
    return hits


def stored_point(record: Record) -> StoredPoint:
    """Read a record, whatever somebody made of its payload."""
    payload = record.payload or {}
    owner, moment, dense = payload.get(OWNER), _integer(payload.get(VALID_FROM)), floats_of(record)
    return StoredPoint(
        memory_id=str(record.id),
        owner_key=owner if isinstance(owner, str) else None,
        status=_find(payload.get(STATUS), _STATUSES),
        kind=_find(payload.get(KIND), _KINDS),
        version=_integer(payload.get(VERSION)),
        valid_from=None if moment is None else _moment(moment),
        dense=None if dense is None else np.asarray(dense, dtype=np.float32),
        sparse=_sparse_of(record),
    )


def floats_of(record: Record) -> list[float] | None:
    """Return the record's dense vector, where it was asked for and exists."""
    vectors = record.vector  # read once: Edge makes the lists anew each time
    return cast(list[float] | None, vectors.get(DENSE)) if isinstance(vectors, Mapping) else None


def point_id(memory_id: str) -> str:
    """Return the id under which a new point is written.

    Raises:
        InvalidRequestError: It is no UUID.
    """
    found = find_point_id(memory_id)
    if not isinstance(found, str):
        raise InvalidRequestError(f"a memory id is a UUID; got {memory_id!r}")
    return found


def find_point_id(memory_id: str) -> PointId | None:
    """Return the id a stored point of this name would have, None where no point can have it."""
    if _CANONICAL.fullmatch(memory_id):
        return memory_id
    try:
        return str(UUID(memory_id))
    except ValueError:
        return int(memory_id) if memory_id.isascii() and memory_id.isdigit() and len(memory_id) < 20 else None


def _sparse_of(record: Record) -> SparseVector | None:
    vectors = record.vector
    vector = vectors.get(BM25) if isinstance(vectors, Mapping) else None
    if vector is None:
        return None
    found = cast(_SparseRecord, vector)
    return SparseVector(indices=tuple(found.indices), values=tuple(found.values))


def _integer(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _find(value: object, words: Mapping[str, _Word]) -> _Word | None:
    return words.get(value) if isinstance(value, str) else None


def _moment(microseconds: int) -> datetime | None:
    try:
        return _EPOCH + microseconds * _MICROSECOND
    except OverflowError:
        return None
