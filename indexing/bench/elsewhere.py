"""An index in another process than the job's, as on a server: its two sides."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, cast

from indexing.bench.pipe import Caller
from ltm.index.edge import create_shard
from ltm.index.embedded import EdgeEngine
from ltm.index.engine import Engine
from ltm.index.folder_lock import FolderLock
from ltm.index.point_index import PointIndex


class Elsewhere:
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


class ElsewhereAdmin:
    """The job's side: an `IndexAdmin` whose generations are in the other process."""

    def __init__(self, index: Caller) -> None:
        self._index = index

    def check(self) -> None:
        """Do nothing."""

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
