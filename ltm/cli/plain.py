"""Values on standard output: JSON for scripts, tables for readers."""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, is_dataclass
from datetime import datetime
from typing import Any, TypeVar

import typer
from rich.console import RenderableType

from ltm.cli.where import console

_Value = TypeVar("_Value")


def as_json(value: object) -> str:
    """Return one line of JSON; datetimes are ISO 8601 in UTC, words of vocabularies are their strings."""
    return json.dumps(value, default=_plain, ensure_ascii=False)


def print_json(value: object) -> None:
    """Write one line of JSON to standard output."""
    typer.echo(as_json(value))


def print_rows(values: Sequence[_Value], draw: Callable[[Sequence[_Value]], RenderableType], *, as_json: bool) -> None:
    """Write values to standard output: a line of JSON each, or drawn for a reader."""
    if not as_json:
        console().print(draw(values))
    for value in values if as_json else ():
        print_json(value)


def _plain(value: object) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if isinstance(value, datetime):
        return value.isoformat()
    return str(value)
