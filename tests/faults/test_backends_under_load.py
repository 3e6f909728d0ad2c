"""Servers are stopped, stalled and cut while threads write and recall: nothing wrong, nothing late, no restart."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_hex
from threading import Event, Lock, Thread
from typing import NamedTuple

import pytest
from pydantic import SecretStr

from indexing.relay import Relay
from ltm.errors import LtmError, StoreUnavailableError
from ltm.house import House
from ltm.memory import Memory
from ltm.settings import Settings
from ltm.store import migrate
from ltm.wiring import open_house
from tests.support.houses import compare
from tests.support.own_mariadb import OwnMariadb
from tests.support.proxy import Proxy
from tests.support.servers import OwnRedis

USERS = tuple(f"user {number}" for number in range(3))
DATABASE_S, REDIS_S = 2.0, 0.2
# A call may find a dead connection, wait once for that and once for a new one, on a machine that is busy besides.
LATEST_S = 4 * DATABASE_S + 3.0


@dataclass(slots=True, kw_only=True)
class Log:
    """What the threads saw.

    Attributes:
        kept: Acknowledged memories by id.
        wrong: Answers that cannot be.
        late: Seconds of calls that took too long.
        degraded: Recalls by what was degraded.
        failed: Calls by the class of their error.
        ok: Calls that were answered, since it was last emptied.
    """

    kept: dict[str, str] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    late: list[float] = field(default_factory=list)
    degraded: Counter[tuple[str, ...]] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    ok: Counter[str] = field(default_factory=Counter)
    lock: Lock = field(default_factory=Lock)

    @contextmanager
    def call(self, name: str) -> Iterator[None]:
        """Time a call and note how it ends; only typed errors are let pass."""
        begun = time.monotonic()
        try:
            yield
            with self.lock:
                self.ok[name] += 1
        except LtmError as error:
            with self.lock:
                self.failed[type(error).__name__] += 1
            # A dead part answers at once: do not spin.
            time.sleep(0.01)
        finally:
            seconds = time.monotonic() - begun
            if seconds > LATEST_S:
                self.late.append(seconds)


class Load:
    """Two writers and two readers."""

    def __init__(self, memory: Memory) -> None:
        self.log = Log()
        self._memory = memory
        self._stop = Event()
        works: list[Callable[[int], None]] = [self._write, self._write, self._recall, self._recall]
        self._threads = [Thread(target=self._repeat, args=(work, at)) for at, work in enumerate(works)]

    def __enter__(self) -> "Load":
        for user in USERS:
            self._memory.remember(user, f"the favourite tea of {user} is oolong", key="tea", value=user)
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def recovers(self) -> None:
        """Wait until writes and recalls are answered again, without anything degraded."""
        with self.log.lock:
            self.log.ok.clear()
        deadline = time.monotonic() + 30
        while not (self.log.ok["write"] and self.log.ok["whole recall"]):
            assert time.monotonic() < deadline, f"no recovery: {self.log.ok} {self.log.failed}"
            time.sleep(0.02)

    def _repeat(self, work: Callable[[int], None], at: int) -> None:
        turn = 0
        while not self._stop.is_set():
            work(at * 1_000_000 + turn)
            turn += 1

    def _write(self, turn: int) -> None:
        user = USERS[turn % len(USERS)]
        with self.log.call("write"):
            record = self._memory.remember(user, f"cup number {turn}")
            with self.log.lock:
                self.log.kept[record.memory_id] = user

    def _recall(self, turn: int) -> None:
        user = USERS[turn % len(USERS)]
        with self.log.call("recall"):
            found = self._memory.recall(user, "favourite tea oolong", limit=1)
            texts = [item.memory.text for item in found.items]
            with self.log.lock:
                self.log.degraded[found.degraded] += 1
                if texts != [f"the favourite tea of {user} is oolong"]:
                    self.log.wrong.append(f"{user}: {texts}")
                if not found.degraded:
                    self.log.ok["whole recall"] += 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Servers:
    """Both servers and the proxies in front of them."""

    mariadb: OwnMariadb
    redis: OwnRedis
    to_mariadb: Proxy
    to_redis: Proxy


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    """Return servers of the test's own."""
    folder = tmp_path_factory.mktemp("servers")
    mariadb, redis = OwnMariadb(folder), OwnRedis(folder)
    redis.start()
    with Proxy(mariadb.port) as to_mariadb, Proxy(redis.port) as to_redis:
        yield Servers(mariadb=mariadb, redis=redis, to_mariadb=to_mariadb, to_redis=to_redis)
    redis.kill()
    mariadb.stop()


@pytest.fixture
def house(servers: Servers, tmp_path: Path) -> Iterator[House]:
    """Return a store that knows the servers through the proxies only."""
    name = f"ltm_{token_hex(4)}"
    servers.mariadb.create_database(name)
    url = f"mysql+pymysql://root@127.0.0.1:{servers.to_mariadb.port}/{name}"
    settings = Settings(
        path=tmp_path,
        namespace=name,
        database_url=SecretStr(url),
        redis_url=SecretStr(f"redis://127.0.0.1:{servers.to_redis.port}/0"),
        embedder="hash",
        database_timeout_s=DATABASE_S,
        redis_timeout_s=REDIS_S,
    )
    migrate(url)
    opened = open_house(None, settings)
    yield opened
    opened.close()


Act = Callable[[Servers], None]


class Fault(NamedTuple):
    """Something that happens to a server, and how it ends."""

    begin: Act
    end: Act


def _resume_mariadb(servers: Servers) -> None:
    servers.to_mariadb.resume()


def _resume_redis(servers: Servers) -> None:
    servers.to_redis.resume()


OF_THE_STORE = {
    "MariaDB stalls": Fault(lambda servers: servers.to_mariadb.stall(), _resume_mariadb),
    "MariaDB is cut off": Fault(lambda servers: servers.to_mariadb.cut(), _resume_mariadb),
    "MariaDB is stopped": Fault(lambda servers: servers.mariadb.stop(), lambda servers: servers.mariadb.start()),
    "MariaDB is killed": Fault(lambda servers: servers.mariadb.kill(), lambda servers: servers.mariadb.start()),
}
OF_THE_CACHE = {
    "Redis stalls": Fault(lambda servers: servers.to_redis.stall(), _resume_redis),
    "Redis is cut off": Fault(lambda servers: servers.to_redis.cut(), _resume_redis),
    "Redis is killed": Fault(lambda servers: servers.redis.kill(), lambda servers: servers.redis.start()),
}


@pytest.mark.parametrize("fault", OF_THE_STORE.values(), ids=OF_THE_STORE.keys())
def test_a_store_that_goes_away_and_comes_back(servers: Servers, house: House, fault: Fault) -> None:
    """No answer is wrong, errors are typed and in time, nothing acknowledged is lost, nothing has to be restarted."""
    log = _go_through(fault, servers, house)
    assert set(log.failed) == {StoreUnavailableError.__name__}
    assert set(log.degraded) <= {(), ("cache",)}
    _nothing_is_lost(log, house)


@pytest.mark.parametrize("fault", OF_THE_CACHE.values(), ids=OF_THE_CACHE.keys())
def test_a_cache_that_goes_away_and_comes_back(servers: Servers, house: House, fault: Fault) -> None:
    """No call fails: recalls are flagged, in time, and right."""
    log = _go_through(fault, servers, house)
    assert not log.failed
    assert log.degraded["cache",] > 0
    _nothing_is_lost(log, house)


def _go_through(fault: Fault, servers: Servers, house: House) -> Log:
    """Let it happen twice under load; no answer may be wrong or late."""
    with Load(Memory(house)) as load:
        load.recovers()
        assert not load.log.failed
        for _ in range(2):
            fault.begin(servers)
            time.sleep(2 * DATABASE_S)
            fault.end(servers)
            load.recovers()
    assert load.log.wrong == []
    assert load.log.late == []
    return load.log


def _nothing_is_lost(log: Log, house: House) -> None:
    """Find every acknowledged memory in SQL, and index and SQL in line after one relay run."""
    stored = house.store.read.owned(log.kept)
    assert {one: owned.owner.user_id for one, owned in stored.items()} == log.kept
    Relay(house.store, house.spaces, clock=house.clock, jitter=lambda: 0.5).once(Event())
    report = compare(house)
    assert report.is_clean
    assert report.in_flight == 0
