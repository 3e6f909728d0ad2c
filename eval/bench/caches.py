"""Recall with a cold and with a warm hot cache: in the process, and in Redis."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import numpy as np
from pydantic import SecretStr

from eval.bench.texts import START, intents, memories
from eval.bench.timing import Timings, time_in_turns
from ltm.memory import Memory
from ltm.settings import Settings

_USERS, _EACH = 20, 100
_NOW = START + timedelta(days=60)
_ROUNDS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Cache:
    """Recall on one cache.

    Attributes:
        cold: Of an intent that was never asked before.
        warm: Of the same, asked again.
    """

    cold: Timings
    warm: Timings


def measure_caches(folder: Path, calls: int, redis_url: str) -> Mapping[str, Cache]:
    """Return what recall costs, by the cache's name; Redis only where there is a URL, under a namespace of its own."""
    urls = {"in process": None, **({"Redis": redis_url} if redis_url else {})}
    return {name: _measure(folder / name, calls, url) for name, url in urls.items()}


def _measure(folder: Path, calls: int, url: str | None) -> Cache:
    settings = Settings(
        path=folder,
        redis_url=None if url is None else SecretStr(url),
        namespace=f"bench {folder.parent.name}",
        embedder="hash",
    )
    with Memory.open(settings=settings) as memory:
        rng = np.random.default_rng(7)
        users = [f"user {number}" for number in range(_USERS)]
        for user in users:
            memory.remember_many(user, memories(rng, _EACH))
            memory.recall(user, "推荐 a job", now=_NOW)
        asked = [(users[at % _USERS], intent) for at, intent in enumerate(intents(rng, calls))]

        def recall(one: tuple[str, str]) -> object:
            found = memory.recall(*one, now=_NOW)
            if found.degraded:
                raise RuntimeError(f"a degraded recall is no measurement: {found.degraded}")
            return found

        found = time_in_turns({"cold": recall, "warm": recall}, [asked[at::_ROUNDS] for at in range(_ROUNDS)])
        for user in users:
            memory.erase(user)
    return Cache(**found)
