"""A SQLite file that holds what nobody wrote, has lost its last commits or has no room: an error, or less and right."""

import os
import resource
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event

import pytest

from indexing.mending import mend_generation, sample_of, verify_generation
from indexing.opening import find_generation
from indexing.progress import Silent
from ltm import Memory, Settings
from ltm.errors import ConfigurationError, StoreUnavailableError
from ltm.house import House
from ltm.wiring import open_house
from tests.support.houses import house_of
from tests.support.stand_in_index import StandInAdmin

SETTINGS = Settings(embedder="hash")
TEXTS = [f"likes tea number {number}" for number in range(12)]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Return a store of two users, closed."""
    folder = tmp_path / "store"
    with Memory.open(folder, settings=SETTINGS) as memory:
        for user in ("ann", "bob"):
            memory.remember(user, "lives in Hangzhou", key="home", value="Hangzhou", session_id="s1")
    return folder


@contextmanager
def opened(folder: Path) -> Iterator[House]:
    """Open a store."""
    with closing(open_house(folder, SETTINGS)) as house:
        yield house


def damage(folder: Path, table: str, change: str) -> None:
    """Change a row of ann's as no version of the library would."""
    ann = "SELECT memory_id FROM memories WHERE owner = (SELECT id FROM users WHERE user_id = 'ann')"
    with closing(sqlite3.connect(folder / "memory.sqlite3")) as connection:
        assert connection.execute(f"UPDATE {table} SET {change} WHERE memory_id = ({ann})").rowcount == 1
        connection.commit()


Call = Callable[[Memory], object]


def _list(memory: Memory) -> object:
    return memory.list("ann")


def _history(memory: Memory) -> object:
    return memory.history("ann", key="home")


def _recall(memory: Memory) -> object:
    return memory.recall("ann", "home")


@pytest.mark.parametrize(
    ("table", "change", "call"),
    [
        ("memories", "status = 'purple'", _recall),
        ("memories", "value = '{bad'", _list),
        ("memory_versions", "value = '{bad'", _history),
        ("memory_versions", "recorded_at = 'soon'", _history),
        ("evidence", "said_at = 'soon'", _list),
    ],
)
def test_a_damaged_row_is_told_as_such(store: Path, table: str, change: str, call: Call) -> None:
    """The error names the table and says what helps; nobody else is affected, and erasure still works."""
    damage(store, table, change)
    with Memory.open(store, settings=SETTINGS) as memory:
        with pytest.raises(ConfigurationError, match=rf"{table}.* cannot be read.*backup"):
            call(memory)
        assert [record.value for record in memory.list("bob")] == ["Hangzhou"]
        assert memory.erase("ann").verified


def test_a_damaged_outbox_row_holds_up_no_recall(store: Path) -> None:
    """A row that cannot be read leaves its memory where the index has it; the jobs and doctor say what is wrong."""
    with opened(store) as house:
        live = find_generation(house, None).generation_id
        house.store.outbox.enqueue(live, [record.memory_id for record in Memory(house).list("ann")])
    damage(store, "outbox", "raised_at = 'soon'")
    with opened(store) as house:
        memory = Memory(house)
        assert [item.memory.value for item in memory.recall("ann", "home", min_relevance=0).items] == ["Hangzhou"]
        memory.remember("ann", "likes tea")
        assert len(memory.recall("ann", "tea", min_relevance=0).items) == 2
        with pytest.raises(ConfigurationError, match="outbox cannot be read"):
            house.store.outbox.lag(live)


def test_an_outbox_row_of_no_memory_is_dropped_or_dead(store: Path) -> None:
    """An id that is none neither stops the others nor is tried for ever."""
    with opened(store) as house:
        live = find_generation(house, None).generation_id
        house.store.outbox.enqueue(live, ["no id", *(record.memory_id for record in Memory(house).list("ann"))])
        recall = Memory(house).recall("ann", "home", min_relevance=0)
        assert (len(recall.items), recall.degraded) == (1, ())
        assert house.store.outbox.lag(live).rows == 0


@contextmanager
def _full_disk(log: Path) -> Iterator[None]:
    """Let no file of this process grow beyond what the log has now, as a disk without room does."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (log.stat().st_size + 30_000, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def _fill(memory: Memory, kept: set[str]) -> None:
    for number in range(100):
        kept.add(memory.remember("ann", f"{number} " + "tea " * 1000).memory_id)


def test_a_full_disk_refuses_and_keeps(tmp_path: Path) -> None:
    """What was acknowledged is there, what was refused is not, recall goes on, and with room so does writing."""
    with house_of(f"sqlite:///{tmp_path / 'memory.sqlite3'}", tmp_path, StandInAdmin()) as house:
        memory = Memory(house)
        kept = {memory.remember("ann", "likes green tea").memory_id}
        with _full_disk(tmp_path / "memory.sqlite3-wal"):
            with pytest.raises(StoreUnavailableError, match="the disk"):
                _fill(memory, kept)
            assert memory.recall("ann", "green tea", min_relevance=0).degraded == ()
            assert {record.memory_id for record in memory.list("ann")} == kept
        kept.add(memory.remember("ann", "likes black tea").memory_id)
        assert {record.memory_id for record in memory.list("ann")} == kept


@pytest.fixture
def crashed(tmp_path: Path) -> Path:
    """Return a store whose last commits are in the log only, as a crash leaves it, with its index."""
    alive, folder = tmp_path / "alive", tmp_path / "crashed"
    with opened(alive) as house:
        for text in TEXTS:
            Memory(house).remember("ann", text)
        folder.mkdir()
        for name in ("memory.sqlite3", "memory.sqlite3-wal"):
            shutil.copy(alive / name, folder / name)
    shutil.copytree(alive / "index", folder / "index")
    return folder


def _halve(log: Path) -> None:
    os.truncate(log, log.stat().st_size // 2 + 17)


def _scribble(log: Path) -> None:
    with log.open("r+b") as file:
        file.seek(log.stat().st_size // 2)
        file.write(b"\xa5" * 999)


@pytest.mark.parametrize("cut", [_halve, _scribble])
def test_a_cut_log_costs_its_last_commits_and_nothing_else(crashed: Path, cut: Callable[[Path], None]) -> None:
    """What is left is what was said first; what the index has beyond that is never recalled, found, and removed."""
    cut(crashed / "memory.sqlite3-wal")
    with opened(crashed) as house:
        memory = Memory(house)
        texts = [record.text for record in memory.list("ann")]
        assert 0 < len(texts) < len(TEXTS)
        assert texts == TEXTS[: len(texts)]
        recall = memory.recall("ann", "likes tea number 11", min_relevance=0, limit=100)
        assert {item.memory.text for item in recall.items} <= {*texts}
        live = find_generation(house, None)
        sampling = sample_of(house, 100, 0)
        report = verify_generation(house, live, sampling=sampling, watch=Silent(), stop=Event())
        assert report.different == len(TEXTS) - len(texts)
        mended = mend_generation(house, live, sampling=sampling, jitter=lambda: 0.5, watch=Silent(), stop=Event())
        assert mended.is_clean


def test_a_lost_log_leaves_a_store_that_works(crashed: Path) -> None:
    """Where the log was all there was, the store begins anew beside an index full of strangers, and shows none."""
    (crashed / "memory.sqlite3-wal").unlink()
    with opened(crashed) as house:
        memory = Memory(house)
        assert memory.list("ann") == []
        memory.remember("ann", "likes coffee")
        recall = memory.recall("ann", "tea", min_relevance=0)
        assert [item.memory.text for item in recall.items] == ["likes coffee"]
