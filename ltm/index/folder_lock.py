"""One process at a time: an advisory lock on a folder, which the system releases when the process dies."""

import sys
from pathlib import Path
from threading import Lock
from typing import IO

from ltm.errors import IndexLockedError
from ltm.index.disk import disk_errors

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl


class FolderLock:
    """Counted within this process: it is released to others when each `acquire` has met its `release`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._guard = Lock()
        self._held = 0
        self._file: IO[bytes] | None = None

    def acquire(self) -> None:
        """Take the lock without waiting; the folder is made where it is absent.

        Raises:
            IndexLockedError: Another process holds it, or another object of this process.
            VectorIndexError: The folder cannot be made or written.
        """
        with self._guard:
            if self._held == 0:
                self._file = self._locked_file()
            self._held += 1

    def release(self) -> None:
        """Give up one `acquire`."""
        with self._guard:
            self._held -= 1
            if self._held == 0 and self._file is not None:
                # Not by closing alone: a forked child may keep a copy of the file open.
                _unlock(self._file)
                self._file.close()
                self._file = None

    def _locked_file(self) -> IO[bytes]:
        with disk_errors(self._folder):
            self._folder.mkdir(parents=True, exist_ok=True)
            file = (self._folder / ".lock").open("ab")
        try:
            _lock(file)
        except OSError as error:
            file.close()
            raise locked(self._folder) from error
        return file


def locked(folder: Path) -> IndexLockedError:
    """Return the error for a folder that somebody else works with."""
    return IndexLockedError(
        f"the embedded index in {folder} is in use by another process, or opened twice in this one: "
        "close it there first, or set LTM_QDRANT_URL to share a Qdrant server between processes"
    )


if sys.platform == "win32":

    def _lock(file: IO[bytes]) -> None:
        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

    def _unlock(file: IO[bytes]) -> None:
        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)

else:

    def _lock(file: IO[bytes]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _unlock(file: IO[bytes]) -> None:
        fcntl.flock(file, fcntl.LOCK_UN)
