"""How an error of the library leaves a command line, the same for `ltm`, `python -m eval` and `python -m indexing`."""

from typing import Any

import typer
from typer.core import TyperGroup

from ltm.errors import LtmError


class ErrorsInOneLine(TyperGroup):
    """Commands of which every `LtmError` ends in one line on standard error and exit status 2."""

    def invoke(self, ctx: Any) -> Any:
        """Run a command; anything but an `LtmError` is a fault of ours and keeps its traceback."""
        try:
            return super().invoke(ctx)
        except LtmError as error:
            typer.echo(f"{type(error).__name__}: {' '.join(str(error).split())}", err=True)
            raise typer.Exit(2) from None
