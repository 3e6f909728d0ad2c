"""How far a long job is: a bar on a terminal, log lines elsewhere, silence inside an application."""

import logging
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol, TypeAlias

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from ltm.ports import Clock

_log = logging.getLogger(__name__)
_LINE_EVERY_S = 10.0

Advance: TypeAlias = Callable[[int], None]
"""Says that so many more are done."""


class Watch(Protocol):
    """Is told what a job does."""

    def stage(self, name: str, total: int) -> AbstractContextManager[Advance]:
        """Begin a stage of about `total` memories, which ends with the block."""
        ...


class Silent:
    """Shows nothing."""

    @contextmanager
    def stage(self, name: str, total: int) -> Iterator[Advance]:
        """Do nothing."""
        yield lambda count: None


class Bars:
    """A bar with rate and time left, for a terminal."""

    def __init__(self, console: Console) -> None:
        self._console = console

    @contextmanager
    def stage(self, name: str, total: int) -> Iterator[Advance]:
        """Show a bar until the block ends; it stays on the screen."""
        columns = (
            TextColumn("{task.description:>8}"),
            BarColumn(),
            TaskProgressColumn(),
            MofNCompleteColumn(),
            _Rate(),
            TimeRemainingColumn(),
        )
        with Progress(*columns, console=self._console) as progress:
            task = progress.add_task(name, total=total)
            yield lambda count: progress.advance(task, count)


class Lines:
    """A log line now and then, with rate and time left."""

    def __init__(self, clock: Clock, *, every_s: float = _LINE_EVERY_S) -> None:
        self._clock = clock
        self._every_s = every_s

    @contextmanager
    def stage(self, name: str, total: int) -> Iterator[Advance]:
        """Log lines until the block ends, and one at its end."""
        begun_s = said_s = self._clock.monotonic()
        done = 0

        def say() -> None:
            seconds = max(self._clock.monotonic() - begun_s, 1e-6)
            rate = done / seconds
            left_s = max(total - done, 0) / rate if rate else 0.0
            _log.info("%s %d of %d, %.0f/s, %.0f s, %.0f s left", name, done, total, rate, seconds, left_s)

        def advance(count: int) -> None:
            nonlocal done, said_s
            done += count
            if self._clock.monotonic() - said_s >= self._every_s:
                said_s = self._clock.monotonic()
                say()

        yield advance
        if total or done:
            say()


class _Rate(ProgressColumn):
    def render(self, task: Task) -> Text:
        """Show the memories a second."""
        return Text("" if task.speed is None else f"{task.speed:,.0f}/s", style="progress.data.speed")
