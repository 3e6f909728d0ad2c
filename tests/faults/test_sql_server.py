"""A store on a server that is absent, mute, or none at all."""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from ltm import Memory, Settings
from ltm.errors import ConfigurationError, StoreUnavailableError
from tests.support.servers import free_port, talking_server

TIMEOUT_S = 0.5
GRACE_S = 1.5
"""For making everything else that a memory consists of, on a busy machine."""


@contextmanager
def _absent() -> Iterator[int]:
    yield free_port()


@pytest.mark.parametrize(
    "server",
    [_absent, talking_server, lambda: talking_server(b"HTTP/1.1 400 Bad Request\r\n\r\n")],
    ids=["absent", "mute", "another"],
)
def test_a_dead_server_is_named_within_the_timeout(
    server: Callable[[], AbstractContextManager[int]], tmp_path: Path
) -> None:
    """Opening ends in time with an error that names host, port and timeout, and neither user nor password."""
    with server() as port:
        settings = _settings(f"mysql+pymysql://root:hunter2@127.0.0.1:{port}/ltm", tmp_path)
        begun = time.monotonic()
        with pytest.raises(StoreUnavailableError) as raised:
            Memory.open(settings=settings)
        assert time.monotonic() - begun < TIMEOUT_S + GRACE_S
    assert f"127.0.0.1:{port}" in str(raised.value)
    assert "timeout 0.5 s" in str(raised.value)
    assert raised.value.retryable
    assert "hunter2" not in str(raised.value)
    assert "root" not in str(raised.value)


def test_a_url_of_another_database_is_refused(tmp_path: Path) -> None:
    """A scheme that is not supported is a fault of the configuration, and the message says what is supported."""
    with pytest.raises(ConfigurationError, match="mysql\\+pymysql"):
        Memory.open(settings=_settings("postgresql://root:hunter2@127.0.0.1/ltm", tmp_path))


def _settings(url: str, path: Path) -> Settings:
    return Settings(database_url=url, path=path, embedder="hash", database_timeout_s=TIMEOUT_S)
