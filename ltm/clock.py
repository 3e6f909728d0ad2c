"""The system's clock and source of ids."""

import time
from datetime import UTC, datetime
from threading import Lock

import uuid_utils


class SystemClock:
    """`Clock` of the machine. Ids of one process are strictly increasing, also when the wall clock is set back."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._last = 0

    def now(self) -> datetime:
        """Return the wall-clock time in UTC."""
        return datetime.fromtimestamp(time.time(), tz=UTC)

    def new_id(self) -> str:
        """Return a UUIDv7 behind every one returned before."""
        with self._lock:
            # The successor of the last id differs in its random tail only, so it is a valid UUIDv7 as well.
            self._last = max(uuid_utils.uuid7().int, self._last + 1)
            return str(uuid_utils.UUID(int=self._last))

    def monotonic(self) -> float:
        """Return seconds since an arbitrary moment."""
        return time.monotonic()
