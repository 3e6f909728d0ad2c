"""The memory of a job: in a process of its own, with the index in another one, as it is beside a server.

Embedded, the index lies in the job's process: the system maps its files into it and drops them again under pressure,
and the engine itself keeps some 0.7 kB a point.
"""

import re
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from multiprocessing import get_context
from multiprocessing.context import SpawnProcess
from pathlib import Path

from indexing.bench.elsewhere import Elsewhere, ElsewhereAdmin
from indexing.bench.filling import fill
from indexing.bench.pipe import Caller, Pipe, answer_calls
from indexing.bench.work import rebuild, relay_all
from ltm.house import House
from ltm.settings import Settings
from ltm.spaces import OpenSpaces
from ltm.wiring import open_parts

_EMBEDDER = "hash"
_JOBS: Mapping[str, Callable[[House], None]] = {"relay": relay_all, "reindex": rebuild}
_STATUS = Path("/proc/self/status")


@dataclass(frozen=True, slots=True, kw_only=True)
class Footprint:
    """The most memory that each job had at a time, in MB; libraries included, which are some 150."""

    points: int
    relay_mb: float
    reindex_mb: float


def can_measure() -> bool:
    """Tell whether the system says how much memory a process had at most; Linux does."""
    return _STATUS.exists()


def measure_footprint(folder: Path, points: int) -> Footprint:
    """Fill an empty folder, then run each job in a new process."""
    fill(folder, points, _EMBEDDER)
    index = Elsewhere(folder / "points")
    found = {name: _run(name, folder, index) for name in _JOBS}
    index.close()
    return Footprint(points=points, relay_mb=found["relay"], reindex_mb=found["reindex"])


def _run(job: str, folder: Path, index: Elsewhere) -> float:
    spawn = get_context("spawn")
    mine, others = spawn.Pipe()
    process: SpawnProcess = spawn.Process(target=_child, args=(job, folder, others))
    process.start()
    others.close()
    answer_calls(index, mine)
    process.join()
    if process.exitcode or index.peak_mb is None:
        raise RuntimeError(f"the process of the {job} ended with status {process.exitcode}")
    return index.peak_mb


def _child(job: str, folder: Path, pipe: Pipe) -> None:
    index = Caller(pipe)
    with closing(open_parts(folder, Settings(embedder=_EMBEDDER))) as parts:
        admin = ElsewhereAdmin(index)
        spaces = OpenSpaces(parts.store, admin, parts.embedder, lambda spec: parts.embedder)
        _JOBS[job](replace(parts, admin=admin, spaces=spaces, keeper=None))
    index.note_peak(_peak_mb())


def _peak_mb() -> float:
    # Not getrusage: its figure outlives exec, so that a child begins with that of its parent.
    found = re.search(r"VmHWM:\s+(\d+) kB", _STATUS.read_text("ascii"))
    return int(found.group(1)) / 1024 if found else 0.0
