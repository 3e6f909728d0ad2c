"""The console that tables are printed on."""

from rich.console import Console

_LEAST_WIDTH = 130


def open_console() -> Console:
    """Return a console that does not cut the tables where the output is no terminal."""
    found = Console()
    return found if found.is_terminal else Console(width=max(found.width, _LEAST_WIDTH))


def open_notes() -> Console:
    """Return a console on standard error, for bars and for what is said beside the answer; nothing is folded."""
    return Console(stderr=True, soft_wrap=True, highlight=False)
