"""State machines of a user: where one stands, and what a step ends.

Where a machine stands is kept once, as the value of its state slot: so nothing that changes the slot can leave the
machine behind.
"""

from collections.abc import Sequence
from datetime import datetime

from ltm.errors import IllegalTransitionError, InvalidRequestError
from ltm.models import Action, Evidence, Kind, MemoryVersion, Owner, Status, TransitionReport
from ltm.packs.language import detect_lang
from ltm.packs.machine import Machine
from ltm.packs.pack_set import PackSet
from ltm.ports import Head, NewVersion, Reader, TransitionRow, UnitOfWork


def find_machine(packs: PackSet, name: str) -> Machine:
    """Return a machine by name.

    Raises:
        InvalidRequestError: No loaded pack declares it; the message lists those that are declared.
    """
    machine = packs.find_machine(name)
    if machine is None:
        known = ", ".join(sorted(packs.machines)) or "none"
        loaded = ", ".join(pack.name for pack in packs.packs)
        raise InvalidRequestError(
            f"no loaded pack declares the state machine {name!r}; declared are {known}. "
            f"Loaded: {loaded}; others are named by `packs` of the settings (LTM_PACKS, --packs)"
        )
    return machine


def current_state(reader: Reader, owner: Owner, machine: Machine) -> str:
    """Return where the user stands: what the state slot says, the machine's first state where it says nothing."""
    memory_id = reader.find_memory_id(owner, machine.state_slot)
    head = None if memory_id is None else reader.heads(owner, [memory_id]).get(memory_id)
    return _state(machine, head)


def enter_state(
    unit: UnitOfWork, machine: Machine, to_state: str, *, at: datetime | None, transition_id: str, packs: PackSet
) -> TransitionReport:
    """Take a step that the application reports: record it, write the state slot, end what must not outlive it.

    Args:
        unit: The user's transaction.
        machine: Which machine.
        to_state: Where to.
        at: When; None is now, which is never before the last change of the slot.
        transition_id: Name of the step, unless it is none.
        packs: Gives the sentence of the state slot.

    Raises:
        IllegalTransitionError: The machine has no such state, or does not allow the step from the current one.
        InvalidRequestError: `at` lies before the last change of the slot.
    """
    at = _now(unit, machine) if at is None else at
    report = _step(unit, machine, to_state, at=at, transition_id=transition_id, actor="application")
    if report.transition_id is not None:
        before = unit.find_by_key(machine.state_slot)
        said = [version.text for version in report.expired] if before is None else [before.text]
        unit.append(
            NewVersion(
                text=packs.sentence(machine.state_slot, to_state, detect_lang(" ".join(said))),
                kind=Kind.STATE,
                valid_from=at,
                key=machine.state_slot,
                value=to_state,
                action=Action.CREATE if before is None else Action.UPDATE,
                reason=f"transition:{transition_id}",
                actor="application",
                pack=packs.pack_of(machine.state_slot),
                pack_hash=packs.content_hash,
            )
        )
    return report


def follow_statement(
    unit: UnitOfWork,
    machine: Machine,
    to_state: str,
    *,
    at: datetime,
    transition_id: str,
    evidence: Sequence[Evidence],
) -> TransitionReport | None:
    """Take the step that the user's own words report; the state slot is written by whoever read them.

    Returns:
        None where the machine does not allow the step, or has already gone further: words never force a machine.
    """
    session_id = evidence[0].session_id if evidence else None
    try:
        return _step(unit, machine, to_state, at=at, transition_id=transition_id, actor="user", session_id=session_id)
    except (IllegalTransitionError, InvalidRequestError):
        return None


def follow_write(
    unit: UnitOfWork, machine: Machine, to_state: str, *, at: datetime, transition_id: str, session_id: str | None
) -> None:
    """Take the step that an application's own write of the state slot reports; the slot is written by whoever calls.

    A write that lies before the last change of the slot is history, and moves nothing.

    Raises:
        IllegalTransitionError: The machine does not allow the step; the message lists what it allows.
    """
    head = unit.find_by_key(machine.state_slot)
    if head is None or at >= head.valid_from:
        _step(unit, machine, to_state, at=at, transition_id=transition_id, actor="application", session_id=session_id)


def _step(
    unit: UnitOfWork,
    machine: Machine,
    to_state: str,
    *,
    at: datetime,
    transition_id: str,
    actor: str,
    session_id: str | None = None,
) -> TransitionReport:
    head = unit.find_by_key(machine.state_slot)
    from_state = _state(machine, head)
    _check_step(machine, from_state, to_state)
    if from_state == to_state:
        return _report(machine, from_state, to_state, at)
    if head is not None and at < head.valid_from:
        raise InvalidRequestError(
            f"{machine.name} stands at {from_state!r} since {head.valid_from.isoformat()}; a transition at "
            f"{at.isoformat()} lies before that: report transitions in the order in which they happened"
        )
    reason = f"transition:{transition_id}"
    ended = unit.end(_bound(unit, machine, to_state), Status.EXPIRED, at=at, reason=reason, actor="lifecycle")
    unit.add_transition(
        TransitionRow(
            transition_id=transition_id,
            machine=machine.name,
            from_state=from_state,
            to_state=to_state,
            at=at,
            recorded_at=unit.now,
            session_id=session_id,
            actor=actor,
            expired={version.memory_id: version.version for version in ended},
        )
    )
    return _report(machine, from_state, to_state, at, transition_id, ended)


def _state(machine: Machine, head: Head | None) -> str:
    return machine.first if head is None or head.status is not Status.ACTIVE else str(head.value)


def _check_step(machine: Machine, from_state: str, to_state: str) -> None:
    if machine.allows(from_state, to_state) and to_state in machine.states:
        return
    allowed = ", ".join(machine.allowed(from_state)) or "none"
    problem = "" if to_state in machine.states else ", which is none of its states"
    raise IllegalTransitionError(
        f"{machine.name} cannot go from {from_state!r} to {to_state!r}{problem}; allowed are: {allowed}"
    )


def _now(unit: UnitOfWork, machine: Machine) -> datetime:
    head = unit.find_by_key(machine.state_slot)
    return unit.now if head is None else max(unit.now, head.valid_from)


def _bound(unit: UnitOfWork, machine: Machine, entering: str) -> list[str]:
    """Return the active memories that must not outlive the step: by slot, and key-less ones by pack and kind."""
    expiry = machine.expiry(entering)
    bound = [head.memory_id for head in unit.list_heads(keys=expiry.slots)] if expiry.slots else []
    if expiry.keyless_kinds:
        heads = unit.list_heads(kinds=expiry.keyless_kinds)
        bound += [head.memory_id for head in heads if head.key is None and _pack_name(head.pack) == machine.pack]
    return bound


def _pack_name(label: str | None) -> str | None:
    return None if label is None else label.partition("@")[0]


def _report(
    machine: Machine,
    from_state: str,
    to_state: str,
    at: datetime,
    transition_id: str | None = None,
    ended: Sequence[MemoryVersion] = (),
) -> TransitionReport:
    return TransitionReport(
        machine=machine.name,
        from_state=from_state,
        to_state=to_state,
        at=at,
        transition_id=transition_id,
        expired=tuple(ended),
    )
