import pytest

from ltm.errors import MemoryNotFoundError
from ltm.models import Kind, Owner, Status
from ltm.ports import Generation, Store, UnitOfWork
from tests.contract.store.conftest import SPEC
from tests.contract.store.said import append_all, cities, quote, salary, tell, text


class _WrongError(Exception):
    """Raised by the caller of a unit."""


def test_an_exception_stores_nothing(store: Store, ann: Owner, live: Generation) -> None:
    """Neither versions nor evidence nor outbox rows nor the user survive a unit that ends with an exception."""

    def fail(unit: UnitOfWork) -> None:
        unit.append(text("a", evidence=(quote("s1"),)))
        unit.list_heads()
        raise _WrongError

    with pytest.raises(_WrongError):
        store.transact(ann, fail)
    assert store.read.list_records(ann, status=None) == []
    assert store.read.snapshot(ann).revision == 0
    assert store.read.list_users("test") == []
    assert store.outbox.lag(live.generation_id).rows == 0


def test_a_discarded_unit_stores_nothing(store: Store, ann: Owner) -> None:
    """A preview does everything and keeps nothing."""
    memory_id = tell(store, ann, salary(15, 1), salary(20, 2))
    with store.unit(ann) as unit:
        assert unit.rollback(memory_id, 1, reason="r", actor="application").version == 3
        unit.discard()
    assert len(store.read.history(ann, memory_id)) == 2
    assert store.read.snapshot(ann).revision == 2


def test_a_failed_unit_leaves_the_store_usable(store: Store, ann: Owner) -> None:
    """The connection goes back to the pool without a transaction on it."""
    for _ in range(20):
        with pytest.raises(MemoryNotFoundError), store.unit(ann) as unit:
            unit.reinforce("nobody", confidence=1.0)
    tell(store, ann, text("a"))
    assert len(store.read.list_heads(ann)) == 1


def test_the_revision_counts_units_that_change_memories(store: Store, ann: Owner) -> None:
    """One step a unit, however much it changes; none for a unit that only looks."""
    assert store.read.snapshot(ann).revision == 0
    with store.unit(ann) as unit:
        append_all(unit, [text("a"), text("b"), salary(15)])
    assert store.read.snapshot(ann).revision == 1
    with store.unit(ann) as unit:
        unit.list_heads()
    assert store.read.snapshot(ann).revision == 1


def test_a_unit_raises_the_outbox_for_every_generation(store: Store, ann: Owner, live: Generation) -> None:
    """Every point that changes is brought to every generation, also one that is being built."""
    building = store.generations.create("g2", fingerprint="f2", spec=SPEC)
    with store.unit(ann) as unit:
        made = append_all(unit, [text("a"), text("b")])
    assert list(unit.touched) == sorted(record.memory_id for record in made)
    for generation in (live, building):
        rows = store.outbox.claim(generation.generation_id, limit=10, lease_s=1)
        assert sorted(row.memory_id for row in rows) == list(unit.touched)
        assert all(row.needs_embedding for row in rows)


def test_a_change_of_status_needs_no_embedding(store: Store, ann: Owner, live: Generation) -> None:
    """Ending a memory touches the payload only; making it active again may find no point, so it is embedded."""
    memory_id = tell(store, ann, text("a", 1))
    _apply_all(store, live)
    with store.unit(ann) as unit:
        unit.end([memory_id], Status.EXPIRED, at=unit.now, reason="ttl", actor="lifecycle")
    (row,) = store.outbox.claim(live.generation_id, limit=10, lease_s=0)
    assert not row.needs_embedding
    _apply_all(store, live)
    with store.unit(ann) as unit:
        unit.rollback(memory_id, 1, reason="r", actor="application")
    (row,) = store.outbox.claim(live.generation_id, limit=10, lease_s=0)
    assert row.needs_embedding


def test_a_waiting_embedding_is_not_forgotten(store: Store, ann: Owner, live: Generation) -> None:
    """A change of status behind a text that is not applied yet leaves the row in need of an embedding."""
    memory_id = tell(store, ann, text("a", 1))
    with store.unit(ann) as unit:
        unit.end([memory_id], Status.EXPIRED, at=unit.now, reason="ttl", actor="lifecycle")
    (row,) = store.outbox.claim(live.generation_id, limit=10, lease_s=1)
    assert row.needs_embedding


def test_a_snapshot_says_when_the_index_has_caught_up(store: Store, ann: Owner, bob: Owner, live: Generation) -> None:
    """An owner is settled when no row of that owner waits for the live generation; others do not count."""
    tell(store, ann, text("a"))
    assert not store.read.snapshot(ann).is_settled
    assert store.read.snapshot(bob).is_settled
    _apply_all(store, live)
    assert store.read.snapshot(ann).is_settled


def test_transact_returns_what_the_work_returns(store: Store, ann: Owner) -> None:
    """A unit given as a function is committed and its result handed back."""
    record = store.transact(ann, lambda unit: unit.append(text("a")))
    assert list(store.read.heads(ann, [record.memory_id])) == [record.memory_id]


def test_heads_can_be_chosen(store: Store, ann: Owner) -> None:
    """By status, by key and by kind, within a unit and outside."""
    tell(store, ann, salary(15), cities("上海"), text("asked", kind=Kind.EPISODE), text("fact"))
    with store.unit(ann) as unit:
        assert [head.kind for head in unit.list_heads(kinds=[Kind.EPISODE])] == [Kind.EPISODE]
        assert len(unit.list_heads(keys=["job.target_cities", "job.expected_salary"])) == 2
        assert unit.list_heads(keys=[]) == []
        assert unit.list_heads(status=Status.EXPIRED) == []
    found = store.read.list_heads(ann, kinds=[Kind.EPISODE, Kind.FACT])
    assert [head.kind for head in found] == [Kind.EPISODE, Kind.FACT]


def _apply_all(store: Store, generation: Generation) -> None:
    rows = store.outbox.claim(generation.generation_id, limit=100, lease_s=0)
    store.outbox.apply(generation.generation_id, [row.memory_id for row in rows], lambda locked: list(locked.heads))
