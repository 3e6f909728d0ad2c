"""What is asked of an engine, counted on one that scores by a table."""

from collections.abc import Sequence

import numpy as np
import pytest

from ltm.index.engine import Channel, Page
from ltm.index.payload import PointId
from ltm.index.point_index import PointIndex
from ltm.models import Status
from ltm.ports import Hit, Point, PoolQuery, SparseVector, StatusChange, StoredPoint

SPARSE = SparseVector(indices=(1,), values=(1.0,))
DENSE = np.array([1, 0], dtype=np.float32)


class TableEngine:
    """Answers every channel from one table of scores, equal scores in the order of the table."""

    def __init__(self, scores: dict[str, float]) -> None:
        self._hits = [
            Hit(memory_id=name, version=1, status=Status.ACTIVE, score=score) for name, score in scores.items()
        ]
        self._hits.sort(key=lambda hit: -hit.score)
        self.asked: list[list[int]] = []

    def query(self, channels: Sequence[Channel]) -> list[list[Hit]]:
        """Note the limits and cut the table at them."""
        self.asked.append([channel.limit for channel in channels])
        return [self._hits[: channel.limit] for channel in channels]

    def write(self, points: Sequence[Point], *, newest: int | None) -> None:
        """Take nothing."""
        raise AssertionError

    def mark(self, changes: Sequence[StatusChange]) -> None:
        """Take nothing."""
        raise AssertionError

    def delete(self, ids: Sequence[PointId]) -> None:
        """Take nothing."""
        raise AssertionError

    def delete_owner(self, owner_key: str) -> None:
        """Take nothing."""
        raise AssertionError

    def count(self, owner_key: str | None, *, only_active: bool = False) -> int:
        """Tell the size of the table."""
        return len(self._hits)

    def retrieve(self, ids: Sequence[PointId], *, with_vectors: bool) -> list[StoredPoint]:
        """Hold no points."""
        return []

    def page(self, *, start: PointId | None, limit: int, with_vectors: bool) -> Page:
        """Hold no points."""
        return Page(points=[], next_id=None)

    def active_vectors(self, owner_key: str, *, limit: int) -> list[list[float]]:
        """Hold no vectors."""
        return []

    def flush(self) -> None:
        """Hold nothing to flush."""

    def close(self) -> None:
        """Hold nothing to close."""


def search(engine: TableEngine, limit: int, *, sparse: SparseVector | None = SPARSE) -> list[str]:
    """Return the ids of the dense channel."""
    query = PoolQuery(owner_key="o", dense=DENSE, sparse=sparse, limit=limit)
    return [hit.memory_id for hit in PointIndex(engine, dim=2).search(query).dense]


def test_a_search_is_one_request() -> None:
    """Both channels go in one request, with one hit more than the limit to see a tie by."""
    engine = TableEngine({"c": 1.0, "b": 3.0, "a": 2.0})
    assert search(engine, 2) == ["b", "a"]
    assert engine.asked == [[3, 3]]


def test_ties_within_the_limit_cost_nothing() -> None:
    """Equal scores that the limit does not cut are sorted without asking again."""
    engine = TableEngine({"c": 2.0, "b": 2.0, "a": 2.0, "d": 1.0})
    assert search(engine, 3) == ["a", "b", "c"]
    assert engine.asked == [[4, 4]]


@pytest.mark.parametrize(("ties", "deeper"), [(7, [[8]]), (8, [[8], [32]]), (100, [[8], [32], [128]])])
def test_a_tie_across_the_limit_is_followed_to_its_end(ties: int, deeper: list[list[int]]) -> None:
    """The channel is asked deeper until the tie is seen whole, then cut by id."""
    names = [f"{number:03}" for number in range(ties, 0, -1)]
    engine = TableEngine(dict.fromkeys(names, 2.0) | {"last": 1.0})
    assert search(engine, 1, sparse=None) == ["001"]
    assert engine.asked == [[2], *deeper]


def test_nothing_to_ask_is_no_request() -> None:
    """Without a vector and without terms no engine is asked."""
    engine = TableEngine({})
    empty = SparseVector(indices=(), values=())
    pool = PointIndex(engine, dim=2).search(PoolQuery(owner_key="o", dense=None, sparse=empty, limit=5))
    assert (pool.dense, pool.lexical, engine.asked) == ((), (), [])
