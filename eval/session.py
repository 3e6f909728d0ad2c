"""What every command needs: the sets, how to run them, and where to write."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.text import Text

from eval.datasets import OWN, Dataset, find_sets, read_dataset
from eval.errors import DatasetError, EvaluationError
from eval.metrics.outcomes import SystemRun
from eval.runner.evaluation import Options, evaluate
from eval.runner.progress import bars

SEED = 20_261_008
"""Of every bootstrap: the same runs give the same report."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Which sets.

    Attributes:
        data: Folder of labelled sets; it may be missing, which is said.
        names: Only these sets; none means all, and the library's own.
        split: `train`, `test` or "" for both; sets without splits are used whole.
    """

    data: Path
    names: Sequence[str] = ()
    split: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluated:
    """A set with its runs, in the order of the systems."""

    dataset: Dataset
    runs: tuple[SystemRun, ...]


def rng() -> np.random.Generator:
    """Return a generator that always draws the same."""
    return np.random.default_rng(SEED)


def read_sets(choice: Choice, console: Console) -> list[Dataset]:
    """Return the chosen sets, the library's own last; what is missing or cannot be understood is said and left out.

    Raises:
        EvaluationError: A set was asked for by name and is not there, or nothing is left.
    """
    found: dict[str, Callable[[], Dataset]] = {}
    if choice.data.is_dir():
        found.update(find_sets(choice.data))
    else:
        said = f"{choice.data} is not there: its sets are not run, only the set of our own is"
        console.print(said, style="yellow", markup=False)
    found["own"] = lambda: read_dataset(OWN)
    unknown = set(choice.names) - found.keys()
    if unknown:
        raise EvaluationError(f"no set {', '.join(sorted(unknown))}; there are {', '.join(found)}")
    names = [name for name in found if not choice.names or name in choice.names]
    sets = [dataset for name in names if (dataset := _read(found[name], console)) is not None]
    if not sets:
        raise EvaluationError("no set is left to run")
    return [_restrict(dataset, choice.split) for dataset in sets]


def run_sets(sets: Sequence[Dataset], options: Options, console: Console) -> list[Evaluated]:
    """Run every set through every system, showing how far it is."""
    with bars(console) as show:
        return [Evaluated(dataset=dataset, runs=tuple(evaluate(dataset, options, show))) for dataset in sets]


def _read(load: Callable[[], Dataset], console: Console) -> Dataset | None:
    try:
        return load()
    except DatasetError as error:
        console.print(Text.assemble(("left out:", "red"), f" {error}"))
        return None


def _restrict(dataset: Dataset, split: str) -> Dataset:
    has_splits = any(memory.split for memory in dataset.memories)
    return dataset.restrict(split) if split and has_splits else dataset
