"""The hot cache and the turns of dialogues in Redis."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import cast

from redis import Redis
from redis.backoff import NoBackoff
from redis.client import Pipeline
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError, ResponseError
from redis.retry import Retry

from ltm.cache.breaker import CircuitBreaker
from ltm.errors import CacheError, ConfigurationError
from ltm.ports import owner_cache_key, owner_cache_prefix

_SCAN_BATCH = 1000


def open_redis(url: str, *, timeout_s: float) -> Redis:
    """Create a client that connects at its first command; whoever calls this closes it.

    A lost connection is made anew once, without a pause, since after a restart of the server every pooled one is lost;
    a timeout is never repeated.

    Args:
        url: `redis://`, `rediss://` or `unix://`.
        timeout_s: Bound on connecting, and on each answer.

    Raises:
        ConfigurationError: That is no Redis URL. The message leaves it out: it may hold a password.
    """
    retry = Retry(NoBackoff(), retries=1, supported_errors=(RedisConnectionError,))
    try:
        client = Redis.from_url(url, socket_timeout=timeout_s, socket_connect_timeout=timeout_s, retry=retry)
        client.connection_pool.make_connection()  # unknown options in the URL show here, before anything is sent
    except (ValueError, TypeError):
        raise ConfigurationError("`redis_url` must look like redis://[:password@]host:6379/0") from None
    return client


class RedisCache:
    """`Cache` and `TurnLog` in Redis; does not own its client.

    Every key is `<prefix>:<hash of the owner>:...`, so what belongs to an owner is found by that prefix alone and no
    index of keys can lose any. A server that does not answer raises `CacheError` after a bounded wait, and after a few
    of those at once, until it answers again (`CircuitBreaker`). A server that refuses one command raises `CacheError`
    and is asked the next one. What is not of the type that we write under a key is none of ours: a miss.

    Args:
        client: With timeouts, answering bytes: `open_redis` makes one.
        prefix: Of all keys; differs between stores that share a server.
    """

    def __init__(self, client: Redis, *, prefix: str = "ltm", breaker: CircuitBreaker | None = None) -> None:
        self._client = client
        self._prefix = prefix
        self._breaker = breaker or CircuitBreaker()

    def get(self, key: str) -> bytes | None:
        """Return a value."""
        with self._answering():
            try:
                return cast("bytes | None", self._client.get(self._full(key)))
            except ResponseError as error:
                _require_wrong_type(error)
                return None  # `set` writes over whatever is there

    def set(self, key: str, value: bytes, *, ttl_s: float) -> None:
        """Store a value."""
        with self._answering():
            self._client.set(self._full(key), value, px=_milliseconds(ttl_s))

    def append(self, owner_key: str, session_id: str, entry: bytes, *, ttl_s: float) -> None:
        """Put a turn at the end of a dialogue and renew its time, in one transaction."""
        key = self._dialogue(owner_key, session_id)
        with self._answering(), self._client.pipeline(transaction=True) as pipeline:
            pipeline.rpush(key, entry)
            pipeline.pexpire(key, _milliseconds(ttl_s))
            pipeline.execute()

    def entries(self, owner_key: str, session_id: str) -> list[bytes]:
        """Return the turns of a dialogue, oldest first."""
        key = self._dialogue(owner_key, session_id)
        with self._answering():
            try:
                return cast("list[bytes]", self._client.lrange(key, 0, -1))
            except ResponseError as error:
                _require_wrong_type(error)
                self._client.transaction(lambda pipeline: _drop_foreign(pipeline, key), key)
                return []

    def remove(self, owner_key: str, session_id: str, entries: Sequence[bytes]) -> None:
        """Remove turns of a dialogue, in one transaction."""
        key = self._dialogue(owner_key, session_id)
        with self._answering(), self._client.pipeline(transaction=True) as pipeline:
            for entry in entries:
                pipeline.lrem(key, 1, cast("str", entry))  # annotated too narrowly
            pipeline.execute()

    def delete_owner(self, owner_key: str) -> int:
        """Remove an owner's values and dialogues and return how many there were; walks all keys of the server."""
        with self._answering():
            return sum(self._client.unlink(*keys) for keys in self._owned(owner_key))

    def count_owner(self, owner_key: str) -> int:
        """Count an owner's values and dialogues; walks all keys of the server."""
        with self._answering():
            return len({key for keys in self._owned(owner_key) for key in keys})

    def close(self) -> None:
        """Do nothing: the client belongs to whoever made it."""

    def _owned(self, owner_key: str) -> Iterator[list[bytes]]:
        """Yield the keys of an owner in batches; a key may come twice, as SCAN allows."""
        pattern = _literal(self._full(owner_cache_prefix(owner_key))) + "*"
        cursor = -1
        while cursor != 0:
            cursor, keys = self._client.scan(max(cursor, 0), match=pattern, count=_SCAN_BATCH)
            if keys:
                yield cast("list[bytes]", keys)

    def _dialogue(self, owner_key: str, session_id: str) -> str:
        return self._full(owner_cache_key(owner_key, "chat", session_id))

    def _full(self, key: str) -> str:
        return f"{self._prefix}:{key}"

    @contextmanager
    def _answering(self) -> Iterator[None]:
        if not self._breaker.allows():
            raise CacheError("Redis did not answer a moment ago and is left alone for a while")
        try:
            yield
        except RedisError as error:
            if isinstance(error, ResponseError):
                self._breaker.succeeded()
            else:
                self._breaker.failed()
            raise CacheError(f"Redis failed: {type(error).__name__}") from error
        self._breaker.succeeded()


def _require_wrong_type(error: ResponseError) -> None:
    """Let a read of a key of another type pass; raise whatever else was refused."""
    if not str(error).startswith("WRONGTYPE"):
        raise error


def _drop_foreign(pipeline: Pipeline, key: str) -> None:
    """Remove a key that is no dialogue; it is watched, so that a dialogue which began there meanwhile stays."""
    is_foreign = pipeline.type(key) not in (b"list", b"none")
    pipeline.multi()
    if is_foreign:
        pipeline.delete(key)


def _milliseconds(ttl_s: float) -> int:
    return max(int(ttl_s * 1000), 1)


def _literal(text: str) -> str:
    """Take their meaning from the characters that a SCAN pattern gives one."""
    return "".join(f"\\{char}" if char in "*?[]^\\" else char for char in text)
