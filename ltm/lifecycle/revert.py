"""Undo everything that a session, or everything since a time, has taught."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from ltm.models import Evidence, Reverted, RevertReport
from ltm.packs.pack_set import PackSet
from ltm.ports import MachineState, TransitionRow, Undone, UnitOfWork

_IsTaught = Callable[[Evidence], bool]


def revert_taught(
    unit: UnitOfWork, *, packs: PackSet, session_id: str | None, since: datetime | None, reason: str
) -> RevertReport:
    """Undo what was created, changed, retracted or promoted, and leave what other sessions said.

    Steps of a state machine that the session's own words drove are taken back together with what they had ended,
    unless a later step of another origin stands on them. The session's turns will not teach again.

    Args:
        unit: The user's unit of work.
        packs: Says in which state a machine begins.
        session_id: The session, or None with `since`.
        since: Everything recorded at or after this time, or None with `session_id`.
        reason: Kept with the versions that are appended.
    """
    taught = unit.taught_by(session_id=session_id, since=since)
    undone = {memory_id: set(numbers) for memory_id, numbers in taught.items()}
    for step in _take_back_steps(unit, packs, session_id=session_id, since=since):
        for memory_id, number in step.expired.items():
            undone.setdefault(memory_id, set()).add(number)
    changes = unit.undo(undone, reason=reason, actor="application")
    unit.withdraw_evidence(session_id=session_id, since=since)
    dropped = _withdraw_pending(unit, lambda evidence: _is_taught(evidence, session_id, since))
    turns = unit.revert_turns(session_id=session_id, since=since)
    return RevertReport(changes=tuple(_shown(change) for change in changes), pending_dropped=dropped, turns=turns)


def _take_back_steps(
    unit: UnitOfWork, packs: PackSet, *, session_id: str | None, since: datetime | None
) -> list[TransitionRow]:
    """Take back each machine's last steps as far as they are of this origin, newest first."""
    taken: list[TransitionRow] = []
    for machine in packs.machines.values():
        steps = unit.list_transitions(machine.name)
        while steps and _is_of(steps[-1], session_id, since):
            taken.append(steps.pop())
        if not any(step.machine == machine.name for step in taken):
            continue
        if steps:
            unit.put_state(MachineState(machine=machine.name, state=steps[-1].to_state, since=steps[-1].at))
        else:
            unit.drop_state(machine.name)
    unit.drop_transitions([step.transition_id for step in taken])
    return taken


def _is_of(step: TransitionRow, session_id: str | None, since: datetime | None) -> bool:
    if session_id is not None:
        return step.session_id == session_id
    return since is not None and step.recorded_at >= since


def _is_taught(evidence: Evidence, session_id: str | None, since: datetime | None) -> bool:
    if session_id is not None:
        return evidence.session_id == session_id
    return since is not None and evidence.said_at >= since


def _withdraw_pending(unit: UnitOfWork, is_taught: _IsTaught) -> int:
    gone: list[str] = []
    for held in unit.list_pending():
        kept = tuple(evidence for evidence in held.evidence if not is_taught(evidence))
        if not kept:
            gone.append(held.pending_id)
        elif len(kept) < len(held.evidence):
            unit.put_pending(replace(held, evidence=kept))
    return unit.drop_pending(gone) if gone else 0


def _shown(change: Undone) -> Reverted:
    before, after = change.before, change.after
    return Reverted(
        memory_id=before.memory_id,
        key=before.key,
        versions=change.versions,
        text_before=before.text,
        value_before=before.value,
        status_before=before.status,
        text_after=after.text,
        value_after=after.value,
        status_after=after.status,
    )
