import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ltm.cache.breaker import CircuitBreaker
from ltm.cache.redis_cache import RedisCache, open_redis
from ltm.cache.window import ChatWindow, WindowLimits
from ltm.clock import SystemClock
from ltm.errors import CacheError, ConfigurationError
from ltm.models import Turn
from tests.support.manual_clock import ManualClock
from tests.support.servers import OwnRedis, free_port, talking_server

TIMEOUT_S = 0.2


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[OwnRedis]:
    """Return a Redis of the test's own, running."""
    server = OwnRedis(tmp_path)
    server.start()
    yield server
    server.kill()


def seconds_of_failures(cache: RedisCache, calls: int) -> float:
    """Return how long so many failing calls take together."""
    start = time.monotonic()
    for _ in range(calls):
        with pytest.raises(CacheError):
            cache.get("k")
    return time.monotonic() - start


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n", b"-NOAUTH Authentication required.\r\n"])
def test_a_server_that_does_not_answer_like_redis_costs_a_few_bounded_waits(answer: bytes) -> None:
    """Silence, another protocol, a refusal: three short waits, then none."""
    with talking_server(answer) as port, open_redis(f"redis://127.0.0.1:{port}", timeout_s=TIMEOUT_S) as client:
        cache = RedisCache(client)

        assert seconds_of_failures(cache, 3) < 3 * 2 * TIMEOUT_S + 0.5
        assert seconds_of_failures(cache, 100) < 0.1


def test_nobody_there_costs_nothing() -> None:
    """A refused connection fails at once, for every method."""
    with open_redis(f"redis://127.0.0.1:{free_port()}", timeout_s=TIMEOUT_S) as client:
        cache = RedisCache(client, breaker=CircuitBreaker(max_failures=100))
        for call in (
            lambda: cache.set("k", b"v", ttl_s=1),
            lambda: cache.delete_owner("o"),
            lambda: cache.count_owner("o"),
            lambda: cache.append("o", "s", b"1", ttl_s=1),
            lambda: cache.entries("o", "s"),
            lambda: cache.remove("o", "s", [b"1"]),
        ):
            with pytest.raises(CacheError):
                call()


@pytest.mark.service
def test_a_killed_redis_is_left_alone_and_found_again(redis: OwnRedis) -> None:
    """After the pause one call finds it back, and everything goes on."""
    clock = ManualClock()
    with open_redis(redis.url, timeout_s=TIMEOUT_S) as client:
        cache = RedisCache(client, breaker=CircuitBreaker(max_failures=3, pause_s=5, monotonic=clock.monotonic))
        cache.set("k", b"v", ttl_s=60)
        redis.kill()
        seconds_of_failures(cache, 10)
        redis.start()

        with pytest.raises(CacheError, match="left alone"):
            cache.get("k")
        clock.advance(5)
        assert cache.get("k") is None
        cache.set("k", b"v", ttl_s=60)
        assert cache.get("k") == b"v"


@pytest.mark.service
def test_keys_of_another_type_are_misses_and_written_over(redis: OwnRedis) -> None:
    """What somebody else put under one of our keys is gone with the next write; no other key is left alone."""
    with open_redis(redis.url, timeout_s=TIMEOUT_S) as client:
        cache = RedisCache(client, breaker=CircuitBreaker(max_failures=1))
        cache.append("o", "s", b"1", ttl_s=60)
        [dialogue] = client.keys("ltm:*")
        client.delete(dialogue)
        client.set(dialogue, b"a string")
        client.rpush("ltm:k", b"a list")

        assert cache.get("k") is None
        cache.set("k", b"v", ttl_s=60)
        assert cache.get("k") == b"v"
        assert cache.entries("o", "s") == []
        cache.append("o", "s", b"2", ttl_s=60)
        assert cache.entries("o", "s") == [b"2"]


@pytest.mark.service
def test_a_refused_command_does_not_stop_the_others(redis: OwnRedis) -> None:
    """A full Redis refuses writes, which are errors every time, and answers reads all the while."""
    with open_redis(redis.url, timeout_s=TIMEOUT_S) as client:
        cache = RedisCache(client, breaker=CircuitBreaker(max_failures=1))
        cache.set("k", b"v", ttl_s=60)
        client.config_set("maxmemory", 1)
        for _ in range(2):
            with pytest.raises(CacheError, match="OutOfMemoryError"):
                cache.set("k", b"new", ttl_s=60)
            assert cache.get("k") == b"v"


@pytest.mark.service
def test_a_restart_between_two_calls_is_not_noticed(redis: OwnRedis) -> None:
    """A pooled connection that was lost is made anew, without an error."""
    with open_redis(redis.url, timeout_s=TIMEOUT_S) as client:
        cache = RedisCache(client)
        cache.set("k", b"v", ttl_s=60)
        redis.kill()
        redis.start()

        assert cache.get("k") is None


@pytest.mark.service
def test_a_chat_window_without_its_redis_refuses_and_loses_nothing(redis: OwnRedis) -> None:
    """An append fails with an error, nothing was observed, and the same append works when Redis is back."""
    observed: list[Turn] = []
    breaker = CircuitBreaker(max_failures=100)
    with open_redis(redis.url, timeout_s=TIMEOUT_S) as client:
        window = ChatWindow(
            RedisCache(client, breaker=breaker),
            owner_key="o",
            session_id="s",
            limits=WindowLimits(rounds=1, tokens=100, ttl_s=60),
            count_tokens=len,
            clock=SystemClock(),
            observe=observed.extend,
        )
        window.append(Turn(role="user", text="a"))
        redis.kill()
        for call in (lambda: window.append(Turn(role="user", text="b")), window.turns, window.clear):
            with pytest.raises(CacheError):
                call()
        assert observed == []
        redis.start()
        window.append(Turn(role="user", text="b"))

        assert [turn.text for turn in window.turns()] == ["b"]


@pytest.mark.parametrize(
    "url", ["", "127.0.0.1:6379", "http://u:secret@127.0.0.1", "redis://host:port", "redis://h?x=y"]
)
def test_a_url_that_is_none_is_refused_without_showing_it(url: str) -> None:
    """The message names the setting and not the password."""
    with pytest.raises(ConfigurationError, match="redis_url") as caught:
        open_redis(url, timeout_s=TIMEOUT_S)

    assert "secret" not in str(caught.value)
