"""State machines of a user: where one stands, and what a step ends."""

from collections.abc import Sequence
from datetime import datetime

from ltm.errors import IllegalTransitionError, InvalidRequestError
from ltm.models import Action, Evidence, Kind, MemoryVersion, Owner, Status, TransitionReport
from ltm.packs.language import detect_lang
from ltm.packs.machine import Machine
from ltm.packs.pack_set import PackSet
from ltm.ports import MachineState, NewVersion, Reader, TransitionRow, UnitOfWork


def find_machine(packs: PackSet, name: str) -> Machine:
    """Return a machine by name.

    Raises:
        InvalidRequestError: No loaded pack declares it; the message lists those that are declared.
    """
    machine = packs.find_machine(name)
    if machine is None:
        known = ", ".join(sorted(packs.machines)) or "none: load a pack that declares one"
        raise InvalidRequestError(f"no loaded pack declares the state machine {name!r}; declared are {known}")
    return machine


def current_state(reader: Reader, owner: Owner, machine: Machine) -> str:
    """Return where the user stands; the machine's first state where no transition was ever recorded."""
    stored = reader.find_state(owner, machine.name)
    return machine.first if stored is None else stored.state


def enter_state(
    unit: UnitOfWork, machine: Machine, to_state: str, *, at: datetime | None, transition_id: str, packs: PackSet
) -> TransitionReport:
    """Take a step that the application reports: record it, write the state slot, end what must not outlive it.

    Args:
        unit: The user's transaction.
        machine: Which machine.
        to_state: Where to.
        at: When; None is now, which is never before the last recorded step.
        transition_id: Name of the step, unless it is none.
        packs: Gives the sentence of the state slot.

    Raises:
        IllegalTransitionError: The machine has no such state, or does not allow the step from the current one.
        InvalidRequestError: `at` lies before the last recorded step.
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

    A write that lies before the last recorded step is history, and moves nothing.

    Raises:
        IllegalTransitionError: The machine does not allow the step; the message lists what it allows.
    """
    stored = unit.find_state(machine.name)
    if stored is None or at >= stored.since:
        _step(unit, machine, to_state, at=at, transition_id=transition_id, actor="application", session_id=session_id)


def correct_state(unit: UnitOfWork, machine: Machine, shown: MemoryVersion, *, transition_id: str) -> None:
    """Put a machine where its state slot stands after a correction; nothing ends with it, and nothing revives."""
    stored, to_state = unit.find_state(machine.name), str(shown.value)
    from_state = machine.first if stored is None else stored.state
    if shown.status is Status.ACTIVE and to_state != from_state:
        _record(unit, machine, from_state, to_state, shown.valid_from, transition_id, "application")


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
    stored = unit.find_state(machine.name)
    from_state = machine.first if stored is None else stored.state
    _check_step(machine, from_state, to_state)
    if from_state == to_state:
        return _report(machine, from_state, to_state, at)
    if stored is not None:
        _check_order(stored, at)
    reason = f"transition:{transition_id}"
    ended = unit.end(_bound(unit, machine, to_state), Status.EXPIRED, at=at, reason=reason, actor="lifecycle")
    _record(unit, machine, from_state, to_state, at, transition_id, actor, session_id, ended)
    return _report(machine, from_state, to_state, at, transition_id, ended)


def _record(
    unit: UnitOfWork,
    machine: Machine,
    from_state: str,
    to_state: str,
    at: datetime,
    transition_id: str,
    actor: str,
    session_id: str | None = None,
    ended: Sequence[MemoryVersion] = (),
) -> None:
    unit.put_state(MachineState(machine=machine.name, state=to_state, since=at))
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


def _check_step(machine: Machine, from_state: str, to_state: str) -> None:
    if machine.allows(from_state, to_state) and to_state in machine.states:
        return
    allowed = ", ".join(machine.allowed(from_state)) or "none"
    problem = "does not allow" if to_state in machine.states else "has no such state as"
    raise IllegalTransitionError(f"{machine.name} {problem} {to_state!r} from {from_state!r}; allowed are: {allowed}")


def _now(unit: UnitOfWork, machine: Machine) -> datetime:
    stored = unit.find_state(machine.name)
    return unit.now if stored is None else max(unit.now, stored.since)


def _check_order(stored: MachineState, at: datetime) -> None:
    if at < stored.since:
        raise InvalidRequestError(
            f"{stored.machine} entered {stored.state!r} at {stored.since.isoformat()}; a transition at "
            f"{at.isoformat()} lies before that: report transitions in the order in which they happened"
        )


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
