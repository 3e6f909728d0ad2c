"""What the disk refuses, in our own words."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ltm.errors import VectorIndexError

RESERVE_BYTES = 96 * 2**20
"""Qdrant Edge maps files of which it has only reserved the pages, and where the disk has none left for them, the system
ends the process by SIGBUS, which nothing can catch. On tmpfs it takes 33 MB to make a shard, 31 MB at each opening."""


def require_room(path: Path, reserve_bytes: int) -> None:
    """Raise where writing could end the process.

    Raises:
        VectorIndexError: Less than the reserve is free where `path` lies.
    """
    with disk_errors(path):
        free = shutil.disk_usage(path).free
    if free < reserve_bytes:
        raise VectorIndexError(
            f"the disk of the embedded index in {path} is full: {free >> 20} MB are free, {reserve_bytes >> 20} MB are "
            "needed. Make room; what was written meanwhile waits in the outbox"
        )


@contextmanager
def disk_errors(path: Path) -> Iterator[None]:
    """Turn the system's errors about an index's folder into `VectorIndexError`."""
    try:
        yield
    except OSError as error:
        raise VectorIndexError(
            f"the embedded index in {path} cannot be read or written: {error.strerror}. "
            "Check the disk, and that the folder and all in it belong to this process's user"
        ) from error
