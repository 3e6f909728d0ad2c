"""What `ltm`, `python -m eval` and `python -m indexing` share: how they look, and how errors leave them."""

from typing import Any

import typer
from typer.core import TyperGroup

from ltm.errors import LtmError


class ErrorsInOneLine(TyperGroup):
    """Commands of which every `LtmError` ends in one line on standard error and exit status 2."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the options in front of the command; for one that belongs behind it, say so."""
        rest = list(args)
        known = {name: option for option in self.get_params(ctx) for name in option.opts}
        while rest and rest[0].startswith("-"):
            name, has_value, _ = rest.pop(0).partition("=")
            if name not in known:
                self._refuse_misplaced(ctx, name, rest)
                break
            if not (has_value or getattr(known[name], "is_flag", False)):
                del rest[:1]
        return super().parse_args(ctx, args)

    def _refuse_misplaced(self, ctx: Any, option: str, rest: list[str]) -> None:
        takers = [
            name
            for name, command in self.commands.items()
            if any(option in parameter.opts for parameter in command.params)
        ]
        if takers:
            meant = next((word for word in rest if word in takers), takers[0])
            ctx.fail(f"{option} stands behind the command: {ctx.command_path} {meant} {option} ...")

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
