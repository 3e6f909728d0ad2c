"""The index is gone while SQL is whole: recall says so and answers by words, a job mends it, nobody makes it empty."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event

import pytest
from qdrant_client import QdrantClient

from indexing.mending import mend_generation, verify_generation
from indexing.opening import find_generation
from indexing.progress import Silent
from indexing.relay import Relay
from indexing.verify import Report, Sampling
from ltm.errors import VectorIndexError
from ltm.house import House
from ltm.index.server_admin import ServerIndexAdmin
from ltm.memory import Memory
from ltm.models import Kind, Owner
from ltm.ports import NewVersion
from ltm.settings import Settings
from ltm.wiring import open_parts
from tests.support.houses import house_of

ANN = Owner(namespace="default", user_id="ann")
ALL = Sampling(every=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A store that can be opened again and again.

    Attributes:
        open: Opens it as a new process would.
        lose: Removes every generation of the index behind everybody's back.
    """

    open: Callable[[], AbstractContextManager[House]]
    lose: Callable[[], None]


@pytest.fixture(params=["embedded", "client"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """Return an empty store with its index in a folder, or behind the client of a server."""
    if request.param == "embedded":
        return Place(open=lambda: _embedded(tmp_path), lose=lambda: _remove_folders(tmp_path / "index"))
    served: Place = request.getfixturevalue("served")
    return served


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Place]:
    """Return an empty store with its index behind the client of a server."""
    client = QdrantClient(":memory:", force_disable_check_same_thread=True)
    url = f"sqlite:///{tmp_path / 'memory.sqlite3'}"
    yield Place(
        open=lambda: house_of(url, tmp_path, ServerIndexAdmin(client, prefix="ltm-test")),
        lose=lambda: _remove_collections(client),
    )
    client.close()


@contextmanager
def _embedded(folder: Path) -> Iterator[House]:
    house = open_parts(folder, Settings(embedder="hash"))
    try:
        yield house
    finally:
        house.close()


def _remove_folders(index: Path) -> None:
    for generation in index.glob("g*"):
        shutil.rmtree(generation)


def _remove_collections(client: QdrantClient) -> None:
    for each in client.get_collections().collections:
        client.delete_collection(each.name)


@pytest.fixture
def lost(place: Place) -> Place:
    """Return a store of two users whose index is gone."""
    with place.open() as house:
        memory = Memory(house)
        memory.remember("ann", "likes green tea")
        memory.remember("ann", "plays badminton on Monday")
        memory.remember("bob", "plays chess")
    place.lose()
    return place


def recall(house: House, intent: str = "green tea") -> tuple[list[str], tuple[str, ...]]:
    """Return the first that ann recalls, and what was degraded."""
    found = Memory(house).recall("ann", intent, min_relevance=0, limit=1)
    return [item.memory.text for item in found.items], found.degraded


def verify(house: House) -> Report:
    """Compare the live generation."""
    return verify_generation(house, find_generation(house, None), sampling=ALL, watch=Silent(), stop=Event())


def relay(house: House) -> Relay:
    """Return a relay."""
    return Relay(house.store, house.spaces, clock=house.clock, jitter=lambda: 0.5)


def test_recall_says_that_the_index_is_gone(lost: Place, caplog: pytest.LogCaptureFixture) -> None:
    """It answers by words, flagged, names the command once, and makes nothing."""
    with lost.open() as house:
        for _ in range(3):
            assert recall(house) == (["likes green tea"], ("index",))
        assert house.admin.names() == []
    warnings = [line for line in caplog.messages if "`python -m indexing repair`" in line]
    assert len(warnings) == 1


def test_an_index_that_goes_under_a_running_process(served: Place) -> None:
    """A deleted collection is an index that is down: nothing is made, writes wait, and after a repair all is whole."""
    with served.open() as house, served.open() as job:
        memory = Memory(house)
        memory.remember("ann", "likes green tea")
        assert recall(house) == (["likes green tea"], ())
        served.lose()
        memory.remember("ann", "swims in the lake")
        assert recall(house, "lake") == (["swims in the lake"], ("index",))
        assert house.admin.names() == []
        assert memory.erase("bob").queued
        repaired = mend_generation(
            job, find_generation(job, None), sampling=ALL, jitter=lambda: 0.5, watch=Silent(), stop=Event()
        )
        assert repaired.is_clean
        assert recall(house, "lake") == (["swims in the lake"], ())
        assert recall(house) == (["likes green tea"], ())


def test_what_is_written_meanwhile_waits(lost: Place) -> None:
    """A write is committed and recalled by words; a relay says what is wrong instead of filling an empty index."""
    with lost.open() as house:
        Memory(house).remember("ann", "swims in the lake")
        assert recall(house, "lake") == (["swims in the lake"], ("index",))
        with pytest.raises(VectorIndexError, match="ltm index reindex"):
            relay(house).once(Event())
        assert house.store.outbox.lag(find_generation(house, None).generation_id).rows == 1
        assert house.admin.names() == []


def test_verify_finds_it_and_repair_mends_it(lost: Place) -> None:
    """A new generation of the same embedder takes its place, and recall is whole again."""
    with lost.open() as house:
        report = verify(house)
        assert not report.is_clean
        assert "there is no" in (report.unusable or "")
        mended = mend_generation(
            house,
            find_generation(house, None),
            sampling=ALL,
            jitter=lambda: 0.5,
            watch=Silent(),
            stop=Event(),
        )
        assert mended.rebuilt is not None
        assert mended.is_clean
        assert verify(house).is_clean
        assert recall(house) == (["likes green tea"], ())


def test_a_generation_whose_index_was_never_made_is_made(place: Place) -> None:
    """After a crash between the generation's row and its index every memory still waits: making it loses nothing."""
    with place.open() as house:
        house.make_ready()
        with house.store.unit(ANN) as unit:
            unit.append(NewVersion(text="likes green tea", kind=Kind.FACT, valid_from=unit.now))
        assert house.admin.names() == []
    with place.open() as house:
        relay(house).once(Event())
        assert recall(house) == (["likes green tea"], ())
        assert verify(house).is_clean


def test_an_index_of_nothing_is_made_again(place: Place) -> None:
    """Where every memory has ended, an empty index is as right as the one that is gone."""
    with place.open() as house:
        record = Memory(house).remember("ann", "likes green tea")
        Memory(house).retract("ann", record.memory_id)
    place.lose()
    with place.open() as house:
        assert recall(house) == ([], ())
        assert verify(house).is_clean


def test_an_erasure_does_not_count_a_lost_index_as_clean(lost: Place) -> None:
    """The volume may come back, with the erased points on it: SQL is clean, the rest is queued."""
    with lost.open() as house:
        report = Memory(house).erase("ann")
        assert (report.verified, report.queued) == (False, True)
        assert Memory(house).list("ann") == []
        assert house.admin.names() == []


def test_what_is_being_built_is_made_by_whoever_comes_first(place: Place) -> None:
    """A writer, an eraser or a relay that sees the row before the index need not wait: nobody reads it yet."""
    with place.open() as house:
        Memory(house).remember("ann", "likes green tea")
        Memory(house).remember("bob", "plays chess")
        live = find_generation(house, None)
        new = house.store.generations.create("g2", fingerprint=live.fingerprint, spec=house.embedder.spec)
        report = Memory(house).erase("ann")
        assert (report.verified, report.queued) == (True, False)
        assert house.admin.names() == [live.name, new.name]


def test_a_folder_that_the_disk_refuses_is_an_index_that_is_down(tmp_path: Path) -> None:
    """What the system says of the lock's file is the index's error: a write is kept, a recall goes by words."""
    with _embedded(tmp_path) as house:
        Memory(house).remember("ann", "likes green tea")
    lock = tmp_path / "index" / ".lock"
    lock.unlink()
    lock.mkdir()
    with _embedded(tmp_path) as house:
        memory = Memory(house)
        memory.remember("ann", "likes black tea")
        recalled = memory.recall("ann", "tea", min_relevance=0)
        assert (len(recalled.items), recalled.degraded) == (2, ("index",))
        assert memory.erase("ann").queued
        with pytest.raises(VectorIndexError, match="Is a directory"):
            house.admin.drop(house.admin.names()[0])
