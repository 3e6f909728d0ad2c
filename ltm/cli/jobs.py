"""The commands `index` and `eval`: handed on, as they stand, to `python -m indexing` and `python -m eval`."""

from collections.abc import Sequence
from importlib import import_module

import typer

from ltm.commands.store_options import store_options
from ltm.errors import ConfigurationError

PASS_ON = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}
"""Everything behind the command's name, --help included, belongs to the other program."""


def index(context: typer.Context) -> None:
    """Relay, reindex, verify, repair, sweep: the jobs of `python -m indexing`."""
    # Its options of the store stand in front of its commands, too.
    _hand_on(context, "indexing.cli", [*store_options(context).arguments, *context.args])


def evaluate(context: typer.Context) -> None:
    """Run, compare, ablate, tune, gate: the commands of `python -m eval`."""
    # Most of its commands make stores of their own; what the chosen one takes, it takes behind its name.
    _hand_on(context, "eval.cli", [*context.args, *(store_options(context).arguments if context.args else ())])


def _hand_on(context: typer.Context, module: str, arguments: Sequence[str]) -> None:
    # Imported by name when it is asked for: what only the jobs or the extra `eval` need is not always installed.
    try:
        program: typer.Typer = import_module(module).app
    except ModuleNotFoundError as error:
        raise ConfigurationError(f"the package {error.name} is missing: pip install 'ltm[eval]'") from error
    program(args=list(arguments), prog_name=context.command_path)
