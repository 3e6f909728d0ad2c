"""The command `migrate`."""

import typer

from ltm import wiring
from ltm.cli.where import where


def migrate(context: typer.Context) -> None:
    """Create the schema, or bring it up to date; a second run does nothing."""
    place = where(context)
    before, after = wiring.migrate(wiring.localise(place.path, place.settings))
    typer.echo(f"schema {after}, up to date" if before == after else f"schema {before or 'none'} → {after}")
