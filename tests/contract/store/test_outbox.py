from datetime import timedelta

import pytest

from ltm.models import Owner, Status
from ltm.ports import Failure, Generation, Locked, Store
from tests.contract.store.said import head, tell, text
from tests.support.manual_clock import ManualClock


class _IndexDownError(Exception):
    """Raised by a write to the index."""


def _done(locked: Locked) -> list[str]:
    return [*locked.heads, *locked.gone]


def test_a_claim_is_nobody_elses(store: Store, ann: Owner, live: Generation, clock: ManualClock) -> None:
    """Claimed rows come back when their lease has run out, and not before."""
    first, second = tell(store, ann, text("a")), tell(store, ann, text("b"))
    claimed = store.outbox.claim(live.generation_id, limit=1, lease_s=30)
    rest = store.outbox.claim(live.generation_id, limit=10, lease_s=30)
    assert [row.memory_id for row in (*claimed, *rest)] == [first, second]
    assert store.outbox.claim(live.generation_id, limit=10, lease_s=30) == []
    clock.advance(31)
    assert len(store.outbox.claim(live.generation_id, limit=10, lease_s=30)) == 2


def test_a_clock_that_is_set_back_holds_nothing_up(
    store: Store, ann: Owner, live: Generation, clock: ManualClock
) -> None:
    """What was raised by a clock that ran ahead is due all the same, of one owner or of all; waits and leases last."""
    clock.advance(86_400)
    old = tell(store, ann, text("a"))
    clock.advance(-86_400)
    new = tell(store, ann, text("b"))
    later = clock.now() + timedelta(minutes=10)
    store.outbox.fail(live.generation_id, [Failure(memory_id=new, error="index", next_attempt_at=later)])
    bob = Owner(namespace="n", user_id="bob")
    assert store.outbox.claim(live.generation_id, limit=9, lease_s=30, owner=bob) == []
    [row] = store.outbox.claim(live.generation_id, limit=9, lease_s=30, owner=ann)
    assert row.memory_id == old
    assert store.outbox.claim(live.generation_id, limit=9, lease_s=30) == []
    clock.advance(31)
    assert [row.memory_id for row in store.outbox.claim(live.generation_id, limit=9, lease_s=30)] == [old]


def test_a_released_claim_is_due_at_once(store: Store, ann: Owner, live: Generation, clock: ManualClock) -> None:
    """No attempt is counted; what was settled, failed or claimed again since is left as it is."""
    first, second, third = (tell(store, ann, text(each)) for each in "abc")
    rows = store.outbox.claim(live.generation_id, limit=9, lease_s=30)
    store.outbox.apply(live.generation_id, [first], _done)
    later = clock.now() + timedelta(seconds=60)
    store.outbox.fail(live.generation_id, [Failure(memory_id=second, error="index", next_attempt_at=later)])
    store.outbox.release(rows)
    [again] = store.outbox.claim(live.generation_id, limit=9, lease_s=20)
    assert (again.memory_id, again.attempts) == (third, 0)
    store.outbox.release(rows)
    assert store.outbox.claim(live.generation_id, limit=9, lease_s=30) == []
    store.outbox.release([])


def test_apply_hands_over_the_heads_as_they_are_now(store: Store, ann: Owner, live: Generation) -> None:
    """However old the row is, the head written is that of now; then the row is settled."""
    memory_id = tell(store, ann, text("old", 1))
    row = store.outbox.claim(live.generation_id, limit=10, lease_s=30)
    tell(store, ann, text("new", 2, memory_id=memory_id))
    seen: list[Locked] = []

    def write(locked: Locked) -> list[str]:
        seen.append(locked)
        return _done(locked)

    assert store.outbox.apply(live.generation_id, [item.memory_id for item in row], write) == 1
    assert seen[0].heads[memory_id].head == head(store, ann, memory_id)
    assert seen[0].heads[memory_id].owner == ann
    assert store.outbox.lag(live.generation_id).rows == 0


def test_only_what_was_written_is_settled(store: Store, ann: Owner, live: Generation) -> None:
    """A memory that the writer passes over stays in the outbox."""
    first, second = tell(store, ann, text("a")), tell(store, ann, text("b"))
    assert store.outbox.apply(live.generation_id, [first, second], lambda locked: [first]) == 1
    assert [row.memory_id for row in store.outbox.claim(live.generation_id, limit=9, lease_s=1)] == [second]


def test_nothing_is_settled_when_writing_fails(store: Store, ann: Owner, live: Generation) -> None:
    """The writer's own exception comes out as it is."""
    memory_id = tell(store, ann, text("a"))

    def write(locked: Locked) -> list[str]:
        raise _IndexDownError

    with pytest.raises(_IndexDownError):
        store.outbox.apply(live.generation_id, [memory_id], write)
    assert store.outbox.lag(live.generation_id).rows == 1


def test_an_erased_memory_is_handed_over_as_gone(store: Store, ann: Owner, live: Generation) -> None:
    """Its point has to be removed, and only then its row is settled."""
    memory_id = tell(store, ann, text("a"))
    store.outbox.apply(live.generation_id, [memory_id], _done)
    store.erasure.erase_memory(ann, memory_id)
    (row,) = store.outbox.claim(live.generation_id, limit=9, lease_s=1)
    seen: list[Locked] = []

    def write(locked: Locked) -> list[str]:
        seen.append(locked)
        return _done(locked)

    store.outbox.apply(live.generation_id, [row.memory_id], write)
    assert (seen[0].heads, seen[0].gone) == ({}, (memory_id,))
    assert store.outbox.lag(live.generation_id).rows == 0


def test_apply_takes_ids_that_are_not_in_the_outbox(store: Store, ann: Owner, live: Generation) -> None:
    """Applying twice is no error; nothing at all is nothing."""
    memory_id = tell(store, ann, text("a"))
    assert store.outbox.apply(live.generation_id, [memory_id], _done) == 1
    assert store.outbox.apply(live.generation_id, [memory_id], _done) == 0
    assert store.outbox.apply(live.generation_id, [], _done) == 0


def test_failures_back_off_and_die_visibly(store: Store, ann: Owner, live: Generation, clock: ManualClock) -> None:
    """A failed row waits; one without a next attempt is a dead letter until somebody revives it or writes again."""
    memory_id = tell(store, ann, text("a"))
    generation = live.generation_id
    later = clock.now() + timedelta(seconds=60)
    store.outbox.fail(generation, [Failure(memory_id=memory_id, error="index", next_attempt_at=later)])
    assert store.outbox.claim(generation, limit=9, lease_s=1) == []
    clock.advance(60)
    (row,) = store.outbox.claim(generation, limit=9, lease_s=1)
    assert (row.attempts, row.last_error) == (1, "index")
    store.outbox.fail(generation, [Failure(memory_id=memory_id, error="index", next_attempt_at=None)])
    clock.advance(10_000)
    assert store.outbox.claim(generation, limit=9, lease_s=1) == []
    lag = store.outbox.lag(generation)
    assert (lag.rows, lag.dead) == (0, 1)
    assert [(row.memory_id, row.attempts) for row in store.outbox.dead_letters(generation, limit=9)] == [(memory_id, 2)]
    assert not store.read.snapshot(ann).is_settled
    assert store.outbox.revive(generation) == 1
    (row,) = store.outbox.claim(generation, limit=9, lease_s=1)
    assert row.attempts == 0
    store.outbox.fail(generation, [Failure(memory_id=memory_id, error="index", next_attempt_at=None)])
    tell(store, ann, text("b", 2, memory_id=memory_id))
    assert store.outbox.lag(generation).dead == 0


def test_lag_counts_rows_and_seconds(store: Store, ann: Owner, live: Generation, clock: ManualClock) -> None:
    """The age is that of the oldest waiting row, also when it was raised again."""
    assert store.outbox.lag(live.generation_id).seconds == 0.0
    memory_id = tell(store, ann, text("a", 1))
    clock.advance(90)
    tell(store, ann, text("b", 2, memory_id=memory_id), text("c"))
    lag = store.outbox.lag(live.generation_id)
    assert (lag.rows, lag.seconds, lag.dead) == (2, 90.0, 0)


def test_memories_can_be_raised_by_hand(store: Store, ann: Owner, live: Generation) -> None:
    """For repair; an id without a memory is raised too, so that its point is removed."""
    memory_id = tell(store, ann, text("a"))
    store.outbox.apply(live.generation_id, [memory_id], _done)
    store.outbox.enqueue(live.generation_id, [memory_id, "unknown"])
    rows = store.outbox.claim(live.generation_id, limit=9, lease_s=1)
    assert sorted(row.memory_id for row in rows) == sorted([memory_id, "unknown"])
    assert not store.read.snapshot(ann).is_settled


def test_heads_can_be_locked_without_settling(store: Store, ann: Owner, bob: Owner, live: Generation) -> None:
    """For a rebuild; heads of several owners at once, each with its owner."""
    first, second = tell(store, ann, text("a")), tell(store, bob, text("b"))
    seen: list[Locked] = []
    store.outbox.locked([second, first, "unknown"], seen.append)
    assert {memory_id: item.owner for memory_id, item in seen[0].heads.items()} == {first: ann, second: bob}
    assert seen[0].gone == ("unknown",)
    assert store.outbox.lag(live.generation_id).rows == 2


def test_jobs_read_heads_of_all_owners(store: Store, ann: Owner, bob: Owner) -> None:
    """In pages by memory id, of every status or of some."""
    ids = sorted([tell(store, ann, text("a")), tell(store, bob, text("b")), tell(store, ann, text("c"))])
    with store.unit(bob) as unit:
        unit.end([ids[1]], Status.EXPIRED, at=unit.now, reason="ttl", actor="lifecycle")
    page = store.read.scan(limit=2)
    rest = store.read.scan(after=page[-1].head.memory_id, limit=2)
    assert [item.head.memory_id for item in (*page, *rest)] == ids
    assert [item.owner for item in store.read.scan(limit=9, statuses=[Status.EXPIRED])] == [bob]
    assert {key: item.owner for key, item in store.read.owned([*ids, "x"]).items()} == {
        ids[0]: ann,
        ids[1]: bob,
        ids[2]: ann,
    }


def test_an_empty_index_hides_nothing_while_every_memory_waits(store: Store, ann: Owner, live: Generation) -> None:
    """Dead letters wait too, ended memories need no point, and what was settled once was in the index."""
    assert store.outbox.has_all(live.generation_id)
    first, second = tell(store, ann, text("a")), tell(store, ann, text("b"))
    store.outbox.fail(live.generation_id, [Failure(memory_id=first, error="index", next_attempt_at=None)])
    assert store.outbox.has_all(live.generation_id)
    store.outbox.apply(live.generation_id, [second], _done)
    assert not store.outbox.has_all(live.generation_id)
    with store.unit(ann) as unit:
        unit.end([second], Status.EXPIRED, at=unit.now, reason="ttl", actor="lifecycle")
    assert store.outbox.has_all(live.generation_id)
