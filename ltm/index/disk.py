"""What the disk refuses, in our own words."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ltm.errors import VectorIndexError


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
