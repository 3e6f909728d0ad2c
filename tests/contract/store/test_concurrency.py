import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from ltm.clock import SystemClock
from ltm.models import Kind, Owner, Status, fingerprint
from ltm.packs.pack_set import PackSet
from ltm.ports import Generation, Locked, Store
from ltm.store import open_store
from tests.contract.store.said import append_all, cities, day, salary, tell, text
from tests.support.processes import start_together, waiting_process

THREADS = 8
ROUNDS = 10

_WRITER = """
import sys
from datetime import UTC, datetime
from ltm.clock import SystemClock
from ltm.models import Kind, Owner, fingerprint
from ltm.packs import load_packs
from ltm.ports import NewVersion, SeenTurn
from ltm.store import open_store
store = open_store(sys.argv[1], clock=SystemClock(), packs=load_packs(()), timeout_s=60)
owner = Owner(namespace="test", user_id="ann")
at = datetime(2026, 10, 1, tzinfo=UTC)
print("ready", flush=True)
sys.stdin.readline()
for number in range(int(sys.argv[2])):
    with store.unit(owner) as unit:
        unit.append(NewVersion(text=f"{sys.argv[3]}-{number}", key="k", kind=Kind.FACT, valid_from=at))
        turn = f"t{number}"
        if not unit.find_turns("s", [turn]):
            unit.add_turns([SeenTurn(session_id="s", turn_id=turn, content_hash="h")])
            unit.append(NewVersion(text=turn, kind=Kind.FACT, valid_from=at))
store.close()
"""


def _together(work: Callable[[int], None]) -> None:
    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(work, range(THREADS)))


def test_threads_on_one_key_make_one_gapless_chain(store: Store, ann: Owner, live: Generation) -> None:
    """Every write is there once, numbered without a gap, and the revision counts them all."""

    def write(thread: int) -> None:
        for number in range(ROUNDS):
            tell(store, ann, salary(thread * 100 + number, 1))

    _together(write)
    memory_id = store.read.find_memory_id(ann, "job.expected_salary")
    assert memory_id is not None
    chain = store.read.history(ann, memory_id)
    assert [record.version for record in chain] == list(range(1, THREADS * ROUNDS + 1))
    said = sorted(record.text for record in chain)
    assert said == sorted(f"期望薪资 {thread * 100 + number}" for thread in range(THREADS) for number in range(ROUNDS))
    assert [record.status for record in chain].count(Status.ACTIVE) == 1
    assert store.read.snapshot(ann).revision == THREADS * ROUNDS


def test_the_same_fact_from_many_threads_is_one_memory(store: Store, ann: Owner) -> None:
    """Looking and writing in one unit leaves no room for a duplicate."""

    def write(thread: int) -> None:
        for number in range(ROUNDS):
            with store.unit(ann) as unit:
                found = unit.find_by_fingerprint(Kind.FACT, fingerprint(None, f"fact {number}"))
                if found is None:
                    unit.append(text(f"fact {number}"))
                else:
                    unit.reinforce(found.memory_id, confidence=1.0)

    _together(write)
    assert len(store.read.list_heads(ann)) == ROUNDS


def test_many_users_and_relays_do_not_deadlock(store: Store, live: Generation) -> None:
    """Writers of several users and appliers of everybody's rows at once: nothing fails, nothing is left."""
    owners = [Owner(namespace="test", user_id=f"u{number}") for number in range(4)]

    def work(thread: int) -> None:
        for number in range(ROUNDS):
            if thread % 2:
                owner = owners[(thread + number) % 4]
                with store.unit(owner) as unit:
                    append_all(unit, [cities(f"c{number}", at=number + 1), salary(number, number + 1), text("x")])
            else:
                rows = store.outbox.claim(live.generation_id, limit=20, lease_s=0)
                ids = [row.memory_id for row in rows][:: -1 if number % 2 else 1]
                store.outbox.apply(live.generation_id, ids, _done)

    _together(work)
    while rows := store.outbox.claim(live.generation_id, limit=100, lease_s=0):
        store.outbox.apply(live.generation_id, [row.memory_id for row in rows], _done)
    assert sum(len(store.read.list_heads(owner)) for owner in owners) == 8 + 4 * ROUNDS


def test_an_eraser_among_writers_leaves_no_half_user(store: Store, ann: Owner, live: Generation) -> None:
    """Whatever is written after the last erasure is whole; nothing of before is left."""

    def work(thread: int) -> None:
        for number in range(ROUNDS):
            if thread == 0:
                store.erasure.erase_user(ann)
            else:
                with store.unit(ann) as unit:
                    append_all(unit, [salary(number, 1), text(f"{thread} {number}")])

    _together(work)
    store.erasure.erase_user(ann)
    assert store.erasure.residue(ann) == 0
    assert store.read.list_heads(ann) == []


def test_two_claimers_never_get_the_same_row(store: Store, ann: Owner, live: Generation) -> None:
    """Every row is claimed once while its lease lasts."""
    with store.unit(ann) as unit:
        append_all(unit, [text(f"fact {number}") for number in range(200)])
    claimed: list[str] = []

    def work(thread: int) -> None:
        for _ in range(ROUNDS):
            rows = store.outbox.claim(live.generation_id, limit=7, lease_s=600)
            claimed.extend(row.memory_id for row in rows)

    _together(work)
    assert len(claimed) == len(set(claimed)) == 200


def test_a_head_under_its_lock_does_not_change(store: Store, ann: Owner, live: Generation) -> None:
    """A writer of the same memory waits until the point is written."""
    memory_id = tell(store, ann, text("old", 1))
    order: list[str] = []

    def write_sql() -> None:
        tell(store, ann, text("new", 2, memory_id=memory_id))
        order.append("sql")

    with ThreadPoolExecutor(1) as pool:

        def write(locked: Locked) -> list[str]:
            writer = pool.submit(write_sql)
            assert not writer.done()
            order.append("index")
            return list(locked.heads)

        store.outbox.apply(live.generation_id, [memory_id], write)
    assert order == ["index", "sql"]
    assert [row.memory_id for row in store.outbox.claim(live.generation_id, limit=9, lease_s=1)] == [memory_id]


def test_processes_on_one_key_make_one_gapless_chain(url: str, packs: PackSet) -> None:
    """Four processes write the same user, key and turns: nothing is lost, nothing is there twice."""
    rounds = 25
    store = open_store(url, clock=SystemClock(), packs=packs)
    processes = [waiting_process([sys.executable, "-c", _WRITER, url, str(rounds), str(number)]) for number in range(4)]
    start_together(processes)
    errors = [process.communicate(timeout=100)[1] for process in processes]
    assert [process.returncode for process in processes] == [0] * 4, errors
    owner = Owner(namespace="test", user_id="ann")
    memory_id = store.read.find_memory_id(owner, "k")
    assert memory_id is not None
    chain = store.read.history(owner, memory_id)
    assert [record.version for record in chain] == list(range(1, 4 * rounds + 1))
    assert {record.text for record in chain} == {f"{number}-{turn}" for number in range(4) for turn in range(rounds)}
    assert len(store.read.list_heads(owner)) == rounds + 1
    assert store.read.as_of(owner, day(2))[0].status is Status.ACTIVE
    store.close()


def _done(locked: Locked) -> list[str]:
    return [*locked.heads, *locked.gone]
