"""A memory whose Redis is dead or mute answers all the same, and says that it had no cache."""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from pydantic import SecretStr

from ltm import Memory, Settings, Turn
from ltm.errors import CacheError
from tests.support.servers import free_port, talking_server

TIMEOUT_S = 0.2


@contextmanager
def _absent() -> Iterator[int]:
    yield free_port()


@pytest.mark.parametrize("server", [_absent, talking_server], ids=["absent", "mute"])
def test_everything_but_the_window_works_without_redis(
    server: Callable[[], AbstractContextManager[int]], tmp_path: Path
) -> None:
    """Writing and recall go on, flagged; waits are bounded and soon left out; an erasure is not called verified."""
    with server() as port:
        url = SecretStr(f"redis://127.0.0.1:{port}/0")
        settings = Settings(path=tmp_path, embedder="hash", redis_url=url, redis_timeout_s=TIMEOUT_S)
        with Memory.open(settings=settings) as memory:
            memory.remember("u1", "likes green tea")
            for _ in range(5):
                recall = memory.recall("u1", "green tea", min_relevance=0)
                assert (recall.degraded, [item.memory.text for item in recall.items]) == (
                    ("cache",),
                    ["likes green tea"],
                )
            begun = time.monotonic()
            for _ in range(20):
                memory.recall("u1", "green tea", min_relevance=0)
            assert time.monotonic() - begun < 20 * TIMEOUT_S
            with pytest.raises(CacheError):
                memory.chat("u1", "s1").append(Turn(role="user", text="hello"))
            report = memory.erase("u1")
            assert (report.verified, report.queued, report.cache) == (False, False, 0)
            assert memory.recall("u1", "green tea", min_relevance=0).items == ()
