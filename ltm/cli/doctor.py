"""The command `doctor`: which backend each part uses, and whether it answers."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from time import perf_counter
from typing import Annotated
from urllib.parse import urlsplit

import typer
from pydantic import SecretStr
from rich.table import Table

from ltm import wiring
from ltm.cli.where import console, where
from ltm.clock import SystemClock
from ltm.commands.output import AsJson, print_values
from ltm.errors import IndexLockedError, LtmError
from ltm.packs import load_packs
from ltm.ports import Store
from ltm.settings import Settings


class _BadNewsError(LtmError):
    """A part answers, and what it says is a reason to act."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What was found out about one part.

    Attributes:
        backend: What the settings pick, with host and port; no password, no key.
        answers: None where there is nothing to ask, or where another process has it. False also for an outbox with dead
            letters.
        said: What it answered, or why it did not.
    """

    part: str
    backend: str
    answers: bool | None
    said: str
    seconds: float


def doctor(
    context: typer.Context,
    timeout: Annotated[float, typer.Option(help="Seconds to wait for each part.", min=0.1)] = 5.0,
    as_json: AsJson = False,
) -> None:
    """Say which backend each part uses and whether it answers; exit status 1 where one does not."""
    place = where(context)
    settings = _impatient(wiring.localise(place.path, place.settings), timeout)
    findings = list(_examine(settings))
    print_values(findings, lambda: console().print(_table(findings)), as_json=as_json)
    if any(finding.answers is False for finding in findings):
        raise typer.Exit(1)


def _impatient(settings: Settings, timeout_s: float) -> Settings:
    names = ("database_timeout_s", "qdrant_timeout_s", "redis_timeout_s", "embedder_timeout_s", "llm_timeout_s")
    bounds = {name: min(getattr(settings, name), timeout_s) for name in names}
    return settings.model_copy(update={**bounds, "llm_max_retries": 0})


def _examine(settings: Settings) -> Iterator[Finding]:
    with ExitStack() as opened:
        stores: list[Store] = []
        yield _ask("sql", _database(settings), lambda: _ask_sql(settings, opened, stores))
        index = _server(settings.qdrant_url) if settings.qdrant_url else f"Qdrant Edge in {settings.path}"
        yield _ask("index", index, lambda: _ask_index(settings, opened, stores))
        if stores:
            yield _ask("outbox", "SQL", lambda: _ask_outbox(stores[0]))
        cache = f"Redis at {_server(_secret(settings.redis_url))}" if settings.redis_url else "in the process"
        yield _ask("cache", cache, lambda: _ask_cache(settings, opened, stores))
        yield _ask("embedder", settings.embedder, lambda: _ask_embedder(settings, opened))
        if settings.llm_model is None:
            yield Finding(part="llm", backend="none", answers=None, said="rules only", seconds=0.0)
            return
        model = f"{settings.llm_model} at {_server(settings.llm_base_url) if settings.llm_base_url else 'OpenAI'}"
        yield _ask("llm", model, lambda: _ask_model(settings, opened))


def _ask(part: str, backend: str, question: Callable[[], str]) -> Finding:
    begun = perf_counter()
    answers: bool | None
    try:
        said, answers = question(), True
    except IndexLockedError:
        said, answers = "another process has it open", None
    except LtmError as error:
        said, answers = " ".join(str(error).split()), False
    return Finding(part=part, backend=backend, answers=answers, said=said, seconds=round(perf_counter() - begun, 3))


def _ask_sql(settings: Settings, opened: ExitStack, stores: list[Store]) -> str:
    store = wiring.open_sql(settings, SystemClock(), load_packs(settings.packs))
    opened.callback(store.close)
    stores.append(store)
    counts = store.read.counts()
    known = f"{sum(counts.memories.values())} memories of {counts.users} users"
    return f"{counts.backend} {counts.server}, schema {counts.schema}: {known}"


def _ask_index(settings: Settings, opened: ExitStack, stores: list[Store]) -> str:
    admin = wiring.open_index(settings, opened, store_id=_store_id(stores))
    opened.callback(admin.close)
    live = stores[0].generations.find_live() if stores else None
    if live is None:
        return f"no live generation; {len(admin.names())} stored"
    if live.name not in admin.names() and stores[0].outbox.has_all(live.generation_id):
        return f"{live.name} is made at its first use"
    return f"{live.name}: {admin.open(live.name, dim=live.dim, fingerprint=live.fingerprint).count()} points"


def _ask_outbox(store: Store) -> str:
    live = store.generations.find_live()
    if live is None:
        return "nothing waits"
    lag = store.outbox.lag(live.generation_id)
    if lag.dead:
        oldest = store.outbox.dead_letters(live.generation_id, limit=1)[0]
        raise _BadNewsError(
            f"{lag.dead} dead letters, the oldest of {oldest.raised_at:%Y-%m-%d %H:%M} UTC: {oldest.last_error} after "
            f"{oldest.attempts} attempts. Nobody tries them again: see to the cause, then `ltm index retry` makes them "
            "due like any row, or `ltm index repair` mends their points itself"
        )
    return f"{lag.rows} rows behind ({lag.seconds:.0f} s)"


def _ask_cache(settings: Settings, opened: ExitStack, stores: list[Store]) -> str:
    wiring.open_cache(settings, opened, store_id=_store_id(stores)).get("doctor")
    return "ok"


def _store_id(stores: list[Store]) -> str:
    """Return the id of the store; where it did not answer, none: an index or a cache can be asked all the same."""
    return stores[0].store_id if stores else ""


def _ask_embedder(settings: Settings, opened: ExitStack) -> str:
    embedder = wiring.open_embedder(settings, settings.embedder)
    opened.callback(embedder.close)
    embedder.embed_query("doctor")
    return f"{embedder.spec.dim} dimensions"


def _ask_model(settings: Settings, opened: ExitStack) -> str:
    model = wiring.open_chat_model(settings)
    assert model is not None
    opened.callback(model.close)
    schema = {"type": "object", "properties": {}, "additionalProperties": False}
    reply = model.complete(system="Answer with {}.", user="{}", schema_name="ltm_doctor", schema=schema)
    return f"{reply.tokens} tokens"


def _database(settings: Settings) -> str:
    url = _secret(settings.database_url)
    return f"{urlsplit(url).scheme} at {_server(url)}" if url else f"SQLite in {settings.path}"


def _server(url: str | None) -> str:
    parts = urlsplit(url or "")
    return parts.netloc.rpartition("@")[2] or parts.path


def _secret(value: SecretStr | None) -> str | None:
    return value.get_secret_value() if value else None


def _table(findings: Sequence[Finding]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("part", "backend", "answers", "seconds", ""):
        table.add_column(heading, overflow="fold")
    words = {True: "yes", False: "no", None: "–"}
    for found in findings:
        table.add_row(found.part, found.backend, words[found.answers], f"{found.seconds:.3f}", found.said)
    return table
