"""Which write wins, and what is left of it."""

import threading
from dataclasses import replace

import numpy as np
import pytest

from ltm.errors import FingerprintMismatchError, InvalidRequestError
from ltm.models import Kind, Status
from ltm.ports import StatusChange, VectorIndex
from tests.contract.vector_index.points import MOMENT, ask, later, memory_id, point, vector


def change(number: int, status: Status, version: int, seconds: float = 0.0) -> StatusChange:
    """Return a change of the point of this number."""
    return StatusChange(memory_id=memory_id(number), status=status, version=version, valid_from=later(seconds))


def test_a_point_comes_back_as_it_was_written(index: VectorIndex) -> None:
    """Every field survives, the moment to the microsecond."""
    written = point(7, text="green tea", dense=(3, 4), version=5, kind=Kind.EPISODE, status=Status.EXPIRED)
    index.upsert([written])
    [found] = index.retrieve([memory_id(7)], with_vectors=True)
    assert (found.memory_id, found.owner_key, found.version) == (memory_id(7), "1:n:ann", 5)
    assert (found.status, found.kind, found.valid_from) == (Status.EXPIRED, Kind.EPISODE, MOMENT)
    assert found.dense is not None
    assert found.sparse is not None
    np.testing.assert_allclose(found.dense, written.dense, rtol=1e-6)
    assert found.sparse.indices == written.sparse.indices
    assert found.sparse.values == pytest.approx(written.sparse.values)
    [bare] = index.retrieve([memory_id(7)])
    assert (bare.dense, bare.sparse) == (None, None)


@pytest.mark.parametrize("year", [1900, 1969, 1970, 8999])
def test_moments_are_exact_in_every_century(index: VectorIndex, year: int) -> None:
    """Microseconds are kept from the earliest to the latest moment a memory can have."""
    moment = MOMENT.replace(year=year, microsecond=999_999)
    index.upsert([point(1, valid_from=moment)])
    assert index.retrieve([memory_id(1)])[0].valid_from == moment


def test_an_older_version_never_overwrites(index: VectorIndex) -> None:
    """Whatever the order of the calls, the greatest version stays; an equal one overwrites."""
    index.upsert([point(1, version=3, text="new")])
    index.upsert([point(1, version=2, text="old", owner="1:n:bob"), point(2, version=2)])
    assert [found.version for found in index.retrieve([memory_id(1), memory_id(2)])] == [3, 2]
    assert index.count("1:n:bob") == 0
    assert index.search(ask(text="old")).lexical == ()
    index.upsert([point(1, version=3, text="again")])
    assert [hit.memory_id for hit in index.search(ask(text="again")).lexical] == [memory_id(1)]
    assert index.search(ask(text="new")).lexical == ()
    index.upsert([point(1, version=10, status=Status.EXPIRED)])
    assert index.retrieve([memory_id(1)])[0].version == 10


def test_versions_may_be_mixed_in_one_call(index: VectorIndex) -> None:
    """Each point is guarded by its own version; of two with one id the greater wins, of equal ones the last."""
    index.upsert([point(n, version=n) for n in range(1, 40)])
    index.upsert([point(n, version=20, kind=Kind.STATE) for n in range(1, 40)])
    kinds = {found.memory_id: found.kind for found in index.scroll()}
    assert [kinds[memory_id(n)] is Kind.STATE for n in range(1, 40)] == [n <= 20 for n in range(1, 40)]
    index.upsert([point(50, version=2, text="b"), point(50, version=1, text="a"), point(50, version=2, text="c")])
    assert [hit.version for hit in index.search(ask(text="c")).lexical] == [2]


def test_large_batches_are_written_whole(index: VectorIndex) -> None:
    """A call may have more points than a request."""
    index.upsert([point(n) for n in range(1, 1001)])
    assert index.count() == 1000


def test_racing_writers_leave_the_greatest_version(index: VectorIndex) -> None:
    """Threads that write the same point in any order leave the newest."""

    def write(first: int) -> None:
        for version in range(first, 81, 4):
            index.upsert([point(1, version=version)])

    threads = [threading.Thread(target=write, args=(first,)) for first in (4, 3, 2, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert index.retrieve([memory_id(1)])[0].version == 80


def test_a_status_change_touches_the_payload_only(index: VectorIndex) -> None:
    """Status, version and moment change; vectors, owner and kind stay."""
    index.upsert([point(1, text="green tea", dense=(3, 4), kind=Kind.STATE)])
    [before] = index.retrieve([memory_id(1)], with_vectors=True)
    index.set_status([change(1, Status.RETRACTED, 2, 60)])
    assert index.search(ask(text="tea", dense=(1,))).dense == ()
    [after] = index.retrieve([memory_id(1)], with_vectors=True)
    assert (after.status, after.version, after.valid_from) == (Status.RETRACTED, 2, later(60))
    assert (after.owner_key, after.kind, after.sparse) == (before.owner_key, before.kind, before.sparse)
    assert after.dense is not None
    assert before.dense is not None
    np.testing.assert_array_equal(after.dense, before.dense)
    index.set_status([change(1, Status.ACTIVE, 3)])
    assert [hit.version for hit in index.search(ask(dense=(1,))).dense] == [3]


def test_an_older_status_change_is_ignored(index: VectorIndex) -> None:
    """A change is guarded as a point is: greater stays, equal overwrites; each by its own version."""
    index.upsert([point(1, version=5), point(2, version=5), point(3, version=5)])
    index.set_status(
        [
            change(1, Status.EXPIRED, 4),
            change(2, Status.EXPIRED, 5),
            change(3, Status.EXPIRED, 7),
            change(3, Status.ACTIVE, 6),
        ]
    )
    found = index.retrieve([memory_id(n) for n in (1, 2, 3)])
    assert [each.status for each in found] == [Status.ACTIVE, Status.EXPIRED, Status.EXPIRED]
    assert [each.version for each in found] == [5, 5, 7]


def test_a_status_change_makes_no_point(index: VectorIndex) -> None:
    """Absent points stay absent, and changing none changes none."""
    index.set_status([change(1, Status.EXPIRED, 4), replace(change(2, Status.EXPIRED, 1), memory_id="no-uuid")])
    index.set_status([])
    assert index.count() == 0


def test_replace_writes_whatever_is_stored(index: VectorIndex) -> None:
    """Repair may put an older version back."""
    index.upsert([point(1, version=9)])
    index.replace([point(1, version=2, text="milk"), point(2)])
    index.replace([])
    assert [found.version for found in index.retrieve([memory_id(1), memory_id(2)])] == [2, 1]
    assert index.search(ask(text="milk")).lexical[0].version == 2


def test_deleting(index: VectorIndex) -> None:
    """Points go, unknown ids are no error, and a deleted point can be written again."""
    index.upsert([point(n) for n in range(1, 5)])
    index.delete([memory_id(1), memory_id(2), memory_id(99), "no-uuid", "17"])
    index.delete([])
    assert [found.memory_id for found in index.scroll()] == [memory_id(3), memory_id(4)]
    assert [hit.memory_id for hit in index.search(ask(dense=(1,), text="tea")).dense] == [memory_id(3), memory_id(4)]
    index.upsert([point(1)])
    assert index.count() == 3


def test_deleting_an_owner(index: VectorIndex) -> None:
    """Every point of exactly this owner goes, of every status, and their number is told."""
    index.upsert([point(n, status=status) for n, status in enumerate(Status)])
    index.upsert([point(n, owner="1:n:ann ") for n in range(20, 23)])
    assert index.delete_owner("1:n:ann") == len(Status)
    assert index.delete_owner("1:n:ann") == 0
    assert index.count() == index.count("1:n:ann ") == 3


def test_points_of_another_dimension_are_refused(index: VectorIndex) -> None:
    """Vectors of another model are refused before anything is written."""
    other = replace(point(2), dense=np.ones(3, dtype=np.float32))
    for write in (index.upsert, index.replace):
        with pytest.raises(FingerprintMismatchError, match="ltm index reindex"):
            write([point(1), other])
    assert index.count() == 0


def test_bad_points_are_refused(index: VectorIndex) -> None:
    """An id that is no UUID and a vector with NaN change nothing; the error names the input."""
    with pytest.raises(InvalidRequestError, match="UUID") as caught:
        index.upsert([point(1), replace(point(2), memory_id="2")])
    assert caught.value.index == 1
    with pytest.raises(InvalidRequestError, match="finite"):
        index.upsert([point(1), replace(point(2), dense=vector(1) * np.float32("nan"))])
    assert index.count() == 0


def test_writing_nothing(index: VectorIndex) -> None:
    """No points is no request."""
    index.upsert([])
    assert index.count() == 0
