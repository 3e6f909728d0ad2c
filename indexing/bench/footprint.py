"""The memory of a job: in a process of its own, with the index in another one, as it is beside a server.

Embedded, the index lies in the job's process: the system maps its files into it and drops them again under pressure,
and the engine itself keeps some 0.7 kB a point.
"""

import re
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import get_context
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any, cast

from indexing.bench.filling import fill
from indexing.bench.pipe import Caller, Pipe, answer_calls
from indexing.bench.work import rebuild, relay_all
from ltm.house import House
from ltm.index.edge import create_shard
from ltm.index.embedded import EdgeEngine
from ltm.index.engine import Engine
from ltm.index.folder_lock import FolderLock
from ltm.index.point_index import PointIndex
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
    index = _Index(folder / "points")
    found = {name: _run(name, folder, index) for name in _JOBS}
    index.close()
    return Footprint(points=points, relay_mb=found["relay"], reindex_mb=found["reindex"])


def _run(job: str, folder: Path, index: "_Index") -> float:
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


class _Index:
    """The side of the points: generations in a folder, each asked by its name."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = FolderLock(folder)
        self._engines: dict[str, EdgeEngine] = {}
        self.peak_mb: float | None = None

    def make(self, name: str, dim: int) -> None:
        """Make a generation, unless it is there."""
        if name not in self._engines:
            (self._folder / name).mkdir(parents=True)
            create_shard(self._folder / name, dim=dim).close()
            self._engines[name] = EdgeEngine(self._folder / name, self._lock)

    def names(self) -> list[str]:
        """List the generations."""
        return sorted(self._engines)

    def ask(self, name: str, method: str, *arguments: Any, **named: Any) -> Any:
        """Call a generation."""
        return getattr(self._engines[name], method)(*arguments, **named)

    def note_peak(self, megabytes: float) -> None:
        """Keep what the job says at its end."""
        self.peak_mb = megabytes

    def close(self) -> None:
        """Close every generation."""
        for engine in self._engines.values():
            engine.close()


class _Admin:
    """The job's side: an `IndexAdmin` whose generations are elsewhere."""

    def __init__(self, index: Caller) -> None:
        self._index = index

    def create(self, name: str, *, dim: int, fingerprint: str) -> PointIndex:
        """Make a generation, or open it."""
        self._index.make(name, dim)
        return self.open(name, dim=dim, fingerprint=fingerprint)

    def open(self, name: str, *, dim: int, fingerprint: str) -> PointIndex:
        """Open a generation."""
        return PointIndex(cast(Engine, _Remote(self._index, name)), dim=dim)

    def names(self) -> list[str]:
        """List the generations."""
        found: list[str] = self._index.names()
        return found

    def drop(self, name: str) -> None:
        """Leave it: the folder is removed as a whole."""

    def close(self) -> None:
        """Leave the generations open: another job comes."""


class _Remote:
    """One generation elsewhere."""

    def __init__(self, index: Caller, name: str) -> None:
        self._index = index
        self._name = name

    def __getattr__(self, method: str) -> Callable[..., Any]:
        return partial(self._index.ask, self._name, method)

    def close(self) -> None:
        """Leave it open."""


def _child(job: str, folder: Path, pipe: Pipe) -> None:
    index = Caller(pipe)
    with closing(open_parts(folder, Settings(embedder=_EMBEDDER))) as parts:
        admin = _Admin(index)
        spaces = OpenSpaces(parts.store, admin, parts.embedder, lambda spec: parts.embedder)
        _JOBS[job](replace(parts, admin=admin, spaces=spaces, keeper=None))
    index.note_peak(_peak_mb())


def _peak_mb() -> float:
    # Not getrusage: its figure outlives exec, so that a child begins with that of its parent.
    found = re.search(r"VmHWM:\s+(\d+) kB", _STATUS.read_text("ascii"))
    return int(found.group(1)) / 1024 if found else 0.0
