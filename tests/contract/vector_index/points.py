"""Points to write and to ask for."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID

import numpy as np

from ltm.lexical import encode_document, encode_query
from ltm.models import Kind, Status
from ltm.ports import Point, PoolQuery, TimeSpan, Vector

DIM = 4
FINGERPRINT = "sha256:one"
MOMENT = datetime(2026, 3, 2, 10, 0, 0, 123_456, tzinfo=UTC)


def memory_id(number: int) -> str:
    """Return a UUID that sorts as the number does."""
    return str(UUID(int=number))


def vector(*members: float) -> Vector:
    """Return a vector of four dimensions and unit length."""
    padded = np.zeros(DIM, dtype=np.float32)
    padded[: len(members)] = members
    return padded / np.linalg.norm(padded)


def point(
    number: int,
    *,
    owner: str = "1:n:ann",
    text: str = "tea",
    dense: Sequence[float] = (1.0,),
    version: int = 1,
    status: Status = Status.ACTIVE,
    kind: Kind = Kind.FACT,
    valid_from: datetime = MOMENT,
) -> Point:
    """Return a point that differs from others in what the test names."""
    return Point(
        memory_id=memory_id(number),
        owner_key=owner,
        status=status,
        kind=kind,
        version=version,
        valid_from=valid_from,
        dense=vector(*dense),
        sparse=encode_document(text),
    )


def ask(
    *,
    owner: str = "1:n:ann",
    text: str | None = None,
    dense: Sequence[float] | None = None,
    limit: int = 10,
    kinds: tuple[Kind, ...] = (),
    is_joint: bool = False,
    spans: tuple[TimeSpan, ...] = (),
) -> PoolQuery:
    """Return a query of the channels that are named."""
    return PoolQuery(
        owner_key=owner,
        dense=None if dense is None else vector(*dense),
        sparse=None if text is None else encode_query(text),
        limit=limit,
        kinds=kinds,
        is_joint=is_joint,
        spans=spans,
    )


def later(seconds: float) -> datetime:
    """Return a moment behind `MOMENT`."""
    return MOMENT + timedelta(seconds=seconds)
