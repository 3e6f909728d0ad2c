"""Counting, scrolling, means, and payloads that somebody else has been at."""

import numpy as np
import pytest

from ltm.models import Status
from ltm.ports import StatusChange, VectorIndex
from tests.contract.vector_index.backends import Backend
from tests.contract.vector_index.points import DIM, FINGERPRINT, MOMENT, ask, memory_id, point, vector


def test_counting(index: VectorIndex) -> None:
    """Points of every status are counted, of one owner or of all."""
    assert (index.count(), index.count("1:n:ann")) == (0, 0)
    index.upsert([point(n, status=status) for n, status in enumerate(Status)])
    index.upsert([point(20, owner="1:n:bob")])
    assert (index.count(), index.count("1:n:ann"), index.count("1:n:bob")) == (len(Status) + 1, len(Status), 1)


def test_retrieving(index: VectorIndex) -> None:
    """Stored points come by id, once each; unknown ids are left out."""
    index.upsert([point(n) for n in (3, 1, 2)])
    found = index.retrieve([memory_id(3), memory_id(1), memory_id(9), memory_id(3), "no-uuid"])
    assert [each.memory_id for each in found] == [memory_id(1), memory_id(3)]
    assert index.retrieve([]) == []


@pytest.mark.parametrize("batch", [1, 7, 20, 21, 1000])
def test_scrolling(index: VectorIndex, batch: int) -> None:
    """Every point is yielded once, by id, whatever the size of a page."""
    index.upsert([point(n * 37 % 101) for n in range(1, 21)])
    found = list(index.scroll(batch=batch))
    assert [each.memory_id for each in found] == sorted(memory_id(n * 37 % 101) for n in range(1, 21))
    assert all(each.dense is None and each.valid_from == MOMENT for each in found)


def test_scrolling_with_vectors(index: VectorIndex) -> None:
    """Both vectors come with the points on demand; a text without terms has an empty one."""
    index.upsert([point(1, dense=(3, 4)), point(2, text="?")])
    first, second = index.scroll(with_vectors=True)
    np.testing.assert_allclose(first.dense if first.dense is not None else [], vector(3, 4), rtol=1e-6)
    assert second.sparse is not None
    assert second.sparse.indices == ()


def test_scrolling_an_empty_index(index: VectorIndex) -> None:
    """Nothing is yielded where nothing is."""
    assert list(index.scroll()) == []


def test_the_mean_of_an_owner(index: VectorIndex) -> None:
    """Only the owner's active points count, and the mean is not normalised."""
    assert index.owner_mean("1:n:ann") is None
    index.upsert([point(1, dense=(1, 0)), point(2, dense=(0, 1)), point(3, dense=(0, 0, 1), status=Status.EXPIRED)])
    index.upsert([point(4, dense=(0, 0, 1), owner="1:n:bob")])
    mean = index.owner_mean("1:n:ann")
    assert mean is not None
    assert mean.count == 2
    assert mean.vector.dtype == np.float32
    assert mean.vector.shape == (DIM,)
    np.testing.assert_allclose(mean.vector, [0.5, 0.5, 0, 0], rtol=1e-6)


def test_the_mean_has_a_cap(index: VectorIndex) -> None:
    """Of many points the first by id are taken, whatever the order they were written in, and all are counted."""
    index.upsert([point(n, dense=(1, 0) if n <= 3 else (0, 1)) for n in (9, 5, 3, 7, 2, 1)])
    mean = index.owner_mean("1:n:ann", cap=4)
    assert mean is not None
    assert mean.count == 6
    np.testing.assert_allclose(mean.vector, [0.75, 0.25, 0, 0], rtol=1e-6)


@pytest.mark.parametrize(
    ("payload", "owner"),
    [
        ({}, None),
        ({"owner": 5, "status": "gone", "kind": [], "version": "3", "valid_from": "now"}, None),
        ({"owner": "1:n:ann", "status": None, "kind": {}, "version": True, "valid_from": 1.5}, "1:n:ann"),
        ({"owner": "1:n:ann", "valid_from": 2**62}, "1:n:ann"),
    ],
)
def test_garbled_payloads_are_seen_as_such(backend: Backend, payload: dict[str, object], owner: str | None) -> None:
    """A payload that is not ours has None where it is not, is not found, and can be mended."""
    index = backend.open().create("g1", dim=DIM, fingerprint=FINGERPRINT)
    index.upsert([point(1), point(2)])
    backend.overwrite_payload("g1", memory_id(1), payload)
    index = backend.open().open("g1", dim=DIM, fingerprint=FINGERPRINT)
    [first, _] = index.scroll()
    found = (first.owner_key, first.status, first.kind, first.version, first.valid_from)
    assert found == (owner, None, None, None, None)
    assert [hit.memory_id for hit in index.search(ask(dense=(1,), text="tea")).dense] == [memory_id(2)]
    index.upsert([point(1, version=1)])
    assert [hit.memory_id for hit in index.search(ask(dense=(1,), text="tea")).dense] == [memory_id(1), memory_id(2)]


def test_a_point_without_a_version_is_found_as_version_0(backend: Backend) -> None:
    """No head has version 0, so the heads check of recall drops it; a status change mends it."""
    index = backend.open().create("g1", dim=DIM, fingerprint=FINGERPRINT)
    index.upsert([point(1)])
    backend.overwrite_payload("g1", memory_id(1), {"owner": "1:n:ann", "status": "active"})
    index = backend.open().open("g1", dim=DIM, fingerprint=FINGERPRINT)
    assert [hit.version for hit in index.search(ask(dense=(1,))).dense] == [0]
    index.set_status([StatusChange(memory_id=memory_id(1), status=Status.ACTIVE, version=4, valid_from=MOMENT)])
    assert [hit.version for hit in index.search(ask(dense=(1,))).dense] == [4]
