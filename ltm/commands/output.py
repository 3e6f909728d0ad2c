"""Values on standard output: a line of JSON each for scripts, drawn for readers."""

import json
from collections.abc import Callable, Collection
from dataclasses import asdict, is_dataclass
from datetime import datetime
from typing import Annotated, Any

import typer
from pydantic import BaseModel

AsJson = Annotated[bool, typer.Option("--json", help="JSON Lines for scripts.")]
"""Option of every command that prints what it found or did."""


def print_values(values: Collection[object], tell: Callable[[], None], *, as_json: bool, nothing: str = "") -> None:
    """Write values to standard output.

    Args:
        values: One line of JSON each: fields by name, datetimes in ISO 8601, words of vocabularies as their strings.
        tell: Prints the same for a reader.
        as_json: Which of the two.
        nothing: Said on standard error where there are none, so that a slip in a name is noticed; "" says nothing.
    """
    if nothing and not values:
        typer.echo(nothing, err=True)
        return
    if not as_json:
        tell()
        return
    for value in values:
        print_json(value)


def print_json(value: object) -> None:
    """Write one line of JSON to standard output."""
    typer.echo(json.dumps(value, default=_plain, ensure_ascii=False))


def _plain(value: object) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if isinstance(value, BaseModel):
        return value.model_dump()
    return value.isoformat() if isinstance(value, datetime) else str(value)
