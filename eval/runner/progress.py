"""Progress bars on a terminal, silence elsewhere."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from eval.runner.ingest import Advance


class Bars:
    """Names what is being done and how far it is."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress

    @contextmanager
    def bar(self, name: str, total: int) -> Iterator[Advance]:
        """Show a bar until the block ends."""
        task = self._progress.add_task(name, total=total)
        try:
            yield lambda count: self._progress.advance(task, count)
        finally:
            self._progress.remove_task(task)


@contextmanager
def bars(console: Console) -> Iterator[Bars]:
    """Yield bars; where the console is no terminal nothing is written."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        yield Bars(progress)
