"""A circuit breaker: a server that does not answer is left alone for a while."""

import time
from collections.abc import Callable
from threading import Lock


class CircuitBreaker:
    """Opens after some failures in a row; after a pause it lets one call through, which closes it or opens it again.

    So a dead server costs a few bounded waits, then one wait a pause.

    Args:
        max_failures: Failures in a row that open it.
        pause_s: How long it stays open before the next attempt.
        monotonic: Seconds on a clock that never goes back.
    """

    def __init__(
        self, *, max_failures: int = 3, pause_s: float = 5.0, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._max_failures = max_failures
        self._pause_s = pause_s
        self._monotonic = monotonic
        self._failures = 0
        self._retry_at = 0.0
        self._lock = Lock()

    def allows(self) -> bool:
        """Tell whether a call may be made now; after True, report its end with `succeeded` or `failed`."""
        with self._lock:
            if self._failures < self._max_failures:
                return True
            now = self._monotonic()
            if now < self._retry_at:
                return False
            # Only this caller tries; one that never reports back is followed by another after the next pause.
            self._retry_at = now + self._pause_s
            return True

    def succeeded(self) -> None:
        """Close the circuit."""
        with self._lock:
            self._failures = 0

    def failed(self) -> None:
        """Count a failure in a row."""
        with self._lock:
            self._failures += 1
            self._retry_at = self._monotonic() + self._pause_s
