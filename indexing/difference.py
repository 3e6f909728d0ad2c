"""What a point says against what its head is; pure."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from ltm.apply import is_searchable
from ltm.lexical import encode_document
from ltm.models import Status
from ltm.ports import OwnedHead, SparseVector, StoredPoint, Vector

LEAST_COSINE = 0.99
"""Between a stored vector and the same text embedded again. The same model on another machine, or in other batches,
stays above .999; another model's vectors lie around 0."""
_TOLERANCE = 1e-3


class Fault(StrEnum):
    """In what a point differs from its head."""

    MISSING = "missing"
    """An active head has no point."""
    ORPHANED = "orphaned"
    """A point belongs to no memory."""
    OWNER = "owner"
    STATUS = "status"
    KIND = "kind"
    VERSION = "version"
    """The point is of an older, a later or no known version of the chain."""
    VALID_FROM = "valid_from"
    VECTOR = "vector"
    """Not what the embedder makes of the text."""
    TERMS = "terms"
    """Not the text's terms."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One point that is not as its head says; at least one fault, in the order of `Fault`."""

    memory_id: str
    faults: tuple[Fault, ...]


def payload_faults(owned: OwnedHead | None, point: StoredPoint | None) -> tuple[Fault, ...]:
    """Compare everything but the vectors. A head that is not active may lack a point; one that it has tells no lies."""
    if owned is None:
        return () if point is None else (Fault.ORPHANED,)
    head = owned.head
    if point is None:
        return (Fault.MISSING,) if is_searchable(head) else ()
    is_wrong = {
        Fault.OWNER: point.owner_key != owned.owner.key,
        Fault.STATUS: point.status is not head.status,
        # What ends a memory does not write its point's kind, and nobody finds that point by it.
        Fault.KIND: point.kind is not head.kind and head.status is Status.ACTIVE,
        Fault.VERSION: point.version != head.last_version,
        Fault.VALID_FROM: point.valid_from != head.valid_from,
    }
    return tuple(fault for fault, wrong in is_wrong.items() if wrong)


def vector_faults(owned: OwnedHead, point: StoredPoint, dense: Vector) -> tuple[Fault, ...]:
    """Compare the vectors of a point with those that its head would get now; `dense` is of unit length."""
    faults: list[Fault] = []
    if not _is_the_same(point.dense, dense):
        faults.append(Fault.VECTOR)
    if not _say_the_same(point.sparse, encode_document(owned.head.text, owned.head.context)):
        faults.append(Fault.TERMS)
    return tuple(faults)


def _is_the_same(stored: Vector | None, expected: Vector) -> bool:
    if stored is None or stored.shape != expected.shape:
        return False
    return abs(float(np.linalg.norm(stored)) - 1.0) <= _TOLERANCE and float(stored @ expected) >= LEAST_COSINE


def _say_the_same(stored: SparseVector | None, expected: SparseVector) -> bool:
    if stored is None:
        return not expected.indices
    found = dict(zip(stored.indices, stored.values, strict=True))
    wanted = dict(zip(expected.indices, expected.values, strict=True))
    return found.keys() == wanted.keys() and all(
        abs(found[term] - weight) <= _TOLERANCE * max(1.0, weight) for term, weight in wanted.items()
    )
