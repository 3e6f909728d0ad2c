"""The command `migrate`."""

import typer

from ltm import wiring
from ltm.cli.where import where
from ltm.commands.output import AsJson, print_values


def migrate(context: typer.Context, as_json: AsJson = False) -> None:
    """Create the schema, or bring it up to date; a second run does nothing."""
    place = where(context)
    before, after = wiring.migrate(wiring.localise(place.path, place.settings))
    said = f"schema {after}, up to date" if before == after else f"schema {before or 'none'} → {after}"
    print_values([{"before": before, "after": after}], lambda: typer.echo(said), as_json=as_json)
