"""A memory that is opened while its Qdrant server does not answer: it works on SQL, says so, and catches up."""

import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Barrier, Event

import pytest
from qdrant_client import QdrantClient
from typer.testing import CliRunner

from eval.runner.opening import open_memory
from indexing.cli import app as jobs
from indexing.relay import Relay
from ltm import Memory, Settings
from ltm.cli import app
from ltm.errors import ConfigurationError, FingerprintMismatchError, LtmError, VectorIndexError
from ltm.house import House
from ltm.index.server_admin import ServerIndexAdmin
from ltm.recall import Profile
from ltm.wiring import open_house
from tests.support.embedders import Projected
from tests.support.houses import house_of
from tests.support.servers import free_port, talking_server

TIMEOUT_S = 1.0
RUNNER = CliRunner()


@contextmanager
def _absent() -> Iterator[int]:
    yield free_port()


def _broken() -> AbstractContextManager[int]:
    return talking_server(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n")


def settings_of(folder: Path, port: int) -> Settings:
    """Return settings that name a Qdrant server on this port."""
    url = f"http://127.0.0.1:{port}"
    return Settings(path=folder, embedder="hash", qdrant_url=url, qdrant_timeout_s=TIMEOUT_S)


def recalled(memory: Memory) -> tuple[list[str], tuple[str, ...]]:
    """Return what u1 recalls of tea, and what was degraded."""
    found = memory.recall("u1", "green tea", min_relevance=0)
    return [item.memory.text for item in found.items], found.degraded


@pytest.mark.parametrize("server", [_absent, talking_server, _broken], ids=["absent", "mute", "broken"])
def test_a_store_opens_without_its_index(
    server: Callable[[], AbstractContextManager[int]], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Within the timeout, with a warning that names the server; writes and erasure wait, recall goes by words."""
    with server() as port:
        begun = time.monotonic()
        with Memory.open(settings=settings_of(tmp_path, port)) as memory:
            assert time.monotonic() - begun < TIMEOUT_S + 2
            assert f"until the index answers: Qdrant at 127.0.0.1:{port} did not answer" in caplog.text
            memory.remember("u1", "likes green tea")
            assert recalled(memory) == (["likes green tea"], ("index",))
            report = memory.erase("u1")
            assert (report.verified, report.queued) == (False, True)


@pytest.mark.parametrize("status", [b"403 Forbidden", b"404 Not Found"])
def test_what_is_no_qdrant_server_is_refused(status: bytes, tmp_path: Path) -> None:
    """An answer that no retry changes is an error at once, not a store that is degraded for ever."""
    with talking_server(b"HTTP/1.1 " + status + b"\r\nContent-Length: 0\r\n\r\n") as port:
        with pytest.raises(VectorIndexError, match=rf"127\.0\.0\.1:{port} did not answer: status 40") as caught:
            Memory.open(settings=settings_of(tmp_path, port))
        assert not caught.value.retryable


def test_commands_name_the_server_that_is_down(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Doctor, and a job that needs the index, end with an error status that a script can trust."""
    port = free_port()
    with Memory.open(settings=settings_of(tmp_path, port)) as memory:
        memory.remember("u1", "likes green tea")
    for name, value in {"PATH": str(tmp_path), "QDRANT_URL": f"http://127.0.0.1:{port}", "EMBEDDER": "hash"}.items():
        monkeypatch.setenv(f"LTM_{name}", value)
    result = RUNNER.invoke(app, ["doctor", "--json"])
    parts = {line["part"]: line for line in map(json.loads, result.stdout.splitlines())}
    assert result.exit_code == 1
    assert [part for part, line in parts.items() if line["answers"] is False] == ["index"]
    assert f"Qdrant at 127.0.0.1:{port} did not answer" in parts["index"]["said"]
    assert parts["outbox"]["said"].startswith("1 rows behind")
    result = RUNNER.invoke(jobs, ["verify"])
    assert result.exit_code == 2
    assert f"Qdrant at 127.0.0.1:{port} did not answer" in result.stderr


def test_an_evaluation_does_not_begin(tmp_path: Path) -> None:
    """What it measured would be recall by words."""
    with (
        pytest.raises(VectorIndexError, match="did not answer"),
        open_memory(tmp_path, settings_of(tmp_path, free_port()), Profile()),
    ):
        pytest.fail("it began")


def test_another_embedder_is_refused_without_the_index_too(tmp_path: Path) -> None:
    """What the index was built with stands in SQL."""
    settings = settings_of(tmp_path, free_port())
    with Memory.open(settings=settings) as memory:
        memory.remember("u1", "likes green tea")
    with pytest.raises(FingerprintMismatchError, match="ltm index reindex"):
        open_house(None, settings, embedder=Projected())


@dataclass(slots=True)
class Outage:
    """What stands between a store and its server.

    Attributes:
        error: What asking the server raises, None while it answers.
        asked: How often it was asked.
    """

    error: LtmError | None = None
    asked: int = 0

    def check(self) -> None:
        """Ask."""
        self.asked += 1
        if self.error is not None:
            raise self.error


@contextmanager
def opened(folder: Path, client: QdrantClient, check: Callable[[], None]) -> Iterator[House]:
    """Open a store whose server is the client's local mode."""
    admin = ServerIndexAdmin(client, prefix="ltm-test", check=check)
    with house_of(f"sqlite:///{folder / 'memory.sqlite3'}", folder, admin) as house:
        yield house


@pytest.fixture
def client() -> Iterator[QdrantClient]:
    """Return a client in its local mode."""
    with closing(QdrantClient(":memory:", force_disable_check_same_thread=True)) as made:
        yield made


def test_it_catches_up_when_the_server_answers_again(client: QdrantClient, tmp_path: Path) -> None:
    """Nothing has to be restarted, and nothing that was written meanwhile is missing."""
    outage = Outage(error=VectorIndexError("down"))
    with opened(tmp_path, client, outage.check) as house:
        memory = Memory(house)
        memory.remember("u1", "likes green tea")
        assert recalled(memory) == (["likes green tea"], ("index",))
        outage.error = None
        memory.remember("u1", "drinks green tea at noon")
        Relay(house.store, house.spaces, clock=house.clock, jitter=lambda: 0.5).once(Event())
        texts, degraded = recalled(memory)
        assert (sorted(texts), degraded) == (["drinks green tea at noon", "likes green tea"], ())
        assert house.spaces.live().index.count() == 2


@pytest.mark.parametrize(
    "error", [FingerprintMismatchError("ltm index reindex"), ConfigurationError("1.18 is too old")]
)
def test_what_must_be_refused_is_refused_at_the_first_use(
    client: QdrantClient, tmp_path: Path, error: ConfigurationError
) -> None:
    """A server that turns out not to be usable is told as such as soon as it answers."""
    outage = Outage(error=VectorIndexError("down"))
    with opened(tmp_path, client, outage.check) as house:
        memory = Memory(house)
        memory.remember("u1", "likes green tea")
        assert recalled(memory)[1] == ("index",)
        outage.error = error
        with pytest.raises(type(error), match=str(error)):
            recalled(memory)
        memory.remember("u1", "likes black tea")
        assert len(memory.list("u1")) == 2


def test_a_collection_of_another_embedder_is_refused_at_the_first_use(client: QdrantClient, tmp_path: Path) -> None:
    """The collection says itself what it was built with, and is asked as soon as the server answers."""
    outage = Outage(error=VectorIndexError("down"))
    with opened(tmp_path, client, outage.check) as house:
        memory = Memory(house)
        memory.remember("u1", "likes green tea")
        live = house.store.generations.find_live()
        assert live is not None
        ServerIndexAdmin(client, prefix="ltm-test").create(live.name, dim=live.dim, fingerprint="another")
        outage.error = None
        with pytest.raises(FingerprintMismatchError, match="ltm index reindex"):
            recalled(memory)


def test_threads_wait_for_a_mute_server_together(client: QdrantClient, tmp_path: Path) -> None:
    """Eight recalls at once cost its timeout once or twice, not eight times one after another."""
    outage = Outage(error=VectorIndexError("down"))
    start = Barrier(8)

    def wait() -> None:
        time.sleep(0.3)
        outage.check()

    with opened(tmp_path, client, wait) as house:
        memory = Memory(house)
        memory.remember("u1", "likes green tea")
        outage.asked = 0

        def recall(_: int) -> tuple[list[str], tuple[str, ...]]:
            start.wait()
            return recalled(memory)

        with ThreadPoolExecutor(8) as pool:
            assert set(map(str, pool.map(recall, range(8)))) == {str((["likes green tea"], ("index",)))}
        assert outage.asked < 8
