"""What `ltm`, `python -m eval` and `python -m indexing` share: how they look, and how errors leave them."""

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


def make_app(summary: str, *, name: str | None = None) -> typer.Typer:
    """Return an app of several commands, without shell completion and without variables in tracebacks."""
    return typer.Typer(
        name=name,
        cls=ErrorsInOneLine,
        help=summary,
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_show_locals=False,
    )
