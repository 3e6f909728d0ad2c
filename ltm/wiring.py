"""The only file that picks adapters from settings; creates every client, and closes it.

Drivers are imported where they are picked: an embedded store needs none of a server's.
"""

import logging
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from pydantic import SecretStr

from ltm.apply.keeper import Keeper
from ltm.cache.process import ProcessCache
from ltm.cache.window import WindowLimits
from ltm.clock import SystemClock
from ltm.embed.registry import make_embedder
from ltm.errors import ConfigurationError, ModelError
from ltm.house import House
from ltm.lifecycle.transition import follow_statement
from ltm.models.check import check_id
from ltm.packs import PackSet, load_packs
from ltm.ports import ChatModel, Clock, Embedder, IndexAdmin, Store
from ltm.recall.profile import find_profile
from ltm.recall.recall import Recaller
from ltm.recall.retrieve import leave_it
from ltm.settings import Settings
from ltm.spaces import OpenSpaces
from ltm.store import migrate as migrate_store
from ltm.store import open_store
from ltm.write.pipeline import Observer
from ltm.write.refusals import Refusals
from ltm.write.word_index import index_words

if TYPE_CHECKING:
    from ltm.cache.redis_cache import RedisCache

_log = logging.getLogger(__name__)


def open_house(path: str | Path | None, settings: Settings) -> House:
    """Open every part, and refuse an index that was built with another embedder than the configured one.

    Args:
        path: A folder that holds SQL, vectors and cache; server URLs are ignored. None goes by the settings.
        settings: Where they name no server, the part lies in `settings.path`.
    """
    house = open_parts(path, settings)
    try:
        _check_generation(house)
    except BaseException:
        house.close()
        raise
    return house


def open_parts(path: str | Path | None, settings: Settings) -> House:
    """Open every part, whatever the index was built with; for jobs that bring index and embedder together.

    Whatever was opened is closed again where a later part fails. The arguments are those of `open_house`.
    """
    with ExitStack() as opened:
        house = _build(localise(path, settings), opened)
        opened.pop_all()
        return house


def _build(settings: Settings, opened: ExitStack) -> House:
    closing = opened.enter_context(ExitStack())
    packs = load_packs(settings.packs)
    clock = SystemClock()
    embedder = open_embedder(settings, settings.embedder)
    closing.callback(embedder.close)
    chat_model = open_chat_model(settings)
    if chat_model is not None:
        closing.callback(chat_model.close)
    store = open_sql(settings, clock, packs)
    closing.callback(store.close)
    cache = open_cache(settings, closing, store_id=store.store_id)
    admin = open_index(settings, closing, store_id=store.store_id)
    closing.callback(admin.close)
    spaces = OpenSpaces(store, admin, embedder, lambda spec: open_embedder(settings, spec.name))
    closing.callback(spaces.close)
    # Beside an index on a server runs a relay; nobody but the process that holds an embedded one can serve it.
    keeper = Keeper(store, spaces, clock=clock) if settings.qdrant_url is None else None
    return House(
        namespace=check_id(settings.namespace, "namespace"),
        timezone=ZoneInfo(settings.timezone),
        window_limits=_window_limits(settings),
        packs=packs,
        clock=clock,
        store=store,
        admin=admin,
        spaces=spaces,
        embedder=embedder,
        cache=cache,
        turn_log=cache,
        refuse=Refusals(packs),
        observer=_observer(settings, store, packs, clock, chat_model),
        recaller=Recaller(
            reader=store.read,
            spaces=spaces,
            cache=cache,
            packs=packs,
            profile=find_profile(settings.profile),
            cache_ttl_s=settings.cache_ttl_s,
            settle=leave_it if keeper is None else keeper.settle,
        ),
        keeper=keeper,
        closing=closing,
    )


def _observer(settings: Settings, store: Store, packs: PackSet, clock: Clock, model: ChatModel | None) -> Observer:
    return Observer(
        store=store,
        packs=packs,
        words=index_words(packs),
        clock=clock,
        follow=follow_statement,
        model=model,
        context_turns=settings.llm_context_turns,
    )


def _window_limits(settings: Settings) -> WindowLimits:
    return WindowLimits(
        rounds=settings.chat_window_rounds,
        tokens=settings.chat_window_tokens,
        ttl_s=settings.chat_window_ttl_s,
    )


def _check_generation(house: House) -> None:
    """Refuse an index that was built with another embedder, as far as that can be told without calling a server."""
    live = house.store.generations.find_live()
    if live is None:
        return
    try:
        house.spaces.check(live)
    except ModelError as error:
        _log.warning("the embedder does not say what it is yet, its fingerprint is checked later: %s", error)


def open_embedder(settings: Settings, name: str) -> Embedder:
    """Return an embedder by name; neither model nor server is touched before its first use."""
    return make_embedder(
        name,
        base_url=settings.embedder_base_url,
        api_key=_secret(settings.embedder_api_key),
        timeout_s=settings.embedder_timeout_s,
        batch_size=settings.embedder_batch_size,
    )


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

    Stores that share a Qdrant server keep apart by the first 8 digits of their ids.
    """
    if settings.qdrant_url is None:
        from ltm.index.embedded_admin import EmbeddedIndexAdmin

        return EmbeddedIndexAdmin(_folder(settings) / "index")
    from ltm.index.connect import connect_server
    from ltm.index.server_admin import ServerIndexAdmin

    client = connect_server(settings.qdrant_url, _secret(settings.qdrant_api_key), settings.qdrant_timeout_s)
    closing.callback(client.close)
    return ServerIndexAdmin(
        client,
        prefix=f"ltm-{store_id[:8]}",
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
