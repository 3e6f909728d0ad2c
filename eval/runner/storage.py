"""Finished runs on disk: what `--resume` skips, and what `compare` and `report` read."""

from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from eval.datasets import Dataset
from eval.errors import EvaluationError
from eval.metrics.outcomes import SystemRun

_RUN = TypeAdapter(SystemRun)


def run_path(folder: Path, dataset: str, system: str) -> Path:
    """Return where a run is kept."""
    return folder / dataset.replace(":", "-") / f"{system.replace(':', '-').replace('/', '-')}.json"


def save_run(folder: Path, run: SystemRun) -> None:
    """Keep a run; an older one of the same set and system is replaced."""
    path = run_path(folder, run.dataset, run.system)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(_RUN.dump_json(run, indent=1))


def find_run(folder: Path, dataset: str, system: str) -> SystemRun | None:
    """Return a kept run, or None where there is none.

    Raises:
        EvaluationError: The file is there and is no run.
    """
    path = run_path(folder, dataset, system)
    if not path.exists():
        return None
    try:
        return _RUN.validate_json(path.read_bytes())
    except ValidationError as error:
        raise EvaluationError(f"{path} is no finished run; delete it and run again") from error


def dataset_hash(dataset: Dataset) -> str:
    """Return a short hash of everything in the set, so that a run of an older copy is not taken for one of this."""
    digest = sha256("".join(repr(memory) for memory in dataset.memories).encode())
    for query in dataset.queries:
        plain = replace(query, relevant=dict(query.relevant), forbidden=frozenset())
        digest.update(f"{plain!r}{sorted(query.forbidden)}".encode())
    return digest.hexdigest()[:12]
