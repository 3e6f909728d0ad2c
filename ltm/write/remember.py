"""Trusted writes by the application: no extraction, no pending; the same chain, the same refusals."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol

from ltm.errors import InvalidRequestError
from ltm.models import Action, Evidence, Json, Kind, MemoryInput, MemoryVersion, Role, Status
from ltm.models.check import check_count, check_fraction, check_id, check_text, check_time, check_word, is_finite, shown
from ltm.models.fingerprint import canonical, fingerprint
from ltm.packs.machine import Machine
from ltm.packs.pack_set import PackSet
from ltm.ports import Clock, Head, NewVersion, UnitOfWork

MAX_INPUTS = 100_000
MAX_VALUE_DEPTH = 8

Refuse = Callable[[str], str | None]
"""Says why a text must not be remembered, or None."""


class FollowWrite(Protocol):
    """Takes the step of a state machine that an application's write of its state slot reports."""

    def __call__(
        self,
        unit: UnitOfWork,
        machine: Machine,
        to_state: str,
        *,
        at: datetime,
        transition_id: str,
        session_id: str | None,
    ) -> None:
        """Raise IllegalTransitionError where the machine does not allow it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """An input that is acceptable, with what it will be compared by."""

    version: NewVersion
    fingerprint: str
    is_dated: bool
    """Whether the application said since when it is true."""
    machine: Machine | None = None
    """Whose state it is."""


def check_inputs(inputs: Sequence[MemoryInput], *, packs: PackSet, refuse: Refuse, now: datetime) -> list[Checked]:
    """Check every input before anything is written.

    Raises:
        InvalidRequestError: Names the first input that is not acceptable by its `index`.
    """
    if len(inputs) > MAX_INPUTS:
        raise InvalidRequestError(f"{len(inputs)} inputs in one call, the limit is {MAX_INPUTS}: split them")
    checked = []
    for index, given in enumerate(inputs):
        try:
            checked.append(_check(given, packs=packs, refuse=refuse, now=now))
        except InvalidRequestError as error:
            raise InvalidRequestError(str(error), index=index) from None
    return checked


def write_inputs(
    unit: UnitOfWork, inputs: Sequence[Checked], *, follow: FollowWrite, clock: Clock
) -> list[MemoryVersion]:
    """Write checked inputs in order within one unit and return their records in the same order.

    A known external id gives the stored record. An active head with the same value is reinforced; the same words of a
    free text (episodes excepted) are one memory; everything else is a version. A state moves its machine.

    Raises:
        IllegalTransitionError: A machine does not allow the state that is to be written.
        InvalidRequestError: The external id belongs to an erased memory, or the key to a pack that is not loaded.
        VersionConflictError: The head is not the expected version.
    """
    unit.prefetch(
        keys={item.version.key for item in inputs if item.version.key is not None},
        fingerprints={item.fingerprint for item in inputs if _is_merged(item.version)},
        external_ids={item.version.external_id for item in inputs if item.version.external_id is not None},
    )

    def append(item: Checked, new: NewVersion) -> MemoryVersion:
        if item.machine is not None:
            _move(unit, item.machine, new, follow, clock)
        return unit.append(new)

    return [_write(unit, item, index, append) for index, item in enumerate(inputs)]


def _check(given: object, *, packs: PackSet, refuse: Refuse, now: datetime) -> Checked:
    if not isinstance(given, MemoryInput):
        raise InvalidRequestError(f"expected a MemoryInput, not {type(given).__name__}")
    text = check_text(given.text, "text")
    if given.key is None and given.value is not None:
        raise InvalidRequestError("a value needs a key: name the slot, or put the value into the text")
    key = None if given.key is None else check_id(given.key, "key")
    value = None if key is None else _check_value(key, given.value, text, packs)
    context = None if given.context is None else check_text(given.context, "context", allow_empty=True) or None
    for said in (text, context, None if value is None else canonical(value)):
        if said is not None and (why := refuse(said)) is not None:
            raise InvalidRequestError(why)
    slot = packs.find_slot(key)
    at = now if given.at is None else check_time(given.at, "at")
    session_id = None if given.session_id is None else check_id(given.session_id, "session_id")
    default_kind = Kind.FACT if slot is None else slot.kind
    expected = given.expected_version
    version = NewVersion(
        text=text,
        kind=default_kind if given.kind is None else check_word(given.kind, Kind, "kind"),
        valid_from=at,
        key=key,
        value=value,
        confidence=check_fraction(given.confidence, "confidence"),
        context=context,
        pack=packs.pack_of(key),
        pack_hash=packs.content_hash,
        external_id=None if given.external_id is None else check_id(given.external_id, "external_id"),
        evidence=() if session_id is None else (_evidence(text, session_id, at),),
        expected_version=None if expected is None else check_count(expected, "expected_version", low=0, high=2**31),
    )
    return Checked(
        version=version,
        fingerprint=fingerprint(value, text, is_set=slot is not None and slot.is_set),
        is_dated=given.at is not None,
        machine=packs.machine_of(key),
    )


def _check_value(key: str, value: Json, text: str, packs: PackSet) -> Json:
    """Return the normalised value; a declared slot without one is read from the text."""
    _check_json(value, MAX_VALUE_DEPTH)
    if packs.find_slot(key) is not None:
        return packs.normalise(key, text if value is None else value)
    return value


def _check_json(value: object, depth: int) -> None:
    match value:
        case None | bool():
            return
        case str():
            check_text(value, "value", allow_empty=True)
        case int() | float() if is_finite(value):
            return
        case list() | tuple() if depth:
            for member in value:
                _check_json(member, depth - 1)
        case dict() if depth and all(isinstance(name, str) for name in value):
            for name, member in value.items():
                check_text(name, "name in value", allow_empty=True)
                _check_json(member, depth - 1)
        case _:
            raise InvalidRequestError(
                f"value must be finite JSON of at most {MAX_VALUE_DEPTH} levels; got {shown(value)}"
            )


def _evidence(text: str, session_id: str, at: datetime) -> Evidence:
    return Evidence(turn_id=None, session_id=session_id, role=Role.USER, quote=text, start=0, end=len(text), said_at=at)


def _write(
    unit: UnitOfWork, item: Checked, index: int, append: Callable[[Checked, NewVersion], MemoryVersion]
) -> MemoryVersion:
    new = item.version
    if new.external_id is not None:
        if (stored := unit.find_by_external_id(new.external_id)) is not None:
            return stored
        if unit.is_external_id_erased(new.external_id):
            raise InvalidRequestError(
                f"external_id {new.external_id!r} belongs to an erased memory: use another id to remember it anew",
                index=index,
            )
    head = _find_head(unit, item)
    if head is None:
        return append(item, new)
    if head.pack is not None and new.pack is None:
        raise InvalidRequestError(
            f"key {head.key!r} belongs to the pack {head.pack}, which is not loaded, so nothing says what its value "
            "means: name the pack in Settings.packs (LTM_PACKS, --packs)",
            index=index,
        )
    if not item.is_dated:
        new = _dated(new, max(unit.now, head.valid_from))
    if _says_the_same(head, new, item.fingerprint):
        return unit.reinforce(
            head.memory_id, confidence=new.confidence, evidence=new.evidence, external_id=new.external_id
        )
    return append(item, _continuing(new, head))


def _move(unit: UnitOfWork, machine: Machine, new: NewVersion, follow: FollowWrite, clock: Clock) -> None:
    session_id = new.evidence[0].session_id if new.evidence else None
    follow(
        unit,
        machine,
        str(new.value),
        at=new.valid_from,
        transition_id=clock.new_id(),
        session_id=session_id,
    )


def _dated(new: NewVersion, at: datetime) -> NewVersion:
    """Say "now": after whoever held the lock before, and after a head from a clock that runs ahead."""
    return replace(new, valid_from=at, evidence=tuple(replace(quote, said_at=at) for quote in new.evidence))


def _find_head(unit: UnitOfWork, item: Checked) -> Head | None:
    if item.version.key is not None:
        return unit.find_by_key(item.version.key)
    return unit.find_by_fingerprint(item.version.kind, item.fingerprint) if _is_merged(item.version) else None


def _is_merged(new: NewVersion) -> bool:
    """Tell whether the same words are one memory: an episode of another day is another event."""
    return new.key is None and new.kind is not Kind.EPISODE


def _says_the_same(head: Head, new: NewVersion, same_as: str) -> bool:
    is_expected = new.expected_version in (None, head.version)
    is_late = new.valid_from < head.valid_from
    return head.status is Status.ACTIVE and head.fingerprint == same_as and is_expected and not is_late


def _continuing(new: NewVersion, head: Head) -> NewVersion:
    action = Action.UPDATE if head.status is Status.ACTIVE else Action.CREATE
    return replace(new, memory_id=head.memory_id, action=action)
