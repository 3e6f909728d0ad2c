"""Heads and points side by side, in bounded memory: both come in the order of their ids."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import TypeVar

from ltm.models import Status
from ltm.ports import OwnedHead, Reader, StoredPoint, VectorIndex

_MEMORY_ID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pair:
    """A head with the point of the same id; one of them may be absent."""

    memory_id: str
    owned: OwnedHead | None
    point: StoredPoint | None


def walk(read: Reader, index: VectorIndex, *, page: int) -> Iterator[Pair]:
    """Yield every head, whatever its status, and every point, once each.

    What is written meanwhile may show on one side only: look again before you call it a difference.
    """
    heads = chain.from_iterable(scan_pages(read, page=page))
    points = index.scroll(batch=page)
    owned, point = next(heads, None), next(points, None)
    while owned is not None or point is not None:
        head_id = None if owned is None else owned.head.memory_id
        point_id = None if point is None else point.memory_id
        if point is not None and point_id is not None and not _MEMORY_ID.fullmatch(point_id):
            # Not of our making, and in an order of its own.
            yield Pair(memory_id=point_id, owned=None, point=point)
            point = next(points, None)
        elif head_id is not None and (point_id is None or head_id < point_id):
            yield Pair(memory_id=head_id, owned=owned, point=None)
            owned = next(heads, None)
        elif point_id is not None and (head_id is None or point_id < head_id):
            yield Pair(memory_id=point_id, owned=None, point=point)
            point = next(points, None)
        elif head_id is not None:
            yield Pair(memory_id=head_id, owned=owned, point=point)
            owned, point = next(heads, None), next(points, None)


def scan_pages(
    read: Reader, *, page: int, after: str | None = None, statuses: Sequence[Status] = ()
) -> Iterator[list[OwnedHead]]:
    """Yield the heads of all owners behind `after`, by memory id; no statuses means all of them."""
    while found := read.scan(after=after, limit=page, statuses=statuses):
        yield found
        after = found[-1].head.memory_id


def in_batches(items: Iterator[_Item], size: int) -> Iterator[list[_Item]]:
    """Yield lists of at most `size`."""
    while batch := list(islice(items, size)):
        yield batch
