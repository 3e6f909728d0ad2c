"""Time and ids."""

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """The only source of time and of new ids."""

    def now(self) -> datetime:
        """Return the current time, aware, in UTC."""
        ...

    def new_id(self) -> str:
        """Return a new UUIDv7 as a lower-case string of 36 characters; later ids sort behind earlier ones."""
        ...

    def monotonic(self) -> float:
        """Return seconds on a clock that never goes back, for durations."""
        ...
