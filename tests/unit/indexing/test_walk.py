from collections.abc import Iterator, Sequence
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexing.walk import Pair, in_batches, scan_pages, walk
from ltm.models import Kind, Status
from ltm.ports import OwnedHead, Reader, StoredPoint, VectorIndex
from tests.unit.indexing.heads import memory_id, owned, point_like


class Heads:
    """What the walk reads of a store."""

    def __init__(self, numbers: Sequence[int]) -> None:
        self._heads = [owned(number) for number in sorted(numbers)]

    def scan(
        self, *, after: str | None, limit: int, statuses: Sequence[Status] = (), kinds: Sequence[Kind] = ()
    ) -> list[OwnedHead]:
        """Return a page."""
        return [one for one in self._heads if one.head.memory_id > (after or "")][:limit]


class Points:
    """What the walk reads of an index; ids that are numbers come first, as in Qdrant."""

    def __init__(self, numbers: Sequence[int], foreign: Sequence[str] = ()) -> None:
        self._points = [point_like(owned(number)) for number in sorted(numbers)]
        self._foreign = foreign

    def scroll(self, *, batch: int) -> Iterator[StoredPoint]:
        """Yield all."""
        yield from (point_like(owned(), memory_id=each) for each in self._foreign)
        yield from self._points


def pairs_of(heads: Sequence[int], points: Points, page: int = 3) -> list[Pair]:
    """Walk."""
    return list(walk(cast(Reader, Heads(heads)), cast(VectorIndex, points), page=page))


numbers = st.sets(st.integers(min_value=1, max_value=40))


@given(numbers, numbers, st.integers(min_value=1, max_value=7))
def test_every_head_meets_its_point(heads: set[int], points: set[int], page: int) -> None:
    """Each id comes once, in order, with what there is of it."""
    pairs = pairs_of(sorted(heads), Points(sorted(points)), page)
    assert [pair.memory_id for pair in pairs] == [memory_id(number) for number in sorted(heads | points)]
    for pair, number in zip(pairs, sorted(heads | points), strict=True):
        assert (pair.owned is not None, pair.point is not None) == (number in heads, number in points)


@pytest.mark.parametrize("heads", [[], [1, 2]])
def test_ids_of_another_make_are_orphans(heads: list[int]) -> None:
    """A number for an id does not shift what follows."""
    pairs = pairs_of(heads, Points([1, 2], foreign=["7", "99999"]))
    assert [pair.memory_id for pair in pairs] == ["7", "99999", memory_id(1), memory_id(2)]
    assert [pair.owned is None for pair in pairs[:2]] == [True, True]
    assert [pair.owned is not None for pair in pairs[2:]] == [number in heads for number in (1, 2)]


def test_pages_go_on_behind_the_last_id() -> None:
    """Every head is read once."""
    pages = list(scan_pages(cast(Reader, Heads(range(1, 8))), page=3, after=memory_id(1)))
    assert [[one.head.memory_id for one in page] for page in pages] == [
        [memory_id(2), memory_id(3), memory_id(4)],
        [memory_id(5), memory_id(6), memory_id(7)],
    ]


def test_batches_of_an_iterator() -> None:
    """The last one may be shorter; nothing gives none."""
    assert list(in_batches(iter("abcde"), 2)) == [["a", "b"], ["c", "d"], ["e"]]
    assert list(in_batches(iter(""), 2)) == []
