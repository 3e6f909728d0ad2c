"""A pool survives the cache, and garbage does not become one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ltm.models import Status
from ltm.ports import Hit, Pool
from ltm.recall.columns import PooledHits, pooled
from ltm.recall.pool_bytes import from_bytes, to_bytes
from ltm.recall.shift import Geometry


def _hits(*pairs: tuple[str, float]) -> tuple[Hit, ...]:
    return tuple(Hit(memory_id=key, version=3, status=Status.ACTIVE, score=score) for key, score in pairs)


def _pool(pool: Pool) -> PooledHits:
    return pooled(pool, Geometry(offset=0.25, scale=2.0), 7)


def test_both_channels_are_united_by_id() -> None:
    """Ids ascending, NaN outside a channel."""
    hits = _pool(Pool(dense=_hits(("c", 0.9), ("a", 0.1)), lexical=_hits(("b", 5.0), ("c", 4.0))))
    assert hits.ids == ("a", "b", "c")
    assert hits.versions.tolist() == [3, 3, 3]
    assert np.array_equal(hits.dense, [0.1, np.nan, 0.9], equal_nan=True)
    assert np.array_equal(hits.lexical, [np.nan, 5.0, 4.0], equal_nan=True)


@pytest.mark.parametrize("pool", [Pool(), Pool(dense=_hits(("a", 0.5))), Pool(lexical=_hits(("b", 1.0), ("a", 0.5)))])
def test_a_pool_comes_back_as_it_was(pool: Pool) -> None:
    """Ids, columns, geometry and the number of memories."""
    hits = _pool(pool)
    back = from_bytes(to_bytes(hits))
    assert back is not None
    assert (back.ids, back.geometry, back.owned) == (hits.ids, hits.geometry, hits.owned)
    assert back.versions.tolist() == hits.versions.tolist()
    assert np.array_equal(back.dense, hits.dense, equal_nan=True)
    assert np.array_equal(back.lexical, hits.lexical, equal_nan=True)


@given(st.binary(max_size=300))
def test_garbage_is_a_miss(data: bytes) -> None:
    """Whatever lies under the key, reading it raises nothing."""
    for garbage in (data, b"\x01" + data, b"\x01\x00\x00\x00\x00" + data):
        found = from_bytes(garbage)
        assert found is None or garbage[:1] == b"\x01"
