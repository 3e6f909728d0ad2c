"""The application `ltm`: its commands and its common options."""

from typing import Annotated

import typer

from ltm._version import __version__
from ltm.cli import doctor, exporting, jobs, reading, schema, undoing, writing
from ltm.cli.demo.play import demo
from ltm.commands import make_app
from ltm.commands.store_options import takes_store

app = make_app(
    "Long-term memory for LLM agents. The store is named here, behind a command, or by LTM_ variables.", name="ltm"
)


def _show_version(value: bool) -> None:
    if value:
        typer.echo(__version__)
        raise typer.Exit


@app.callback()
@takes_store
def name_store(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", callback=_show_version, is_eager=True)] = False,
) -> None:
    """Take the options of the store in front of a command."""


app.command("demo")(demo)
for _name, _command in (
    ("remember", writing.remember),
    ("observe", writing.observe),
    ("recall", reading.recall),
    ("list", reading.list_memories),
    ("history", reading.history),
    ("why", reading.why),
    ("pending", writing.pending),
    ("rollback", undoing.rollback),
    ("revert", undoing.revert),
    ("retract", undoing.retract),
    ("transition", undoing.transition),
    ("state", reading.state),
    ("erase", undoing.erase),
    ("export", exporting.export),
    ("doctor", doctor.doctor),
    ("migrate", schema.migrate),
):
    app.command(_name)(takes_store(_command))
app.command("index", context_settings=jobs.PASS_ON)(jobs.index)
app.command("eval", context_settings=jobs.PASS_ON)(jobs.evaluate)


def main() -> None:
    """Run the command line."""
    app()
