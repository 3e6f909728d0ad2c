"""The only file that picks adapters from settings; creates every client, and says who closes it.

Drivers are imported where they are picked: an embedded store needs none of a server's.
"""

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import SecretStr

from ltm.cache.process import ProcessCache
from ltm.embed.registry import make_embedder
from ltm.errors import ConfigurationError
from ltm.packs import PackSet
from ltm.ports import ChatModel, Clock, Embedder, IndexAdmin, Reranker, Store
from ltm.rerank.registry import make_reranker
from ltm.settings import Settings
from ltm.store import migrate as migrate_store
from ltm.store import open_store

if TYPE_CHECKING:
    from ltm.cache.redis_cache import RedisCache


def open_embedder(settings: Settings, name: str) -> Embedder:
    """Return an embedder by name; neither model nor server is touched before its first use."""
    return make_embedder(
        name,
        base_url=settings.embedder_base_url,
        api_key=_secret(settings.embedder_api_key),
        timeout_s=settings.embedder_timeout_s,
        batch_size=settings.embedder_batch_size,
    )


def open_reranker(settings: Settings) -> Reranker | None:
    """Return the reranker, or None where none is named; its model is not loaded."""
    if settings.reranker is None:
        return None
    return make_reranker(settings.reranker, timeout_s=settings.reranker_timeout_s)


def open_chat_model(settings: Settings) -> ChatModel | None:
    """Return the chat model, or None where rules work alone; its server is not called."""
    if settings.llm_model is None:
        return None
    from ltm.llm.openai_chat import OpenAIChat
    from ltm.remote import open_client

    timeout_s = settings.llm_timeout_s
    client = open_client(base_url=settings.llm_base_url, api_key=_secret(settings.llm_api_key), timeout_s=timeout_s)
    return OpenAIChat(settings.llm_model, client=client, timeout_s=timeout_s, max_retries=settings.llm_max_retries)


def open_cache(settings: Settings, closing: ExitStack, *, store_id: str) -> "ProcessCache | RedisCache":
    """Return the cache, which keeps the turn logs too; `closing` closes what was opened for it.

    Stores that share a Redis keep apart by their ids.
    """
    url = _secret(settings.redis_url)
    if url is None:
        cache = ProcessCache()
        closing.callback(cache.close)
        return cache
    from ltm.cache.redis_cache import RedisCache, open_redis

    client = open_redis(url, timeout_s=settings.redis_timeout_s)
    closing.callback(client.close)
    return RedisCache(client, prefix=f"ltm:{store_id}")


def open_sql(settings: Settings, clock: Clock, packs: PackSet) -> Store:
    """Open the store; the caller closes it."""
    return open_store(
        _database_url(settings),
        clock=clock,
        packs=packs,
        pool_size=settings.database_pool_size,
        timeout_s=settings.database_timeout_s,
    )


def open_index(settings: Settings, closing: ExitStack, *, store_id: str) -> IndexAdmin:
    """Open the index, embedded or on a server; the caller closes it, `closing` closes the client made for it.

    Nothing is asked of a server before the first use.
    Stores that share a Qdrant server keep apart by the first 8 digits of their ids.
    """
    if settings.qdrant_url is None:
        from ltm.index.embedded_admin import EmbeddedIndexAdmin

        return EmbeddedIndexAdmin(_folder(settings) / "index")
    from ltm.index.connect import QdrantServer
    from ltm.index.server_admin import ServerIndexAdmin

    server = QdrantServer(settings.qdrant_url, _secret(settings.qdrant_api_key), settings.qdrant_timeout_s)
    closing.callback(server.close)
    return ServerIndexAdmin(
        server.client,
        prefix=f"ltm-{store_id[:8]}",
        check=server.check,
        shard_number=settings.qdrant_shard_number,
        replication_factor=settings.qdrant_replication_factor,
        write_consistency_factor=settings.qdrant_write_consistency_factor,
    )


def migrate(settings: Settings) -> tuple[str | None, str]:
    """Bring the schema up to date; returns its revisions before (None: there was none) and after."""
    return migrate_store(_database_url(settings))


def localise(path: str | Path | None, settings: Settings) -> Settings:
    """Return the settings of a store that lies in the folder `path` as a whole; None leaves them as they are."""
    if path is None:
        return settings
    if not isinstance(path, str | Path):
        raise ConfigurationError(f"the store's folder must be a str or a Path, not {type(path).__name__}")
    return settings.model_copy(update={"path": Path(path), "database_url": None, "qdrant_url": None, "redis_url": None})


def _database_url(settings: Settings) -> str:
    return _secret(settings.database_url) or f"sqlite:///{_folder(settings) / 'memory.sqlite3'}"


def _folder(settings: Settings) -> Path:
    """Return the store's folder, made where it is absent, readable by its owner only."""
    folder = settings.path.expanduser().absolute()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigurationError(f"the store folder {folder} cannot be made: {error.strerror}") from error
    return folder


def _secret(value: SecretStr | None) -> str | None:
    return None if value is None else value.get_secret_value()
