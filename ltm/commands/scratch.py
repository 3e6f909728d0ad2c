"""Temporary stores in memory where the machine has such a folder: disks' flushes are not what is measured."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

_TMPFS = Path("/dev/shm")
_ROOM_BYTES = 2**30
"""Less than that is kept for others: a container's is 64 MB unless it was told otherwise."""


def has_tmpfs() -> bool:
    """Tell whether temporary stores lie in memory."""
    return _TMPFS.is_dir() and os.access(_TMPFS, os.W_OK) and shutil.disk_usage(_TMPFS).free >= _ROOM_BYTES


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Yield an empty folder that is removed when the block ends."""
    with TemporaryDirectory(prefix="ltm-", dir=_TMPFS if has_tmpfs() else None) as name:
        yield Path(name)
