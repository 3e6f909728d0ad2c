"""Puts a memory's parts together, and takes them apart again where one of them fails."""

import logging
from contextlib import ExitStack
from pathlib import Path
from zoneinfo import ZoneInfo

from ltm.apply.keeper import Keeper
from ltm.cache.window import WindowLimits
from ltm.clock import SystemClock
from ltm.errors import ModelError, VectorIndexError
from ltm.house import House
from ltm.lifecycle.transition import follow_statement
from ltm.models.check import check_id
from ltm.packs import PackSet, load_packs
from ltm.ports import Cache, ChatModel, Clock, Embedder, IndexAdmin, Reader, Reranker, Store
from ltm.recall.profile import Profile, find_profile
from ltm.recall.recall import Recaller
from ltm.recall.retrieve import leave_it
from ltm.settings import Settings
from ltm.spaces import OpenSpaces
from ltm.wiring.adapters import (
    localise,
    open_cache,
    open_chat_model,
    open_embedder,
    open_index,
    open_reranker,
    open_sql,
)
from ltm.write.pipeline import Observer
from ltm.write.refusals import Refusals
from ltm.write.word_index import index_words

_log = logging.getLogger(__name__)


def open_house(
    path: str | Path | None,
    settings: Settings,
    *,
    embedder: Embedder | None = None,
    profile: Profile | None = None,
) -> House:
    """Open every part, and refuse an index that was built with another embedder than the configured one.

    Args:
        path: A folder that holds SQL, vectors and cache; server URLs are ignored. None goes by the settings.
        settings: Where they name no server, the part lies in `settings.path`.
        embedder: Instead of the one that the settings name; the caller closes it.
        profile: Instead of the one that the settings name.
    """
    house = open_parts(path, settings, embedder=embedder, profile=profile)
    try:
        _check_generation(house)
    except BaseException:
        house.close()
        raise
    return house


def open_parts(
    path: str | Path | None,
    settings: Settings,
    *,
    embedder: Embedder | None = None,
    profile: Profile | None = None,
) -> House:
    """Open every part, whatever the index was built with; for jobs that bring index and embedder together.

    Whatever was opened is closed again where a later part fails. The arguments are those of `open_house`.
    """
    with ExitStack() as opened:
        house = _build(localise(path, settings), opened, embedder, profile)
        _check_index(house.admin)
        opened.pop_all()
        return house


def _build(settings: Settings, opened: ExitStack, embedder: Embedder | None, profile: Profile | None) -> House:
    closing = opened.enter_context(ExitStack())
    packs = load_packs(settings.packs)
    clock = SystemClock()
    if embedder is None:
        embedder = open_embedder(settings, settings.embedder)
        closing.callback(embedder.close)
    chat_model = open_chat_model(settings)
    if chat_model is not None:
        closing.callback(chat_model.close)
    reranker = open_reranker(settings)
    if reranker is not None:
        closing.callback(reranker.close)
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
        recaller=_recaller(settings, store.read, spaces, cache, packs, keeper, profile, reranker),
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


def _recaller(
    settings: Settings,
    reader: Reader,
    spaces: OpenSpaces,
    cache: Cache,
    packs: PackSet,
    keeper: Keeper | None,
    profile: Profile | None,
    reranker: Reranker | None,
) -> Recaller:
    return Recaller(
        reader=reader,
        spaces=spaces,
        cache=cache,
        packs=packs,
        profile=profile or find_profile(settings.profile),
        cache_ttl_s=settings.cache_ttl_s,
        settle=leave_it if keeper is None else keeper.settle,
        reranker=reranker,
    )


def _window_limits(settings: Settings) -> WindowLimits:
    return WindowLimits(
        rounds=settings.chat_window_rounds,
        tokens=settings.chat_window_tokens,
        ttl_s=settings.chat_window_ttl_s,
    )


def _check_index(admin: IndexAdmin) -> None:
    """Refuse a server that cannot be used; one that does not answer is asked again at every use until it does."""
    try:
        admin.check()
    except VectorIndexError as error:
        if not error.retryable:
            raise
        _log.warning("recall goes by words, and writes wait in the outbox, until the index answers: %s", error)


def _check_generation(house: House) -> None:
    """Refuse an index that was built with another embedder, as far as that can be told without calling a server."""
    live = house.store.generations.find_live()
    if live is None:
        return
    try:
        house.spaces.check(live)
    except ModelError as error:
        _log.warning("the embedder does not say what it is yet, its fingerprint is checked later: %s", error)
