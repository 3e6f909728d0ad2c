"""One set through one system, or through several that share a store."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from platformdirs import user_cache_path

from eval.datasets import Dataset
from eval.metrics.outcomes import SystemRun
from eval.runner.ask import Asker
from eval.runner.baselines import BASELINES, Baselines, run_baseline
from eval.runner.embedding_cache import CachedEmbedder
from eval.runner.ingest import Stored, store_corpus
from eval.runner.opening import open_embedder, open_memory
from eval.runner.progress import Bars
from eval.runner.storage import dataset_hash, find_run, save_run
from ltm._version import __version__
from ltm.settings import Settings

CACHE = user_cache_path("ltm", appauthor=False) / "embeddings"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How sets are run.

    Attributes:
        systems: Profiles of the library, and names of `BASELINES`, in the order of the table.
        settings: Of the store; without server URLs each set gets a temporary embedded one.
        folder: Where finished runs are kept.
        resume: Take finished runs of the same set and setup from there instead of running again.
    """

    systems: tuple[str, ...]
    settings: Settings
    folder: Path
    resume: bool = False


def evaluate(dataset: Dataset, options: Options, show: Bars) -> list[SystemRun]:
    """Return a run for each system, in order; each is kept on disk as soon as it is finished."""
    setup = _setup(dataset, options)
    done = {name: run for name in options.systems if (run := _finished(dataset, name, setup, options)) is not None}
    missing = [name for name in options.systems if name not in done]
    if missing:
        with _embedder(options.settings) as embedder:
            for run in _run(dataset, missing, embedder, options, show):
                done[run.system] = replace(run, setup=setup)
                save_run(options.folder, done[run.system])
    return [done[name] for name in options.systems]


def _run(
    dataset: Dataset, systems: Sequence[str], embedder: CachedEmbedder, options: Options, show: Bars
) -> Iterator[SystemRun]:
    """Store the corpus once and ask it under each profile; baselines rank the same heads."""
    profiles = [name for name in systems if name not in BASELINES] or [options.settings.profile]
    with TemporaryDirectory(prefix="ltm-eval-") as folder:
        stored: Stored | None = None
        for profile in profiles:
            settings = options.settings.model_copy(
                update={"profile": profile, "packs": _packs(dataset, options.settings)}
            )
            with open_memory(Path(folder), settings, embedder) as memory:
                if stored is None:
                    with show.bar(f"{dataset.name}: remember", len(dataset.memories)) as advance:
                        stored = store_corpus(memory, dataset, embedder, advance)
                if profile in systems:
                    asker = Asker(memory=memory, stored=stored, embedder=embedder)
                    yield _ask(asker, dataset, profile, show)
        assert stored is not None
        baselines = Baselines(stored.heads, embedder)
        for name in systems:
            if name in BASELINES:
                with show.bar(f"{dataset.name}: {name}", len(dataset.queries)) as advance:
                    yield run_baseline(name, baselines, dataset, stored, advance)


def _ask(asker: Asker, dataset: Dataset, profile: str, show: Bars) -> SystemRun:
    outcomes = []
    with show.bar(f"{dataset.name}: recall ({profile})", len(dataset.queries)) as advance:
        for query in dataset.queries:
            outcomes.append(asker.ask(query))
            advance(1)
    return SystemRun(
        dataset=dataset.name,
        system=profile,
        setup={},
        outcomes=tuple(outcomes),
        aliases=asker.stored.aliases,
        ingest=asker.stored.ingest,
    )


@contextmanager
def _embedder(settings: Settings) -> Iterator[CachedEmbedder]:
    inner = open_embedder(settings)
    cached = CachedEmbedder(inner, CACHE)
    try:
        yield cached
    finally:
        cached.close()
        inner.close()


def _packs(dataset: Dataset, settings: Settings) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*settings.packs, *dataset.packs)))


def _setup(dataset: Dataset, options: Options) -> dict[str, str]:
    return {
        "ltm": __version__,
        "embedder": options.settings.embedder,
        "packs": ",".join(_packs(dataset, options.settings)),
        "dataset": dataset_hash(dataset),
    }


def _finished(dataset: Dataset, system: str, setup: dict[str, str], options: Options) -> SystemRun | None:
    run = find_run(options.folder, dataset.name, system) if options.resume else None
    return run if run is not None and run.setup == setup else None
