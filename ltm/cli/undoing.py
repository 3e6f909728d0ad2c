"""Commands that end or undo: rollback, revert, retract, transition, erase."""

from typing import Annotated

import typer

from ltm.cli.options import At, DryRun, Key, MemoryId, Reason, Session, User, require_one_name
from ltm.cli.tables import record_table
from ltm.cli.where import Where, console, where
from ltm.commands.output import AsJson, print_values
from ltm.errors import MemoryNotFoundError
from ltm.memory import Memory
from ltm.models import ErasureReport, MemoryVersion, RevertReport, TransitionReport


def _memory_id(memory: Memory, user: str, key: str | None, memory_id: str | None) -> str:
    require_one_name(key, memory_id)
    if memory_id is not None:
        return memory_id
    chain = memory.history(user, key=key)
    if not chain:
        raise MemoryNotFoundError(f"nothing is known under {key}")
    return chain[-1].memory_id


def rollback(
    context: typer.Context,
    user: User,
    to_version: Annotated[int, typer.Option(help="The last good version.", show_default=False)],
    reason: Reason,
    key: Key = None,
    memory_id: MemoryId = None,
    as_json: AsJson = False,
) -> None:
    """Give a memory the value of an earlier version again."""
    place = where(context)
    with place.open() as memory:
        target = _memory_id(memory, user, key, memory_id)
        record = memory.rollback(user, target, to_version=to_version, reason=reason)
    _print_record(record, place, as_json=as_json)


def _print_record(record: MemoryVersion, place: Where, *, as_json: bool) -> None:
    print_values([record], lambda: console().print(record_table([record], place.zone)), as_json=as_json)


def revert(
    context: typer.Context,
    user: User,
    reason: Reason,
    session: Session = None,
    since: Annotated[str | None, typer.Option(help="Everything learnt since then.")] = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Undo everything a session, or a span of time, taught."""
    place = where(context)
    with place.open() as memory:
        report = memory.revert(user, session_id=session, since=place.moment(since), reason=reason, dry_run=dry_run)
    print_values([report], lambda: _print_revert(report), as_json=as_json)


def _print_revert(report: RevertReport) -> None:
    out = console()
    did = "would undo" if report.dry_run else "undid"
    out.print(f"{did}: {len(report.changes)} memories, {report.pending_dropped} pending")
    for change in report.changes:
        versions = ", ".join(f"v{number}" for number in change.versions)
        out.print(f"  {change.text_before}: {versions} → {change.text_after} ({change.status_after})")


def retract(
    context: typer.Context,
    user: User,
    reason: Reason,
    key: Key = None,
    memory_id: MemoryId = None,
    as_json: AsJson = False,
) -> None:
    """End a memory; it stays in its history."""
    place = where(context)
    with place.open() as memory:
        record = memory.retract(user, _memory_id(memory, user, key, memory_id), reason=reason)
    _print_record(record, place, as_json=as_json)


def transition(
    context: typer.Context,
    machine: Annotated[str, typer.Argument(help="E.g. job_search.", show_default=False)],
    to: Annotated[str, typer.Argument(metavar="STATE", help="E.g. hired.", show_default=False)],
    user: User,
    at: At = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Move a machine to a state and end what was bound to the one before."""
    place = where(context)
    with place.open() as memory:
        report = memory.transition(user, machine, to, at=place.moment(at), dry_run=dry_run)
    print_values([report], lambda: _print_transition(report), as_json=as_json)


def _print_transition(report: TransitionReport) -> None:
    out = console()
    out.print(f"{report.machine}: {report.from_state} → {report.to_state}{' (dry run)' if report.dry_run else ''}")
    for record in report.expired:
        out.print(f"  {'would end' if report.dry_run else 'ended'}: {record.text}")


def erase(
    context: typer.Context,
    user: User,
    memory_id: MemoryId = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    as_json: AsJson = False,
) -> None:
    """Remove a user, or one memory, physically and everywhere; exit status 1 until that is verified."""
    what = f"memory {memory_id} of user {user}" if memory_id else f"everything about user {user}"
    if not yes:
        typer.confirm(f"Erase {what} for good?", abort=True)
    with where(context).open() as memory:
        report = memory.erase(user, memory_id=memory_id)
    print_values([report], lambda: _print_erasure(report), as_json=as_json)
    if not report.verified:
        raise typer.Exit(1)


def _print_erasure(report: ErasureReport) -> None:
    counts = f"{report.sql} rows, {report.index} points, {report.cache} cache entries"
    proof = "verified" if report.verified else "not verified"
    typer.echo(f"removed {counts}; {proof}{', queued' if report.queued else ''}")
