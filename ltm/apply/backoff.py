"""When something that failed is tried again."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

Jitter: TypeAlias = Callable[[], float]
"""A random number in [0, 1); passed in, so that a test decides it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Backoff:
    """Waits that double, each between a half and the whole of its length, so that many who failed at once part.

    Attributes:
        first_s: The longest first wait.
        longest_s: No wait is longer.
        attempts: After so many failures a row is a dead letter.
    """

    first_s: float = 1.0
    longest_s: float = 300.0
    attempts: int = 8

    def wait_s(self, failures: int, jitter: Jitter) -> float:
        """Return the seconds to wait after so many failures in a row, 1 or more."""
        whole = min(self.longest_s, self.first_s * 2.0 ** min(failures - 1, 30))
        return whole * (0.5 + jitter() / 2)

    def is_dead(self, failures: int) -> bool:
        """Tell whether there is no further attempt."""
        return failures >= self.attempts


ROWS = Backoff()
"""For a row that cannot be applied while everything answers."""
ROWS_OF_A_JOB = Backoff(first_s=0.5, attempts=3)
"""For the same while a job waits for them: it soon says which memory cannot be applied."""
OUTAGES = Backoff(longest_s=60.0)
"""For a part that does not answer; there is no last attempt."""
