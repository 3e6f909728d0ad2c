from dataclasses import replace

import pytest

from ltm.errors import InvalidRequestError
from ltm.models import Owner
from ltm.ports import Generation, Store
from tests.contract.store.conftest import SPEC
from tests.contract.store.said import tell, text


def test_the_first_generation_is_made_once(store: Store, ann: Owner) -> None:
    """Asking again gives the one that is there, whatever embedder is asked for; the caller compares fingerprints."""
    assert store.generations.find_live() is None
    first = store.generations.ensure_live("g1", fingerprint="f1", spec=SPEC)
    again = store.generations.ensure_live("g2", fingerprint="f2", spec=replace(SPEC, dim=9))
    assert first == again == store.generations.find_live() == store.read.snapshot(ann).live
    assert (first.name, first.fingerprint, first.dim, first.state) == ("g1", "f1", 8, "live")


def test_memories_of_before_are_raised_for_the_first_generation(store: Store, ann: Owner) -> None:
    """Nothing that was written while there was no generation is missed."""
    ids = [tell(store, ann, text(words)) for words in ("a", "b")]
    live = store.generations.ensure_live("g1", fingerprint="f1", spec=SPEC)
    rows = store.outbox.claim(live.generation_id, limit=9, lease_s=1)
    assert sorted(row.memory_id for row in rows) == sorted(ids)
    assert all(row.needs_embedding for row in rows)
    assert not store.read.snapshot(ann).is_settled


def test_a_switch_moves_one_pointer_and_can_be_taken_back(store: Store, ann: Owner, live: Generation) -> None:
    """Readers see the new generation at once; the old one is kept and can become live again."""
    built = store.generations.create("g2", fingerprint="f2", spec=SPEC)
    assert built.state == "building"
    assert store.generations.find_live() == live
    store.generations.checkpoint(built.generation_id, "some-memory")
    switched = store.generations.switch(built.generation_id)
    assert (switched.state, switched.checkpoint) == ("live", "some-memory")
    assert store.read.snapshot(ann).live == switched
    assert [item.state for item in store.generations.list_all()] == ["retired", "live"]
    assert store.generations.switch(live.generation_id) == live
    assert [item.state for item in store.generations.list_all()] == ["live", "retired"]


def test_a_dropped_generation_takes_its_rows_along(store: Store, ann: Owner, live: Generation) -> None:
    """The live one cannot be dropped."""
    built = store.generations.create("g2", fingerprint="f2", spec=SPEC)
    tell(store, ann, text("a"))
    store.generations.drop(built.generation_id)
    assert store.generations.list_all() == [live]
    assert store.outbox.lag(built.generation_id).rows == 0
    with pytest.raises(InvalidRequestError):
        store.generations.drop(live.generation_id)


def test_names_are_given_once(store: Store, live: Generation) -> None:
    """Two generations of one name, and generations that do not exist, are refused."""
    with pytest.raises(InvalidRequestError):
        store.generations.create("g1", fingerprint="f1", spec=SPEC)
    with pytest.raises(InvalidRequestError):
        store.generations.switch(999)
    assert store.generations.list_all() == [live]
