"""Values as JSON, for scripts."""

import json
from dataclasses import asdict, is_dataclass
from datetime import datetime
from typing import Any

import typer


def as_json(value: object) -> str:
    """Return one line of JSON; datetimes are ISO 8601 in UTC, words of vocabularies are their strings."""
    return json.dumps(value, default=_plain, ensure_ascii=False)


def print_json(value: object) -> None:
    """Write one line of JSON to standard output."""
    typer.echo(as_json(value))


def _plain(value: object) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if isinstance(value, datetime):
        return value.isoformat()
    return str(value)
