"""One set through several systems, each run kept as soon as it is finished."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from eval.datasets import Dataset
from eval.metrics.outcomes import SystemRun
from eval.runner.baselines import BM25, run_bm25
from eval.runner.prepared import Prepared, packs_of, prepared
from eval.runner.progress import Bars
from eval.runner.storage import dataset_hash, find_run, save_run
from ltm._version import __version__
from ltm.recall import find_profile
from ltm.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How sets are run.

    Attributes:
        systems: Profiles of the library, and perhaps `bm25s`, in the order of the table.
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
        for run in _run(dataset, missing, options, show):
            done[run.system] = replace(run, setup=setup)
            save_run(options.folder, done[run.system])
    return [done[name] for name in options.systems]


def _run(dataset: Dataset, systems: Sequence[str], options: Options, show: Bars) -> Iterator[SystemRun]:
    with prepared(dataset, options.settings, show) as one:
        for name in systems:
            yield _bm25(one, show) if name == BM25 else one.run(find_profile(name), show)


def _bm25(one: Prepared, show: Bars) -> SystemRun:
    with show.bar(f"{one.dataset.name}: {BM25}", len(one.dataset.queries)) as advance:
        return run_bm25(one.dataset, one.stored, advance)


def _setup(dataset: Dataset, options: Options) -> dict[str, str]:
    return {
        "ltm": __version__,
        "embedder": options.settings.embedder,
        "packs": ",".join(packs_of(dataset, options.settings)),
        "dataset": dataset_hash(dataset),
    }


def _finished(dataset: Dataset, system: str, setup: dict[str, str], options: Options) -> SystemRun | None:
    run = find_run(options.folder, dataset.name, system) if options.resume else None
    return run if run is not None and run.setup == setup else None
