"""Undo everything that a session, or everything since a time, has taught."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import TypeAlias

from ltm.models import Reverted, RevertReport
from ltm.packs import Machine, PackSet
from ltm.ports import IsEnough, NewVersion, Origin, Sighting, Undone, UnitOfWork

HoldAgain: TypeAlias = Callable[[UnitOfWork, NewVersion], None]
"""Lets a version wait again, with its sightings, among what is held."""


def revert_taught(
    unit: UnitOfWork, origin: Origin, *, reason: str, is_enough: IsEnough, hold_again: HoldAgain, packs: PackSet
) -> RevertReport:
    """Undo what was created, changed, retracted or promoted, and leave what other sessions said.

    What others said unsurely, and not often enough without this origin, waits again. Steps of a state machine that it
    alone drove are taken back together with what they had ended. The session's turns will not teach again.

    Args:
        unit: The user's unit of work.
        origin: What is undone.
        reason: Kept with the versions that are appended.
        is_enough: Says whether what others said keeps a version.
        hold_again: Takes what waits again.
        packs: Say which slot holds the state of a machine.
    """
    taught = unit.taught_by(origin, is_enough=is_enough)
    waiting = list(_said_by_others(unit, taught, origin))
    ended = _take_back_steps(unit, origin, packs)
    together = {name: {*taught.get(name, ()), *ended.get(name, ())} for name in {*taught, *ended}}
    changes = unit.undo(together, reason=reason, actor="application")
    unit.withdraw_evidence(origin)
    dropped = _withdraw_pending(unit, origin)
    for content in waiting:
        hold_again(unit, content)
    return RevertReport(
        changes=tuple(_shown(change) for change in changes),
        pending_dropped=dropped,
        pending_again=len(waiting),
        turns=unit.revert_turns(origin),
    )


def _said_by_others(unit: UnitOfWork, taught: Mapping[str, Collection[int]], origin: Origin) -> Iterable[NewVersion]:
    for memory_id, versions in sorted(taught.items()):
        for content in unit.get_contents(memory_id, versions):
            others = tuple(sighting for sighting in content.sightings if not origin.is_of(sighting))
            if others:
                yield replace(content, sightings=others)


def _take_back_steps(unit: UnitOfWork, origin: Origin, packs: PackSet) -> dict[str, set[int]]:
    """Take back the steps of every machine that are of this origin alone, and return what they had ended.

    A step that another session told as well is that session's from now on.
    """
    driven = [step for step in unit.list_transitions() if origin.drove(step)]
    told = {name: _told_by_others(unit, origin, packs.find_machine(name)) for name in {step.machine for step in driven}}
    unit.drop_transitions([step.transition_id for step in driven])
    ended: dict[str, set[int]] = {}
    for step in driven:
        other = told[step.machine].get((step.at, step.to_state))
        if other is not None:
            unit.add_transition(replace(step, session_id=other.evidence.session_id))
            continue
        for memory_id, version in step.expired.items():
            ended.setdefault(memory_id, set()).add(version)
    return ended


def _told_by_others(unit: UnitOfWork, origin: Origin, machine: Machine | None) -> dict[tuple[datetime, str], Sighting]:
    """Return what others said of a machine's state, by the time from which it holds and the state."""
    head = None if machine is None else unit.find_by_key(machine.state_slot)
    contents = [] if head is None else unit.get_contents(head.memory_id)
    return {
        (content.valid_from, str(content.value)): sighting
        for content in contents
        for sighting in content.sightings
        if not origin.is_of(sighting)
    }


def _withdraw_pending(unit: UnitOfWork, origin: Origin) -> int:
    """Take the origin's sightings from what is held, and return how many candidates nothing is left of."""
    gone: list[str] = []
    for held in unit.list_pending():
        kept = tuple(sighting for sighting in held.sightings if not origin.is_of(sighting))
        if not kept:
            gone.append(held.pending_id)
        elif len(kept) < len(held.sightings):
            confidence = max(sighting.confidence for sighting in kept)
            # The turn before belongs to the sighting it came with, which may be the one that goes.
            context = held.context if kept[-1] == held.sightings[-1] else None
            unit.put_pending(replace(held, sightings=kept, confidence=confidence, context=context))
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
