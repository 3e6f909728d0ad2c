"""One suite over every cache: in the process, and in Redis under keys of its own, which are removed afterwards."""

import os
from collections.abc import Iterator

import pytest
from redis.exceptions import RedisError

from ltm.cache.process import ProcessCache
from ltm.cache.redis_cache import RedisCache, open_redis
from ltm.clock import SystemClock

REDIS_URL = os.environ.get("LTM_TEST_REDIS_URL", "redis://127.0.0.1:6379/0")


@pytest.fixture(params=["process", pytest.param("redis", marks=pytest.mark.service)])
def cache(request: pytest.FixtureRequest) -> Iterator[ProcessCache | RedisCache]:
    """Return an empty cache."""
    if request.param == "process":
        yield ProcessCache()
        return
    client = open_redis(REDIS_URL, timeout_s=5)
    # A pattern's characters in the prefix: a walk over the keys must take them as they are.
    prefix = f"ltm-test[*]?:{SystemClock().new_id()}"
    try:
        client.ping()
    except RedisError:
        client.close()
        pytest.skip(f"no Redis at {REDIS_URL}")
    yield RedisCache(client, prefix=prefix)
    for key in list(client.scan_iter(match="ltm-test*", count=1000)):
        if key.startswith(prefix.encode()):
            client.delete(key)
    client.close()
