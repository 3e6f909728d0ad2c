from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest

from indexing.difference import Fault, payload_faults, vector_faults
from ltm.models import Kind, Status
from ltm.ports import SparseVector
from tests.unit.indexing.heads import dense_of, owned, point_like

FAULTS: dict[Fault, dict[str, Any]] = {
    Fault.OWNER: {"owner_key": "4:test3:bob"},
    Fault.STATUS: {"status": Status.EXPIRED},
    Fault.KIND: {"kind": Kind.EPISODE},
    Fault.VERSION: {"version": 1},
    Fault.VALID_FROM: {"valid_from": datetime(2026, 10, 1, microsecond=1, tzinfo=UTC)},
}


def test_a_point_that_is_its_head() -> None:
    """Nothing differs."""
    assert payload_faults(owned(), point_like(owned())) == ()
    assert vector_faults(owned(), point_like(owned()), dense_of("likes tea")) == ()


def test_a_missing_and_an_orphaned_point() -> None:
    """An active head needs a point, a point needs a head."""
    assert payload_faults(owned(), None) == (Fault.MISSING,)
    assert payload_faults(None, point_like(owned())) == (Fault.ORPHANED,)
    assert payload_faults(None, None) == ()


@pytest.mark.parametrize(("fault", "changes"), FAULTS.items())
def test_each_field_is_compared(fault: Fault, changes: dict[str, Any]) -> None:
    """What differs is named, a field that is not there too."""
    assert payload_faults(owned(), point_like(owned(), **changes)) == (fault,)
    assert payload_faults(owned(), point_like(owned(), **dict.fromkeys(changes))) == (fault,)


def test_several_faults_come_in_one_order() -> None:
    """The order is that of the words."""
    point = point_like(owned(), **{name: None for changes in FAULTS.values() for name in changes})
    assert payload_faults(owned(), point) == tuple(FAULTS)


def test_a_head_that_is_not_active_may_lack_a_point() -> None:
    """One that it has must say so; its kind was not written when it ended, and does not count."""
    ended = owned(status=Status.RETRACTED)
    assert payload_faults(ended, None) == ()
    assert payload_faults(ended, point_like(ended, kind=Kind.EPISODE)) == ()
    assert payload_faults(ended, point_like(ended, status=Status.ACTIVE)) == (Fault.STATUS,)


def test_a_late_statement_raises_the_version_of_a_point() -> None:
    """A point's version is the length of the chain, not the head's number."""
    late = owned(version=1, last_version=2)
    assert payload_faults(late, point_like(late)) == ()
    assert payload_faults(late, point_like(late, version=1)) == (Fault.VERSION,)


@pytest.mark.parametrize("dense", [None, np.zeros(256, np.float32), np.ones(7, np.float32), 2 * dense_of("likes tea")])
def test_a_vector_that_is_not_the_text_s(dense: Any) -> None:
    """None, nothing, another length, not of unit length."""
    assert vector_faults(owned(), point_like(owned(), dense=dense), dense_of("likes tea")) == (Fault.VECTOR,)


def test_a_vector_of_another_text() -> None:
    """Near is not enough, a rounding error is."""
    point = point_like(owned(), dense=dense_of("likes green tea"))
    assert vector_faults(owned(), point, dense_of("likes tea")) == (Fault.VECTOR,)
    rounded = dense_of("likes tea") + np.float32(1e-5)
    assert vector_faults(owned(), point_like(owned(), dense=rounded), dense_of("likes tea")) == ()


@pytest.mark.parametrize(
    "sparse",
    [None, SparseVector(indices=(), values=()), SparseVector(indices=(1,), values=(1.0,))],
)
def test_words_that_are_not_the_text_s(sparse: SparseVector | None) -> None:
    """No words, or others."""
    assert vector_faults(owned(), point_like(owned(), sparse=sparse), dense_of("likes tea")) == (Fault.TERMS,)


def test_a_weight_that_is_not_the_text_s() -> None:
    """The same words with another weight differ, beyond what 32 bits round."""
    sparse = point_like(owned()).sparse
    assert sparse is not None
    for factor, faults in ((1.1, (Fault.TERMS,)), (1.0000001, ())):
        other = SparseVector(indices=sparse.indices, values=tuple(value * factor for value in sparse.values))
        assert vector_faults(owned(), point_like(owned(), sparse=other), dense_of("likes tea")) == faults


def test_a_text_without_words() -> None:
    """It has no terms, and a point without them is right."""
    silent = owned(text="?!")
    assert vector_faults(silent, point_like(silent, sparse=None), dense_of("?!")) == ()
