"""The index on a server that is absent, mute, broken or too old."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest
from qdrant_client import QdrantClient

from ltm.errors import ConfigurationError, VectorIndexError
from ltm.index.connect import QdrantServer
from ltm.index.point_index import PointIndex
from ltm.index.server import ServerEngine
from ltm.index.server_admin import ServerIndexAdmin
from ltm.lexical import encode_document
from ltm.models import Kind, Status
from ltm.ports import Point, PoolQuery, StatusChange
from tests.contract.vector_index.points import MOMENT, memory_id

Answer = tuple[int, bytes]


class Stub(ThreadingHTTPServer):
    """A server that gives every request the same answer."""

    daemon_threads = True
    answer: Answer = (200, b"{}")


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self._reply()

    def do_PUT(self) -> None:
        self._reply()

    def do_POST(self) -> None:
        self._reply()

    def do_DELETE(self) -> None:
        self._reply()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the library's
        """Stay silent."""

    def _reply(self) -> None:
        assert isinstance(self.server, Stub)
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        status, body = self.server.answer
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def stub() -> Iterator[Stub]:
    """Return a server on a free port."""
    server = Stub(("127.0.0.1", 0), _Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def mute() -> Iterator[int]:
    """Return a port where connections are accepted and nothing is ever said."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        yield listener.getsockname()[1]


@pytest.fixture
def dead() -> int:
    """Return a port where nobody listens."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        port: int = listener.getsockname()[1]
        return port


def client_of(port: int) -> QdrantClient:
    """Return a client that has not asked anything yet."""
    return QdrantClient(url=f"http://127.0.0.1:{port}", timeout=1, check_compatibility=False)


def check_server(url: str, timeout_s: float) -> None:
    """Ask a server whether it can be used."""
    with closing(QdrantServer(url, None, timeout_s)) as server:
        server.check()


def version(number: str) -> Answer:
    """Return what a server of this version says of itself."""
    return 200, json.dumps({"title": "qdrant", "version": number}).encode()


POINT = Point(
    memory_id=memory_id(1),
    owner_key="o",
    status=Status.ACTIVE,
    kind=Kind.FACT,
    version=1,
    valid_from=MOMENT,
    dense=np.array([1, 0], dtype=np.float32),
    sparse=encode_document("tea"),
)
CALLS: dict[str, Callable[[PointIndex], object]] = {
    "search": lambda index: index.search(PoolQuery(owner_key="o", dense=POINT.dense, sparse=POINT.sparse, limit=5)),
    "owner_mean": lambda index: index.owner_mean("o"),
    "upsert": lambda index: index.upsert([POINT]),
    "replace": lambda index: index.replace([POINT]),
    "set_status": lambda index: index.set_status(
        [StatusChange(memory_id=memory_id(1), status=Status.EXPIRED, version=2, valid_from=MOMENT)]
    ),
    "delete": lambda index: index.delete([memory_id(1)]),
    "delete_owner": lambda index: index.delete_owner("o"),
    "count": lambda index: index.count(),
    "retrieve": lambda index: index.retrieve([memory_id(1)]),
    "scroll": lambda index: list(index.scroll()),
}
each_call = pytest.mark.parametrize("call", CALLS.values(), ids=CALLS.keys())
BROKEN: dict[str, Answer] = {
    "refused": (403, b'{"status": {"error": "forbidden"}}'),
    "overloaded": (429, b'{"status": {"error": "slow down"}}'),
    "failing": (500, b'{"status": {"error": "disk full"}}'),
    "a proxy's page": (502, b"<html>bad gateway</html>"),
    "garbage": (200, b"\xff\xfe{"),
    "another answer": (200, b'{"result": {"unexpected": []}, "status": "ok", "time": 0.1}'),
    "an empty answer": (200, b""),
}


def test_an_absent_server_is_named(dead: int) -> None:
    """Connecting where nobody listens fails at once, says where, and may be tried again."""
    with pytest.raises(VectorIndexError, match=rf"Qdrant at 127\.0\.0\.1:{dead} did not answer") as caught:
        check_server(f"http://127.0.0.1:{dead}", 5.0)
    assert caught.value.retryable


def test_a_mute_server_is_left_within_the_timeout(mute: int) -> None:
    """Connecting to a server that never answers ends after the timeout."""
    start = time.monotonic()
    with pytest.raises(VectorIndexError, match="did not answer"):
        check_server(f"http://127.0.0.1:{mute}", 1.0)
    assert time.monotonic() - start < 3


def test_errors_hold_no_secrets(dead: int) -> None:
    """A password in the URL and the API key are not in the message."""
    with pytest.raises(VectorIndexError) as caught:
        check_server(f"http://ann:hush@127.0.0.1:{dead}/x", 1.0)
    assert "hush" not in str(caught.value)


@pytest.mark.parametrize("url", ["", "ftp://x", "http://[", "http://x:port", "http://"])
def test_what_is_no_url_is_a_configuration_error(url: str) -> None:
    """A URL that can never work is told as such."""
    with pytest.raises(ConfigurationError):
        check_server(url, 1.0)


@pytest.mark.parametrize("number", ["1.18.9", "0.9.0", "unknown", "1"])
def test_an_old_server_is_refused(stub: Stub, number: str) -> None:
    """A server that would ignore the owner's IDF is refused, saying which version it is."""
    stub.answer = version(number)
    with pytest.raises(ConfigurationError, match=number):
        check_server(f"http://127.0.0.1:{stub.server_port}", 5.0)


@pytest.mark.parametrize("number", ["1.19.0", "1.20.3", "2.0.0", "1.19.0-dev"])
def test_a_new_server_is_accepted(stub: Stub, number: str) -> None:
    """Any server from 1.19 on is accepted."""
    stub.answer = version(number)
    check_server(f"http://127.0.0.1:{stub.server_port}", 5.0)


@pytest.mark.parametrize("answer", BROKEN.values(), ids=BROKEN.keys())
def test_connecting_to_something_broken(stub: Stub, answer: Answer) -> None:
    """Whatever answers in Qdrant's place, the error is ours."""
    stub.answer = answer
    with pytest.raises(VectorIndexError, match=f"127.0.0.1:{stub.server_port}"):
        check_server(f"http://127.0.0.1:{stub.server_port}", 5.0)


@each_call
def test_calls_to_an_absent_server(dead: int, call: Callable[[PointIndex], object]) -> None:
    """Every call raises our retryable error."""
    with closing(client_of(dead)) as client, pytest.raises(VectorIndexError, match="ConnectError") as caught:
        call(PointIndex(ServerEngine(client, "ltm.g1"), dim=2))
    assert caught.value.retryable


@each_call
def test_calls_to_a_mute_server_end_in_time(mute: int, call: Callable[[PointIndex], object]) -> None:
    """Every call ends within the client's timeout."""
    start = time.monotonic()
    with closing(client_of(mute)) as client, pytest.raises(VectorIndexError, match="ReadTimeout"):
        call(PointIndex(ServerEngine(client, "ltm.g1"), dim=2))
    assert time.monotonic() - start < 3


@each_call
@pytest.mark.parametrize("answer", BROKEN.values(), ids=BROKEN.keys())
def test_calls_to_a_broken_server(stub: Stub, answer: Answer, call: Callable[[PointIndex], object]) -> None:
    """No error of the driver passes, whatever the server answers; nothing is taken for an empty result."""
    stub.answer = answer
    with closing(client_of(stub.server_port)) as client, pytest.raises(VectorIndexError, match=r"ltm\.g1"):
        call(PointIndex(ServerEngine(client, "ltm.g1"), dim=2))


@pytest.mark.parametrize("answer", BROKEN.values(), ids=BROKEN.keys())
def test_a_probe_that_fails_makes_nothing(stub: Stub, answer: Answer) -> None:
    """Where the server cannot say what exists, opening, creating, listing and dropping are errors."""
    stub.answer = answer
    with closing(client_of(stub.server_port)) as client:
        admin = ServerIndexAdmin(client, prefix="ltm")
        for enter in (admin.open, admin.create):
            with pytest.raises(VectorIndexError):
                enter("g1", dim=2, fingerprint="f")
        with pytest.raises(VectorIndexError):
            admin.names()


def test_a_collection_of_somebody_else_is_refused() -> None:
    """A collection under our name that does not say what it was built with is neither used nor replaced."""
    with closing(QdrantClient(":memory:")) as client:
        client.create_collection("ltm.g1", vectors_config={})
        admin = ServerIndexAdmin(client, prefix="ltm")
        for enter in (admin.open, admin.create):
            with pytest.raises(VectorIndexError, match="ltm index reindex"):
                enter("g1", dim=2, fingerprint="f")
        assert client.collection_exists("ltm.g1")


def test_stores_on_one_server_are_apart() -> None:
    """One store neither lists nor drops what belongs to another whose prefix begins alike."""
    with closing(QdrantClient(":memory:")) as client:
        for prefix in ("a", "a.b", "ab"):
            ServerIndexAdmin(client, prefix=prefix).create("g1", dim=2, fingerprint="f")
        client.create_collection("a", vectors_config={})
        assert ServerIndexAdmin(client, prefix="a").names() == ["g1"]
        ServerIndexAdmin(client, prefix="a").drop("g1")
        assert ServerIndexAdmin(client, prefix="a.b").names() == ["g1"]
        assert client.collection_exists("ab.g1")


def test_a_closed_client_is_an_error() -> None:
    """Calls after the client was closed raise our error."""
    client = QdrantClient(":memory:")
    index = ServerIndexAdmin(client, prefix="ltm").create("g1", dim=2, fingerprint="f")
    client.close()
    with pytest.raises(VectorIndexError, match="closed"):
        index.count()
