"""Repeat calls and keep what each took."""

import gc
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import TypeVar

from eval.metrics.summary import percentile

_Argument = TypeVar("_Argument")


@dataclass(frozen=True, slots=True, kw_only=True)
class Timings:
    """Milliseconds of many calls."""

    p50: float
    p99: float
    count: int


def time_calls(call: Callable[[_Argument], object], arguments: Iterable[_Argument]) -> list[float]:
    """Call once for each argument, with the garbage collector held back, and return the seconds of each call."""
    seconds = []
    gc.collect()
    gc.disable()
    try:
        for argument in arguments:
            started = perf_counter()
            call(argument)
            seconds.append(perf_counter() - started)
    finally:
        gc.enable()
    return seconds


def time_in_turns(
    calls: Mapping[str, Callable[[_Argument], object]], rounds: Sequence[Sequence[_Argument]]
) -> dict[str, Timings]:
    """Time several calls on the same arguments, a round of each after the other.

    What else the machine does falls on all of them alike, so that their ratios can be trusted more than each figure.

    Raises:
        ValueError: There is nothing to call them with.
    """
    seconds: dict[str, list[float]] = {name: [] for name in calls}
    for arguments in rounds:
        for name, call in calls.items():
            seconds[name].extend(time_calls(call, arguments))
    return {name: timings(found) for name, found in seconds.items()}


def timings(seconds: Sequence[float]) -> Timings:
    """Return the quantiles of measured seconds.

    Raises:
        ValueError: There are none.
    """
    if not seconds:
        raise ValueError("nothing to time")
    return Timings(p50=percentile(seconds, 0.5) * 1000, p99=percentile(seconds, 0.99) * 1000, count=len(seconds))
