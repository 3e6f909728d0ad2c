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
from threading import Event, Thread

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
_EVERY_S = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class Footprint:
    """The most memory of its own that each job had at a time, in MB; the libraries' included, some 60.

    Files that are mapped into the process, SQLite's among them, are not counted: the system takes them back at will.
    """

    points: int
    relay_mb: float
    reindex_mb: float


def can_measure() -> bool:
    """Tell whether the system says how much memory of its own a process has; Linux does."""
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
    with closing(open_parts(folder, Settings(embedder=_EMBEDDER))) as parts, _Gauge() as gauge:
        admin = ElsewhereAdmin(index)
        spaces = OpenSpaces(parts.store, admin, parts.embedder, lambda spec: parts.embedder)
        _JOBS[job](replace(parts, admin=admin, spaces=spaces, keeper=None))
    index.note_peak(gauge.peak_mb)


class _Gauge:
    """Looks every so often; Linux keeps the peak of all memory, but not of a process's own."""

    def __init__(self) -> None:
        self.peak_mb = 0.0
        self._stop = Event()
        self._thread = Thread(target=self._watch)

    def __enter__(self) -> "_Gauge":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _watch(self) -> None:
        is_over = False
        while not is_over:
            is_over = self._stop.wait(_EVERY_S)
            self.peak_mb = max(self.peak_mb, _own_mb())


def _own_mb() -> float:
    found = re.search(r"RssAnon:\s+(\d+) kB", _STATUS.read_text("ascii"))
    return int(found.group(1)) / 1024 if found else 0.0
