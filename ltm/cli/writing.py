"""Commands that write: remember, observe, pending."""

import json
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import Progress

from ltm.cli.options import At, Key, Session, User
from ltm.cli.tables import decision_table, pending_table, record_table
from ltm.cli.where import Where, console, where
from ltm.commands.output import AsJson, print_values
from ltm.errors import InvalidRequestError
from ltm.models import Decision, Json, Turn
from ltm.models.check import check_id

TURN_FIELDS = {"role", "text", "at", "id", "session"}


def remember(
    context: typer.Context,
    text: Annotated[str, typer.Argument(help="The sentence to remember.", show_default=False)],
    user: User,
    key: Key = None,
    value: Annotated[
        str | None, typer.Option(help="The slot's value: JSON, or text such as 15-20k; see docs/reference/values.md.")
    ] = None,
    kind: Annotated[str | None, typer.Option(help="fact, preference, state, episode or exclusion.")] = None,
    at: At = None,
    session: Session = None,
    as_json: AsJson = False,
) -> None:
    """Store a memory as given: no extraction, no gate."""
    place = where(context)
    with place.open() as memory:
        record = memory.remember(
            user, text, key=key, value=read_value(value), kind=kind, at=place.moment(at), session_id=session
        )
    print_values([record], lambda: console().print(record_table([record], place.zone)), as_json=as_json)


def read_value(text: str | None) -> Json:
    """Return the JSON that the text is, and the text where it is none."""
    if text is None:
        return None
    try:
        value: Json = json.loads(text)
    except ValueError:
        return text
    except RecursionError:
        raise InvalidRequestError("--value nests too deep") from None
    return value


def observe(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="One turn a line.", show_default=False)],
    user: User,
    session: Annotated[str | None, typer.Option("--session", "-s", help="For turns that name none.")] = None,
    as_json: AsJson = False,
) -> None:
    """Learn from a dialogue: JSON Lines with role, text, and, where known, at, id and session."""
    place = where(context)
    sessions = [(name, list(turns)) for name, turns in groupby(_read_turns(file, place, session), key=_session_of)]
    decisions: list[Decision] = []
    with place.open() as memory, Progress(transient=True, disable=as_json) as progress:
        task = progress.add_task("turns", total=sum(len(turns) for _, turns in sessions))
        for name, turns in sessions:
            decisions += memory.observe(user, [turn for _, turn in turns], session_id=name).decisions
            progress.advance(task, len(turns))
    print_values(decisions, lambda: console().print(decision_table(decisions)), as_json=as_json)


def _session_of(entry: tuple[str | None, Turn]) -> str | None:
    return entry[0]


def _read_turns(file: Path, place: Where, session: str | None) -> Iterator[tuple[str | None, Turn]]:
    try:
        # Not `splitlines`: a text may hold what Unicode calls a line separator.
        lines = file.read_text(encoding="utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise InvalidRequestError(f"{file.name} is no UTF-8 text: {error}") from error
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                yield _read_turn(line, place, session)
            except (ValueError, TypeError, RecursionError) as error:
                raise InvalidRequestError(f"{file.name}, line {number}: {error}") from error


def _read_turn(line: str, place: Where, session: str | None) -> tuple[str | None, Turn]:
    fields: dict[str, Any] = json.loads(line)
    if not isinstance(fields, dict) or not fields.keys() <= TURN_FIELDS:
        raise InvalidRequestError(f"a turn is an object with {', '.join(sorted(TURN_FIELDS))}")
    at = place.moment(fields.get("at"))
    turn = Turn(role=fields.get("role", ""), text=fields.get("text", ""), at=at, id=fields.get("id"))
    named = fields.get("session", session)
    return None if named is None else check_id(named, "session"), turn


def pending(
    context: typer.Context,
    user: User,
    confirm: Annotated[str | None, typer.Option(help="Store this one.")] = None,
    reject: Annotated[str | None, typer.Option(help="Drop this one.")] = None,
    as_json: AsJson = False,
) -> None:
    """List held candidates, or decide one."""
    place = where(context)
    with place.open() as memory:
        if confirm:
            memory.confirm(user, confirm)
        if reject:
            memory.reject(user, reject)
        held = memory.pending(user)
    nothing = place.lacks("held candidate", user)
    print_values(held, lambda: console().print(pending_table(held, place.zone)), as_json=as_json, nothing=nothing)
