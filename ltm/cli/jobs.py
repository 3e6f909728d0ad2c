"""The commands `index` and `eval`: handed on, as they stand, to `python -m indexing` and `python -m eval`."""

from importlib import import_module

import typer

from ltm.errors import ConfigurationError, InvalidRequestError

PASS_ON = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}
"""Everything behind the command's name, --help included, belongs to the other program."""


def index(context: typer.Context) -> None:
    """Relay, reindex, verify, repair, sweep: the jobs of `python -m indexing`."""
    _hand_on(context, "indexing.cli")


def evaluate(context: typer.Context) -> None:
    """Run, compare, ablate, tune, gate: the commands of `python -m eval`."""
    _hand_on(context, "eval.cli")


def _hand_on(context: typer.Context, module: str) -> None:
    in_front = context.parent.params if context.parent else {}
    if any(value for value in in_front.values()):
        raise InvalidRequestError(f"its options stand behind the command: see `{context.command_path} --help`")
    # Imported by name when it is asked for: what only the jobs or the extra `eval` need is not always installed.
    try:
        program: typer.Typer = import_module(module).app
    except ModuleNotFoundError as error:
        raise ConfigurationError(f"the package {error.name} is missing: pip install 'ltm[eval]'") from error
    program(args=context.args, prog_name=context.command_path)
