"""What the comparison found."""

from collections.abc import Mapping
from dataclasses import dataclass

from bench.peer import About
from eval.bench.timing import Timings
from eval.metrics.intervals import Difference, Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Quality:
    """One system on one set.

    Attributes:
        recall: Mean recall@10 over the queries that have relevant memories.
        behind: The library's recall@10 minus this one's, on the same queries; None for the library itself.
    """

    dataset: str
    system: str
    recall: Estimate
    behind: Difference | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Speed:
    """One system at one size.

    Attributes:
        memories: How many were to be stored.
        added: How many were, within the time limit.
        search: None where the system was not asked, because it had not taken all memories in time.
        slower: Median search against the library's in the same run; None where one of them is missing.
        peak_rss_mb: Interpreter, packages and data.
    """

    system: str
    memories: int
    added: int
    adds_per_s: float
    search: Timings | None
    slower: float | None
    peak_rss_mb: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A whole run.

    Attributes:
        setup: How it was measured, in words, by what it is about.
        systems: Those that ran, the library first.
        left_out: System, or folder of sets, to why it is not in the tables.
    """

    made_at: str
    setup: Mapping[str, str]
    systems: tuple[About, ...]
    left_out: Mapping[str, str]
    quality: tuple[Quality, ...]
    speed: tuple[Speed, ...]
