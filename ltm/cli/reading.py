"""Commands that read: recall, list, history, why, state."""

from typing import Annotated

import typer
from rich.console import Group

from ltm.cli.options import Key, Limit, MemoryId, User, require_one_name
from ltm.cli.tables import decision_table, item_table, record_table
from ltm.cli.timeline import draw
from ltm.cli.where import console, where
from ltm.commands.output import AsJson, print_values
from ltm.models import Decision, Recall


def recall(
    context: typer.Context,
    intent: Annotated[str, typer.Argument(help="What the user wants now.", show_default=False)],
    user: User,
    budget: Annotated[int | None, typer.Option(help="Tokens of the block; 0 is unbounded.")] = 300,
    limit: Annotated[int, typer.Option(help="At most so many memories.")] = 10,
    now: Annotated[str | None, typer.Option(help="Moment of the conversation.")] = None,
    as_of: Annotated[str | None, typer.Option(help="What was true then.")] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Show every term of every score.")] = False,
    as_json: AsJson = False,
) -> None:
    """Print the block that this intent needs; nothing where there is nothing to say."""
    place = where(context)
    with place.open() as memory:
        answer = memory.recall(
            user,
            intent,
            token_budget=budget or None,
            limit=limit,
            now=place.moment(now),
            as_of=place.moment(as_of),
            explain=explain,
        )
    print_values([answer], lambda: _print_recall(answer, explain=explain), as_json=as_json)


def _print_recall(answer: Recall, *, explain: bool) -> None:
    out = console()
    if answer.text:
        out.print(answer.text)
    if explain:
        out.print(item_table(answer.items))
    if answer.degraded:
        typer.echo(f"degraded: {', '.join(answer.degraded)}", err=True)


def list_memories(
    context: typer.Context,
    user: User,
    status: Annotated[str, typer.Option(help="active, superseded, retracted, expired or reverted.")] = "active",
    kind: Annotated[str | None, typer.Option(help="fact, preference, state, episode or exclusion.")] = None,
    as_of: Annotated[str | None, typer.Option(help="What was true then, instead of now.")] = None,
    limit: Limit = None,
    as_json: AsJson = False,
) -> None:
    """List current memories, by id."""
    place = where(context)
    when = place.moment(as_of)
    with place.open() as memory:
        found = memory.as_of(user, when) if when else memory.list(user, status=status, kind=kind, limit=limit)
    nothing = place.lacks("such memory", user)
    print_values(found, lambda: console().print(record_table(found, place.zone)), as_json=as_json, nothing=nothing)


def history(
    context: typer.Context, user: User, key: Key = None, memory_id: MemoryId = None, as_json: AsJson = False
) -> None:
    """Draw a memory's chain: values, intervals, reasons, the user's words."""
    place = where(context)
    require_one_name(key, memory_id)
    with place.open() as memory:
        chain = memory.history(user, key=key, memory_id=memory_id)
    nothing = place.lacks(f"memory under {key}", user)
    print_values(chain, lambda: console().print(Group(*draw(chain, place.zone))), as_json=as_json, nothing=nothing)


def why(
    context: typer.Context,
    user: User,
    turn: Annotated[str | None, typer.Option(help="Only this turn id.")] = None,
    reason: Annotated[str | None, typer.Option(help="Only this reason code, e.g. emotion.")] = None,
    limit: Limit = None,
    as_json: AsJson = False,
) -> None:
    """Say why each candidate was, or was not, remembered."""
    place = where(context)
    with place.open() as memory:
        decisions = memory.decisions(user)
    chosen = [decision for decision in decisions if _is_asked(decision, turn, reason)][: limit or None]
    nothing = place.lacks("such decision", user)
    print_values(chosen, lambda: console().print(decision_table(chosen)), as_json=as_json, nothing=nothing)


def _is_asked(decision: Decision, turn: str | None, reason: str | None) -> bool:
    return turn in (None, decision.turn_id) and reason in (None, decision.reason)


def state(
    context: typer.Context,
    machine: Annotated[str, typer.Argument(help="E.g. job_search.", show_default=False)],
    user: User,
    as_json: AsJson = False,
) -> None:
    """Print the state of a machine."""
    with where(context).open() as memory:
        found = memory.state(user, machine)
    print_values([{"machine": machine, "state": found}], lambda: typer.echo(found), as_json=as_json)
