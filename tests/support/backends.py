"""Whole memories over every backend, and everything that each of them holds, for tests that look behind the facade."""

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from pydantic import SecretStr
from qdrant_client import QdrantClient
from redis.exceptions import RedisError
from sqlalchemy import create_engine, inspect, text

from ltm.cache.process import ProcessCache
from ltm.cache.redis_cache import RedisCache, open_redis
from ltm.house import House
from ltm.index.server_admin import ServerIndexAdmin
from ltm.memory import Memory
from ltm.ports import StoredPoint
from ltm.settings import Settings
from ltm.wiring import open_house
from tests.support.databases import own_database
from tests.support.houses import house_of

REDIS_URL = os.environ.get("LTM_TEST_REDIS_URL", "redis://127.0.0.1:6379/0")


@dataclass(frozen=True, kw_only=True)
class Backend:
    """A memory, its parts, and the URL of its database."""

    memory: Memory
    house: House
    url: str

    def tables(self) -> dict[str, list[str]]:
        """Return every row of every table as text, by table."""
        engine = create_engine(self.url)
        with engine.connect() as connection:
            found = {
                name: [_shown(tuple(row)) for row in connection.execute(text(f"SELECT * FROM `{name}`"))]
                for name in inspect(connection).get_table_names()
            }
        engine.dispose()
        return found

    def rows(self) -> str:
        """Return every row of every table."""
        return "\n".join(row for rows in self.tables().values() for row in rows)

    def points(self) -> list[StoredPoint]:
        """Return every point of every generation."""
        spaces = [self.house.spaces.get(generation) for generation in self.house.store.generations.list_all()]
        return [point for space in spaces for point in space.index.scroll()]

    def cached(self) -> dict[bytes, bytes]:
        """Return every key of the cache with what is kept under it, chat windows included."""
        cache = self.house.cache
        if isinstance(cache, RedisCache):
            client = open_redis(REDIS_URL, timeout_s=5)
            prefix = f"ltm:{self.house.store.store_id}:"
            keys = [bytes(key) for key in client.scan_iter(match=f"{prefix}*", count=1000)]
            found = {key: bytes(client.dump(key) or b"") for key in keys}
            client.close()
            return found
        assert isinstance(cache, ProcessCache)
        dialogues = {repr(name).encode(): b"".join(one.entries) for name, one in cache._turns._dialogues.items()}
        return {key.encode(): entry.value for key, entry in cache._values._entries.items()} | dialogues


@contextmanager
def embedded(folder: Path, packs: tuple[str, ...]) -> Iterator[Backend]:
    """SQLite and Qdrant Edge in a folder, the cache in the process."""
    house = open_house(folder, Settings(packs=packs, embedder="hash"))
    try:
        yield Backend(memory=Memory(house), house=house, url=f"sqlite:///{folder / 'memory.sqlite3'}")
    finally:
        house.close()


@contextmanager
def servers(folder: Path, packs: tuple[str, ...]) -> Iterator[Backend]:
    """MariaDB or MySQL, Qdrant Edge, Redis; skipped where one of the servers is missing."""
    with own_database() as url:
        client = open_redis(REDIS_URL, timeout_s=5)
        try:
            client.ping()
        except RedisError:
            client.close()
            pytest.skip(f"no Redis at {REDIS_URL}")
        settings = Settings(
            path=folder, packs=packs, embedder="hash", database_url=SecretStr(url), redis_url=SecretStr(REDIS_URL)
        )
        house = open_house(None, settings)
        try:
            yield Backend(memory=Memory(house), house=house, url=url)
        finally:
            for key in client.scan_iter(match=f"ltm:{house.store.store_id}:*", count=1000):
                client.delete(key)
            client.close()
            house.close()


@contextmanager
def client_mode(folder: Path, packs: tuple[str, ...]) -> Iterator[Backend]:
    """SQLite, and qdrant-client in its local mode, which takes the same calls as a server."""
    client = QdrantClient(":memory:", force_disable_check_same_thread=True)
    admin = ServerIndexAdmin(client, prefix="ltm-test")
    url = f"sqlite:///{folder / 'memory.sqlite3'}"
    folder.mkdir(exist_ok=True)
    with house_of(url, folder, admin, packs=packs) as house:
        yield Backend(memory=Memory(house), house=house, url=url)
    client.close()


BACKENDS: dict[str, Callable[[Path, tuple[str, ...]], AbstractContextManager[Backend]]] = {
    "embedded": embedded,
    "client": client_mode,
    "servers": servers,
}


def _shown(row: tuple[object, ...]) -> str:
    """Return a row as text; identifiers are bytes where collations would fold them."""
    return repr(tuple(item.decode("utf-8", "replace") if isinstance(item, bytes) else item for item in row))
