"""The generations of an embedded index: a folder each, made complete beside the others and then named."""

import json
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

from ltm.errors import IndexLockedError
from ltm.index.disk import RESERVE_BYTES, disk_errors, require_room
from ltm.index.edge import create_shard, edge_errors
from ltm.index.embedded import EdgeEngine
from ltm.index.folder_lock import FolderLock
from ltm.index.identity import Identity, absent, check_name, damaged, parse_identity, require_identity
from ltm.index.point_index import PointIndex
from ltm.index.process import BirthProcess

_IDENTITY = "generation.json"
_SHARD = "shard"
# Two processes that open an empty store at once: one makes the generation in some 100 ms, the other waits for it.
_CREATION_S = 2.0


class EmbeddedIndexAdmin:
    """Generations below one folder. Reading their names and identities needs no lock; points are for one process.

    A generation that is open here is returned as the same object when it is opened again.
    """

    def __init__(self, path: Path | str, *, reserve_bytes: int = RESERVE_BYTES) -> None:
        """Touch nothing; the folder is made when the first generation is.

        Args:
            path: The index's own folder, e.g. `<store>/index`.
            reserve_bytes: With less of them free on its disk, nothing of the index is opened, made or written.
        """
        self._reserve_bytes = reserve_bytes
        self._path = Path(path)
        self._lock = FolderLock(self._path)
        self._process = BirthProcess()
        self._guard = Lock()
        self._engines: dict[str, tuple[EdgeEngine, PointIndex]] = {}

    def check(self) -> None:
        """Do nothing: what is wrong with a folder shows when a generation is opened."""

    def create(self, name: str, *, dim: int, fingerprint: str) -> PointIndex:
        """Make an empty generation, or open it where it exists with this fingerprint and dimension."""
        self._process.require()
        folder = self._path / check_name(name)
        with disk_errors(self._path):
            if not folder.exists():
                self._make(folder, Identity(fingerprint=fingerprint, dim=dim))
        return self.open(name, dim=dim, fingerprint=fingerprint)

    def open(self, name: str, *, dim: int, fingerprint: str) -> PointIndex:
        """Open an existing generation: its identity now, its points at their first use."""
        folder = self._path / check_name(name)
        require_identity(_read_identity(folder), Identity(fingerprint=fingerprint, dim=dim), where=_where(folder))
        self._process.require()
        with self._guard:
            known = self._engines.get(name)
            if known is None or known[0].closed:
                engine = EdgeEngine(folder / _SHARD, self._lock, reserve_bytes=self._reserve_bytes)
                known = self._engines[name] = (engine, PointIndex(engine, dim=dim))
            return known[1]

    def names(self) -> list[str]:
        """List the generations that exist, sorted."""
        with disk_errors(self._path):
            return sorted(found.parent.name for found in self._path.glob(f"[!.]*/{_IDENTITY}"))

    def drop(self, name: str) -> None:
        """Remove a generation and all its points; an unknown name is no error."""
        self._process.require()
        folder = self._path / check_name(name)
        with disk_errors(self._path):
            if not folder.exists():
                return
        with self._guard:
            known = self._engines.pop(name, None)
        if known is not None:
            known[0].close()
        with disk_errors(self._path), _held(self._lock):
            # Renamed first, so that a removal that is interrupted leaves no half of a generation under its name.
            doomed = self._scratch("dropped", name)
            folder.rename(doomed)
            shutil.rmtree(doomed)

    def close(self) -> None:
        """Close every generation that was opened here; in a forked child do nothing."""
        if not self._process.is_here():
            return
        with self._guard:
            known = list(self._engines.values())
            self._engines.clear()
        for engine, _ in known:
            engine.close()

    def _make(self, folder: Path, identity: Identity) -> None:
        deadline = time.monotonic() + _CREATION_S
        while not folder.exists():
            try:
                with _held(self._lock):
                    if not folder.exists():
                        self._build(folder, identity)
            except IndexLockedError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)

    def _build(self, folder: Path, identity: Identity) -> None:
        building = self._scratch("building", folder.name)
        building.mkdir(parents=True)
        require_room(building, self._reserve_bytes)
        with edge_errors(folder):
            shard = create_shard(building / _SHARD, dim=identity.dim)
            shard.flush()
            shard.close()
        with (building / _IDENTITY).open("w", encoding="utf-8") as file:
            json.dump(identity.to_json(), file)
            file.flush()
            os.fsync(file.fileno())
        building.rename(folder)

    def _scratch(self, purpose: str, name: str) -> Path:
        scratch = self._path / f".{purpose}-{name}"
        shutil.rmtree(scratch, ignore_errors=True)
        return scratch


def _read_identity(folder: Path) -> Identity:
    with disk_errors(folder.parent):
        is_there = folder.exists()
    if not is_there:
        raise absent(_where(folder))
    try:
        stored = json.loads((folder / _IDENTITY).read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise damaged(f"{_where(folder)} does not say which embedder it was built with") from error
    return parse_identity(stored, where=_where(folder))


def _where(folder: Path) -> str:
    return f"generation {folder.name!r} of the embedded index in {folder.parent}"


@contextmanager
def _held(lock: FolderLock) -> Iterator[None]:
    lock.acquire()
    try:
        yield
    finally:
        lock.release()
