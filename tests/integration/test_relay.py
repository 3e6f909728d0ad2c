"""The relay over SQLite and MariaDB, with a stand-in for the index's server."""

import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

from indexing.difference import Fault
from indexing.relay import Relay, RelayOptions
from ltm.apply.backoff import Backoff
from ltm.errors import ModelError, StoreUnavailableError, VectorIndexError
from ltm.house import House
from ltm.memory import Memory
from ltm.models import Status
from ltm.ports import Generation
from tests.support.embedders import Watched
from tests.support.houses import compare, house_of, remember_texts
from tests.support.stand_in_index import StandInAdmin, StandInIndex

QUICK = Backoff(first_s=0.001, longest_s=0.001, attempts=3)


@pytest.fixture
def embedder() -> Watched:
    """Return an embedder that the test controls."""
    return Watched()


@pytest.fixture
def house(empty_url: str, tmp_path: Path, admin: StandInAdmin, embedder: Watched) -> Iterator[House]:
    """Return an empty store with a live generation."""
    with house_of(empty_url, tmp_path, admin, embedder=embedder) as opened:
        opened.make_ready()
        yield opened


def relay_of(house: House, *, batch: int = 16) -> Relay:
    """Return a relay that tries again at once."""
    options = RelayOptions(batch=batch, backoff=QUICK, outages=Backoff(first_s=0.02, longest_s=0.02), idle_s=0.01)
    return Relay(house.store, house.spaces, clock=house.clock, jitter=lambda: 0.5, options=options)


def live(house: House) -> Generation:
    """Return the live generation."""
    found = house.store.generations.find_live()
    assert found is not None
    return found


def write_unseen(house: House, index: StandInIndex, count: int) -> list[str]:
    """Write memories of several users while the index is down."""
    index.is_down = True
    ids = [
        memory_id
        for user in range(4)
        for memory_id in remember_texts(house, f"u{user}", [f"likes tea number {n}" for n in range(count // 4)])
    ]
    index.is_down = False
    return ids


def test_what_a_writer_could_not_bring_reaches_the_index(house: House, index: StandInIndex) -> None:
    """After one run every memory has the point of its head, and nothing waits."""
    write_unseen(house, index, 40)
    assert compare(house).in_flight == 40
    tally = relay_of(house).once(threading.Event())
    assert (tally.rows, tally.settled, tally.failed) == (40, 40, 0)
    assert compare(house).is_clean
    assert house.store.outbox.lag(live(house).generation_id).rows == 0


def test_several_relays_share_the_rows(
    empty_url: str, tmp_path: Path, admin: StandInAdmin, house: House, index: StandInIndex
) -> None:
    """Four relays with connections of their own write every point exactly once."""
    ids = write_unseen(house, index, 400)
    written: Counter[str] = Counter()
    index.before_write = written.update
    with ExitStack() as opened, ThreadPoolExecutor(4) as pool:
        houses = [opened.enter_context(house_of(empty_url, tmp_path, admin)) for _ in range(4)]
        ready = threading.Barrier(4)

        def work(own: House) -> int:
            ready.wait()
            return relay_of(own).once(threading.Event()).settled

        settled = list(pool.map(work, houses))
    assert sum(settled) == 400
    assert written == Counter(ids)
    assert compare(house).is_clean


def test_a_row_that_cannot_be_applied_holds_up_nobody(house: House, index: StandInIndex) -> None:
    """It is tried again, becomes a dead letter, and is applied after `retry` once its cause is gone."""
    ids = write_unseen(house, index, 40)
    index.refused = {ids[7]}
    relay, number = relay_of(house), live(house).generation_id
    for _ in range(QUICK.attempts):
        relay.once(threading.Event())
        threading.Event().wait(0.01)
    [dead] = house.store.outbox.dead_letters(number, limit=10)
    assert (dead.memory_id, dead.attempts, dead.last_error) == (ids[7], QUICK.attempts, "VectorIndexError")
    assert compare(house).faults == {Fault.MISSING: 1}
    index.refused = set()
    assert house.store.outbox.revive(number) == 1
    assert relay.once(threading.Event()).settled == 1
    assert compare(house).is_clean


@pytest.mark.parametrize("part", ["index", "embedder"])
def test_an_outage_counts_no_attempt(house: House, index: StandInIndex, embedder: Watched, part: str) -> None:
    """However often a dead part is asked, no row becomes a dead letter; when it is back, every row is due at once."""
    write_unseen(house, index, 8)
    index.is_down, embedder.is_down = part == "index", part == "embedder"
    relay = relay_of(house)
    for _ in range(QUICK.attempts + 1):
        with pytest.raises((VectorIndexError, ModelError)):
            relay.once(threading.Event())
    assert house.store.outbox.lag(live(house).generation_id).dead == 0
    index.is_down = embedder.is_down = False
    assert relay.once(threading.Event()).settled == 8
    assert compare(house).is_clean


def test_removals_go_through_while_the_embedder_is_down(house: House, index: StandInIndex, embedder: Watched) -> None:
    """A retracted memory needs no vector to disappear from the index."""
    [first, _] = remember_texts(house, "ann", ["likes tea", "likes cake"])
    index.is_down = True
    Memory(house).retract("ann", first)
    remember_texts(house, "ann", ["likes jam"])
    index.is_down, embedder.is_down = False, True
    with pytest.raises(ModelError):
        relay_of(house).once(threading.Event())
    assert index.points[first].status is Status.RETRACTED


def test_what_changes_while_it_is_embedded_ends_as_the_head_is(
    house: House, index: StandInIndex, embedder: Watched
) -> None:
    """The row stays until the point is that of the head."""
    index.is_down = True
    memory = Memory(house)
    memory.remember("ann", "lives in Hangzhou", key="home", value="Hangzhou")
    index.is_down = False

    def move() -> None:
        index.is_down = True
        memory.remember("ann", "lives in Shanghai", key="home", value="Shanghai")
        index.is_down = False

    embedder.plan(move)
    relay_of(house).once(threading.Event())
    assert compare(house).is_clean
    assert [point.version for point in index.points.values()] == [2]


def test_what_is_erased_while_it_is_embedded_does_not_return(
    house: House, index: StandInIndex, embedder: Watched
) -> None:
    """A relay that already holds the text writes nothing."""
    write_unseen(house, index, 4)

    def erase() -> None:
        for user in range(4):
            Memory(house).erase(f"u{user}")

    embedder.plan(erase)
    relay_of(house).once(threading.Event())
    assert index.points == {}
    assert compare(house).is_clean


def test_the_relay_serves_what_is_built_and_not_what_is_retired(house: House, admin: StandInAdmin) -> None:
    """A new generation gets its rows; a retired one keeps them for a rollback."""
    generations, spec = house.store.generations, house.embedder.spec
    retired = live(house)
    second = generations.create("g2", fingerprint=retired.fingerprint, spec=spec)
    generations.switch(second.generation_id)
    building = generations.create("g3", fingerprint=retired.fingerprint, spec=spec)
    remember_texts(house, "ann", ["likes tea"])
    stop = threading.Event()
    thread = threading.Thread(target=relay_of(house).run, args=(stop,))
    thread.start()
    for _ in range(200):
        if house.store.outbox.lag(building.generation_id).rows == 0:
            break
        stop.wait(0.01)
    stop.set()
    thread.join()
    lags = {each.name: house.store.outbox.lag(each.generation_id).rows for each in generations.list_all()}
    assert lags == {retired.name: 1, "g2": 0, "g3": 0}
    assert len(admin.generations["g3"][1].points) == 1


def test_the_relay_outlives_an_outage(house: House, index: StandInIndex, caplog: pytest.LogCaptureFixture) -> None:
    """It says that a part is away, waits, and goes on when the part is back."""
    caplog.set_level("INFO")
    index.is_down = True
    remember_texts(house, "ann", ["likes tea"])
    stop = threading.Event()
    thread = threading.Thread(target=relay_of(house).run, args=(stop,))
    thread.start()
    stop.wait(0.1)
    index.is_down = False
    number = live(house).generation_id
    for _ in range(300):
        if house.store.outbox.lag(number).rows == 0:
            break
        stop.wait(0.01)
    stop.set()
    thread.join()
    assert compare(house).is_clean
    assert any("waits" in line and "VectorIndexError" in line for line in caplog.messages)
    assert caplog.messages[-1].startswith(
        f"relay generation={live(house).name} rows_total=1 settled_total=1 failed_total=0"
    )


def test_a_dead_store_is_waited_for(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """While SQL does not answer the relay neither ends nor spins."""
    asked = 0

    def refuse() -> list[Generation]:
        nonlocal asked
        asked += 1
        raise StoreUnavailableError("away")

    monkeypatch.setattr(house.store.generations, "list_all", refuse)
    stop = threading.Event()
    thread = threading.Thread(target=relay_of(house).run, args=(stop,))
    thread.start()
    stop.wait(0.1)
    stop.set()
    thread.join(timeout=5)
    assert not thread.is_alive()
    assert 1 <= asked <= 20
