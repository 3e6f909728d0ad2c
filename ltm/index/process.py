"""Which process something belongs to."""

import os

from ltm.errors import VectorIndexError


class BirthProcess:
    """Remembers the process it was made in. Qdrant Edge hangs for ever in a forked child: ask before every call."""

    def __init__(self) -> None:
        self._pid = os.getpid()

    def is_here(self) -> bool:
        """Tell whether this is still the process it was made in."""
        return os.getpid() == self._pid

    def require(self) -> None:
        """Raise `VectorIndexError` in a forked child."""
        if not self.is_here():
            error = VectorIndexError(
                "the embedded index was opened before this process was forked and cannot work in the child: "
                "open Memory in the worker, after the fork"
            )
            error.retryable = False
            raise error
