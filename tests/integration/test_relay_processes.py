"""Several relay processes on one database and one index: each row is applied once, also when one of them is killed."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from indexing.relay import RelayOptions
from ltm.apply.backoff import Backoff
from ltm.errors import VectorIndexError
from ltm.house import House
from tests.support.houses import compare, house_of, remember_texts
from tests.support.relay_process import RelayProcess
from tests.support.stand_in_index import StandInAdmin, StandInIndex

OUTAGES = Backoff(first_s=0.05, longest_s=0.05)
SOON_S = 20.0
StartRelay = Callable[..., RelayProcess]


@pytest.fixture
def house(empty_url: str, tmp_path: Path, admin: StandInAdmin) -> Iterator[House]:
    """Return a store whose index is in this process."""
    with house_of(empty_url, tmp_path, admin) as opened:
        opened.make_ready()
        yield opened


@pytest.fixture
def start_relay(empty_url: str, tmp_path: Path, index: StandInIndex) -> Iterator[StartRelay]:
    """Return what starts a relay under a name; whatever still runs is ended."""
    with ExitStack() as running:

        def start(name: str, *, lease_s: float | None = None) -> RelayProcess:
            options = RelayOptions(batch=16, lease_s=lease_s, idle_s=0.02, outages=OUTAGES)
            relay = RelayProcess(empty_url, tmp_path, index, options, name=name)
            running.callback(relay.end)
            return relay

        yield start


def wait_until_nothing_waits(house: House) -> None:
    """Wait until the outbox of the live generation is empty."""
    number, deadline = house.spaces.live().generation.generation_id, time.monotonic() + SOON_S
    while (lag := house.store.outbox.lag(number)).rows:
        assert time.monotonic() < deadline, f"{lag.rows} rows still wait"
        time.sleep(0.02)
    assert lag.dead == 0


def raise_rows(house: House, index: StandInIndex, ids: list[str], note: Callable[[list[str]], None]) -> None:
    """Take the points of memories away and raise a row for each of them at once; `note` hears of every write."""
    index.delete(ids)
    index.before_write = note
    house.store.outbox.enqueue(house.spaces.live().generation.generation_id, ids)


def test_each_row_is_applied_by_one_of_them(house: House, index: StandInIndex, start_relay: StartRelay) -> None:
    """Every point is written exactly once, none is missing; who is asked to end does so well and leaves the rest."""
    ids = remember_texts(house, "ann", [f"likes tea number {n}" for n in range(400)])
    relays = {name: start_relay(name) for name in ("first", "second", "third")}
    written: Counter[str] = Counter()
    took_part: Counter[str] = Counter()

    def note(memory_ids: list[str]) -> None:
        written.update(memory_ids)
        name = threading.current_thread().name
        took_part[name] += 1
        # Of 25 batches; on SQLite the first to get the lock would keep it to the end.
        if took_part[name] == 10:
            relays[name].stop()

    raise_rows(house, index, ids, note)
    wait_until_nothing_waits(house)
    assert [relay.end() for relay in relays.values()] == [0, 0, 0]
    assert written == Counter(ids)
    assert took_part.keys() == relays.keys()
    assert compare(house).is_clean


def test_what_a_killed_relay_had_claimed_comes_back(house: House, index: StandInIndex, start_relay: StartRelay) -> None:
    """Others get its rows when the lease is over, not before, and nothing is lost."""
    lease_s = 3.0
    claimed: dict[str, float] = {}
    later: dict[str, float] = {}
    is_writing, is_killed = threading.Event(), threading.Event()

    def note(memory_ids: list[str]) -> None:
        if threading.current_thread().name != "killed":
            later.update(dict.fromkeys(memory_ids, time.monotonic()))
            return
        claimed.update(dict.fromkeys(memory_ids, time.monotonic()))
        is_writing.set()
        is_killed.wait(SOON_S)
        raise VectorIndexError("nobody waits for this any more")

    ids = remember_texts(house, "ann", [f"likes tea number {n}" for n in range(64)])
    victim = start_relay("killed", lease_s=lease_s)
    raise_rows(house, index, ids, note)
    assert is_writing.wait(SOON_S)
    victim.kill()
    is_killed.set()
    start_relay("second", lease_s=lease_s)
    wait_until_nothing_waits(house)
    assert len(claimed) == 16
    assert later.keys() == set(ids)
    assert min(later[one] - claimed[one] for one in claimed) > lease_s / 2
    assert compare(house).is_clean
