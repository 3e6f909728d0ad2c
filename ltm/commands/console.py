"""The console that tables are printed on."""

from rich.console import Console

_LEAST_WIDTH = 130


def open_console() -> Console:
    """Return a console that does not cut the tables where the output is no terminal."""
    found = Console()
    return found if found.is_terminal else Console(width=max(found.width, _LEAST_WIDTH))
