"""The right to be forgotten: nothing is left anywhere, and nothing comes back."""

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, closing
from pathlib import Path

import pytest

from ltm import Memory, MemoryInput, Turn
from ltm.apply.drain import Drain
from ltm.embed.hashing import HashEmbedder
from ltm.errors import InvalidRequestError
from ltm.house import House
from ltm.models import Owner, Status
from ltm.ports import Matrix, Vector
from ltm.wiring import open_house
from tests.acceptance.conftest import SETTINGS
from tests.acceptance.told import CITIES, SALARY, active, day, reasons, salary, say
from tests.support.backends import BACKENDS, Backend
from tests.support.houses import house_of
from tests.support.stand_in_index import StandInAdmin, StandInIndex

USER = "erika-mustermann"
OTHER = "somebody else"
WORDS = ("绿茶", "hunter-word", "杭州", "15-20k", "欧洲之星")


@pytest.fixture
def house(folder: Path) -> Iterator[House]:
    """Return the parts of a memory on the embedded default."""
    opened = open_house(folder, SETTINGS)
    yield opened
    opened.close()


@pytest.fixture
def memory(house: House) -> Memory:
    """Return the memory that is put together from them."""
    return Memory(house)


@pytest.fixture(params=["embedded", "client", pytest.param("servers", marks=pytest.mark.service)])
def backend(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Backend]:
    """Return a memory over one of the backends."""
    with BACKENDS[request.param](tmp_path / "store", SETTINGS.packs) as opened:
        yield opened


def live_a_life(memory: Memory, user: str = USER) -> None:
    """Leave something of a user in every table, in the index, in the cache and in a chat window."""
    say(memory, user, "期望薪资 15-20k，base 只考虑杭州", on=1)
    say(memory, user, "可能上海也可以", on=2)
    say(memory, user, "唉，感觉找不到工作，不想找了", on=3)
    say(memory, user, "我已经入职了", on=4)
    memory.remember(user, "喜欢绿茶", context="欧洲之星几点开？", session_id="s9", external_id="x1", at=day(5))
    memory.remember(user, "喜欢绿茶", session_id="s10", external_id="x2", at=day(6))
    memory.remember(user, "hunter-word", key="note", value={"word": "hunter-word"}, at=day(7))
    made = memory.remember(user, "hunter-word 2", key="note", value="hunter-word 2", at=day(8))
    memory.rollback(user, made.memory_id, to_version=1, reason="not hunter-word")
    memory.retract(user, made.memory_id)
    memory.chat(user, "s11").append(Turn(role="user", text="绿茶在哪里买？", at=day(9)))
    assert memory.recall(user, "绿茶", now=day(9), min_relevance=0).items


def _seen_of(backend: Backend, user: str) -> tuple[object, ...]:
    memory = backend.memory
    chains = [memory.history(user, memory_id=item.memory_id) for item in memory.list(user, status=None)]
    points = [repr(point) for point in backend.points() if user in str(point.owner_key)]
    return chains, list(memory.decisions(user)), list(memory.pending(user)), points, memory.chat(user, "s11").turns()


def _pairs(backend: Backend) -> Iterator[bytes]:
    return (key + value for key, value in backend.cached().items())


def read_rows(folder: Path) -> str:
    """Return every row of every table of a SQLite store."""
    with closing(sqlite3.connect(folder / "memory.sqlite3")) as database:
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        return repr([row for table in tables for row in database.execute(f"SELECT * FROM {table}")])


def read_sqlite(folder: Path) -> str:
    """Return every row of every table, and every byte of every file beside the index."""
    files = [path for path in folder.iterdir() if path.is_file()]
    return read_rows(folder) + "".join(path.read_bytes().decode("utf-8", "replace") for path in files)


def test_nothing_of_an_erased_user_is_left(backend: Backend) -> None:
    """Not in a row, a point, the cache or a chat window; the report counts what there was, others are untouched."""
    memory = backend.memory
    live_a_life(memory)
    live_a_life(memory, OTHER)
    before = _seen_of(backend, OTHER)
    points = [point for point in backend.points() if USER in str(point.owner_key)]
    report = memory.erase(USER)
    assert (report.verified, report.queued) == (True, False)
    assert report.sql > 20
    assert report.index == len(points) > 0
    assert report.cache > 1
    assert USER not in backend.rows()
    assert [point for point in backend.points() if USER in str(point.owner_key)] == []
    assert backend.house.cache.count_owner(Owner(namespace="default", user_id=USER).key) == 0
    assert memory.chat(USER, "s11").turns() == ()
    assert memory.recall(USER, "绿茶", min_relevance=0).items == ()
    assert (memory.list(USER, status=None), list(memory.decisions(USER)), list(memory.pending(USER))) == ([], [], [])
    assert memory.state(USER, "job_search") == "searching"
    assert list(memory.users()) == [OTHER]
    assert _seen_of(backend, OTHER) == before
    memory.erase(OTHER)
    assert [word for word in WORDS if word in backend.rows()] == []
    assert [word for word in (*WORDS, USER) if any(word.encode() in pair for pair in _pairs(backend))] == []
    assert (backend.points(), backend.cached()) == ([], {})


def test_no_word_of_the_last_user_is_left_in_a_file(memory: Memory, folder: Path) -> None:
    """Neither in free pages nor in the log of SQLite, however much there was."""
    live_a_life(memory)
    many = [MemoryInput(text=f"绿茶 {number} " + "欧洲之星" * 50, at=day(9)) for number in range(2000)]
    memory.remember_many(USER, many)
    assert all(word in read_sqlite(folder) for word in WORDS)
    assert memory.erase(USER).verified
    dump = read_sqlite(folder)
    assert [word for word in WORDS if word in dump] == []


def test_what_was_erased_does_not_come_back(memory: Memory) -> None:
    """The same turns are refused, and so are the application's ids; new words are welcome."""
    live_a_life(memory)
    memory.erase(USER)
    assert reasons(say(memory, USER, "期望薪资 15-20k，base 只考虑杭州", on=1)) == ["erased"]
    assert reasons(say(memory, USER, "可能上海也可以", on=2)) == ["erased"]
    for external_id in ("x1", "x2"):
        with pytest.raises(InvalidRequestError, match="erased"):
            memory.remember(USER, "喜欢绿茶", external_id=external_id)
    assert memory.list(USER, status=None) == []
    assert reasons(say(memory, USER, "期望薪资 15-20k", on=30)) == ["new"]
    assert active(memory, USER) == {SALARY: salary(15000, 20000)}
    assert [item.memory.key for item in memory.recall(USER, "期望薪资", now=day(31)).items] == [SALARY]


def test_erasing_is_repeatable(memory: Memory) -> None:
    """Whoever has nothing has nothing to erase, and the report says that it was looked for."""
    live_a_life(memory)
    memory.erase(USER)
    for user in (USER, "nobody"):
        report = memory.erase(user)
        assert (report.sql, report.index, report.cache, report.verified, report.queued) == (0, 0, 0, True, False)


def test_looking_for_an_erased_user_brings_nobody_back(memory: Memory) -> None:
    """Undoing and moving in vain leaves no row behind."""
    live_a_life(memory)
    memory.erase(USER)
    assert memory.revert(USER, session_id="day-1").changes == ()
    assert memory.revert(USER, since=day(1)).changes == ()
    assert memory.transition(USER, "job_search", "searching").transition_id is None
    memory.observe(USER, [])
    memory.recall(USER, "绿茶")
    assert list(memory.users()) == []
    assert memory.erase(USER).sql == 0


def test_one_memory_goes_with_all_that_was_said_of_it(memory: Memory, folder: Path, house: House) -> None:
    """Its chain, evidence, decisions, what waits under its key, its words as another one's context; the rest stays."""
    live_a_life(memory)
    other = memory.remember(USER, "要靠窗", context="base 只考虑杭州吗？期望薪资 15-20k？", at=day(10))
    cities = memory.history(USER, key=CITIES)[0].memory_id
    before = {item.memory_id for item in memory.list(USER, status=None)}
    report = memory.erase(USER, memory_id=cities)
    assert (report.verified, report.queued, report.index) == (True, False, 1)
    assert {item.memory_id for item in memory.list(USER, status=None)} == before - {cities}
    assert memory.history(USER, key=CITIES) == []
    assert list(memory.pending(USER)) == []
    assert CITIES not in {item.candidate.key for item in memory.decisions(USER) if item.candidate}
    assert memory.get(USER, other.memory_id).context is None
    dump = read_sqlite(folder)
    assert "杭州" not in dump
    assert "上海" not in dump
    assert cities not in read_rows(folder)
    assert "绿茶" in dump
    assert house.spaces.live().index.retrieve([cities]) == []
    assert {item.memory.text for item in memory.recall(USER, "要靠窗", min_relevance=0).items} >= {"要靠窗"}
    assert reasons(say(memory, USER, "期望薪资 15-20k，base 只考虑杭州", on=1)) == ["erased"]
    memory.revert(USER, session_id="day-4")
    assert CITIES not in active(memory, USER)


def test_a_dead_index_queues_the_rest(folder: Path, tmp_path: Path) -> None:
    """The report says so, no recall shows anything already, and whoever applies the outbox later finishes it."""
    admin = StandInAdmin()
    with _stand_in(folder, tmp_path, admin) as house:
        memory = Memory(house)
        live_a_life(memory)
        (index,) = _indexes(admin)
        index.is_down = True
        report = memory.erase(USER)
        assert (report.verified, report.queued, report.index) == (False, True, 0)
        assert report.sql > 10
        index.is_down = False
        assert index.points
        assert memory.recall(USER, "绿茶", min_relevance=0).items == ()
        assert USER not in read_sqlite(folder)
        Drain(house.store, house.spaces.live(), clock=house.clock, jitter=lambda: 0.5).step()
        assert not index.points
        assert memory.erase(USER).verified


def test_a_relay_that_held_an_old_row_brings_nothing_back(folder: Path, tmp_path: Path) -> None:
    """It had read the memory, and was embedding it, when the memory was erased."""
    admin = StandInAdmin()
    slow = _SlowEmbedder()
    with _stand_in(folder, tmp_path, admin, slow) as house:
        memory = Memory(house)
        (index,) = [house.spaces.live().index]
        assert isinstance(index, StandInIndex)
        index.is_down = True
        memory.remember(USER, "喜欢绿茶", at=day(1))
        index.is_down = False
        slow.is_held = True
        drain = Drain(house.store, house.spaces.live(), clock=house.clock, jitter=lambda: 0.5)
        relay = threading.Thread(target=drain.step)
        relay.start()
        assert slow.began.wait(10)
        slow.is_held = False
        report = memory.erase(USER)
        slow.may_end.set()
        relay.join(10)
        assert report.verified
        assert not index.points
        assert memory.recall(USER, "绿茶", min_relevance=0).items == ()


def test_a_recall_beside_an_erasure_leaves_no_words(folder: Path, tmp_path: Path) -> None:
    """What it may still write to the cache are ids and figures, which nobody finds who comes back."""
    admin = StandInAdmin()
    slow = _SlowEmbedder()
    with _stand_in(folder, tmp_path, admin, slow) as house:
        memory = Memory(house)
        memory.remember(USER, "喜欢绿茶", at=day(1))
        slow.is_held = True
        late = threading.Thread(target=lambda: memory.recall(USER, "绿茶", now=day(2)))
        late.start()
        assert slow.began.wait(10)
        slow.is_held = False
        assert memory.erase(USER).verified
        slow.may_end.set()
        late.join(10)
        entries = [entry.value for entry in house.cache._values._entries.values()]  # type: ignore[attr-defined]
        assert entries
        assert all(word.encode() not in value for value in entries for word in (*WORDS, USER))
        memory.remember(USER, "喜欢绿茶", at=day(3))
        assert [item.memory.valid_from for item in memory.recall(USER, "绿茶", now=day(4)).items] == [day(3)]


def test_who_comes_back_while_being_erased_is_found_again(folder: Path, tmp_path: Path) -> None:
    """What is remembered between the erasure of SQL and that of the index is not lost from the index."""
    admin = StandInAdmin()
    with _stand_in(folder, tmp_path, admin) as house:
        memory = Memory(house)
        memory.remember(USER, "喜欢绿茶", at=day(1))
        (index,) = _indexes(admin)
        erase_points = index.delete_owner

        def delete_owner(owner_key: str) -> int:
            memory.remember(USER, "喜欢红茶", at=day(2))
            return erase_points(owner_key)

        index.delete_owner = delete_owner  # type: ignore[method-assign]
        memory.erase(USER)
        Drain(house.store, house.spaces.live(), clock=house.clock, jitter=lambda: 0.5).step()
        assert [item.memory.text for item in memory.recall(USER, "红茶", now=day(3)).items] == ["喜欢红茶"]
        assert {point.status for point in index.points.values()} == {Status.ACTIVE}


class _SlowEmbedder(HashEmbedder):
    """Stands still in the middle of a call while it is held."""

    def __init__(self) -> None:
        super().__init__()
        self.is_held = False
        self.began = threading.Event()
        self.may_end = threading.Event()

    def embed_passages(self, texts: Sequence[str]) -> Matrix:
        """Embed, when it may."""
        self._wait()
        return super().embed_passages(texts)

    def embed_query(self, text: str) -> Vector:
        """Embed, when it may."""
        self._wait()
        return super().embed_query(text)

    def _wait(self) -> None:
        if self.is_held:
            self.began.set()
            assert self.may_end.wait(10)


def _stand_in(
    folder: Path, tmp_path: Path, admin: StandInAdmin, embedder: HashEmbedder | None = None
) -> AbstractContextManager[House]:
    return house_of(f"sqlite:///{folder / 'memory.sqlite3'}", tmp_path, admin, embedder=embedder)


def _indexes(admin: StandInAdmin) -> list[StandInIndex]:
    return [index for _, index in admin.generations.values()]
