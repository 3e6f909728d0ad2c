"""A `Clock` that stands still until it is moved."""

from datetime import UTC, datetime, timedelta


class ManualClock:
    """Starts at noon on 1 October 2026 and moves only by `advance`; ids count upwards."""

    def __init__(self) -> None:
        self._start = datetime(2026, 10, 1, 12, tzinfo=UTC)
        self._seconds = 0.0
        self._ids = 0

    def advance(self, seconds: float) -> None:
        """Move both clocks."""
        self._seconds += seconds

    def now(self) -> datetime:
        """Return the time it was moved to."""
        return self._start + timedelta(seconds=self._seconds)

    def monotonic(self) -> float:
        """Return the seconds it was moved."""
        return self._seconds

    def new_id(self) -> str:
        """Return the next id."""
        self._ids += 1
        return f"00000000-0000-7000-8000-{self._ids:012d}"
