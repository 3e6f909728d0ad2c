"""What a candidate means for the memory it is about: create, update, delete, or nothing new."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from ltm.models import Action, Candidate, Json, Kind, Op, Outcome, Reason, Status, canonical, fingerprint
from ltm.ports import Head


class Effect(StrEnum):
    """What is to be done in the store."""

    APPEND = "append"
    REINFORCE = "reinforce"
    END = "end"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """The classified candidate.

    Attributes:
        value: Payload of the version to append.
    """

    effect: Effect
    action: Action
    outcome: Outcome
    reason: Reason
    value: Json = None


def classify(candidate: Candidate, head: Head | None, at: datetime, *, is_set: bool) -> Change:
    """Compare a candidate with the memory it is about.

    Args:
        candidate: With a normalised value.
        head: The head of that memory, of any status, or None where there is none.
        at: When it was said. Before the head's valid_from it is a late statement: it goes to its place in the past, the
            head stays; a late denial does nothing, for what it denied is not known.
        is_set: The slot holds a set.
    """
    if candidate.op is Op.REMOVE:
        return _classify_removal(candidate, head, at)
    if candidate.is_denial:
        return _classify_denial(candidate, head, at)
    if head is None:
        return _append(candidate, Action.CREATE, Reason.NEW)
    if at < head.valid_from:
        return _append(candidate, Action.UPDATE, Reason.STALE_STATEMENT)
    if head.status is not Status.ACTIVE:
        return _append(candidate, Action.CREATE, Reason.NEW)
    if candidate.is_least and _is_at_least(head.value, candidate.value):
        return _nothing(Reason.DUPLICATE)
    if _says_the_same(candidate, head, is_set=is_set):
        return Change(
            effect=Effect.REINFORCE, action=Action.IGNORE, outcome=Outcome.REINFORCED, reason=Reason.DUPLICATE
        )
    return _append(candidate, Action.UPDATE, Reason.ADDED if candidate.op is Op.ADD else Reason.CHANGED)


def _classify_removal(candidate: Candidate, head: Head | None, at: datetime) -> Change:
    """Take members out of a set; what leaves nothing ends the memory."""
    held = members_of(head.value) if head is not None and head.status is Status.ACTIVE else {}
    gone = [member for name, member in members_of(candidate.value).items() if name in held]
    if head is None or not gone:
        return _nothing(Reason.DUPLICATE)
    if at < head.valid_from:
        return Change(
            effect=Effect.APPEND,
            action=Action.DELETE,
            outcome=Outcome.STORED,
            reason=Reason.STALE_STATEMENT,
            value=gone,
        )
    is_last = len(gone) == len(held)
    return Change(
        effect=Effect.APPEND,
        action=Action.DELETE,
        outcome=Outcome.RETRACTED if is_last else Outcome.STORED,
        reason=Reason.DENIED if is_last else Reason.REMOVED,
        value=gone,
    )


def _classify_denial(candidate: Candidate, head: Head | None, at: datetime) -> Change:
    """End a memory that is denied; a denial that names another value than the stored one denies nothing."""
    if head is None or head.status is not Status.ACTIVE:
        return _nothing(Reason.DUPLICATE)
    if at < head.valid_from:
        return _nothing(Reason.STALE_STATEMENT)
    if candidate.value is not None and canonical(candidate.value) != canonical(head.value):
        return _nothing(Reason.DUPLICATE)
    return Change(effect=Effect.END, action=Action.DELETE, outcome=Outcome.RETRACTED, reason=Reason.DENIED)


def _says_the_same(candidate: Candidate, head: Head, *, is_set: bool) -> bool:
    if candidate.kind is Kind.EPISODE and candidate.key is None:
        return False
    if candidate.op is Op.ADD:
        return set(members_of(candidate.value)) <= set(members_of(head.value))
    return fingerprint(candidate.value, candidate.text, is_set=is_set) == head.fingerprint


def _is_at_least(held: Json, bound: Json) -> bool:
    return isinstance(held, int | float) and isinstance(bound, int | float) and held >= bound


def members_of(value: Json) -> dict[str, Json]:
    """Return the members of a set value by their canonical form, in order; a single value is its own member."""
    if value is None:
        return {}
    members = value if isinstance(value, list | tuple) else [value]
    return {canonical(member): member for member in members}


def _append(candidate: Candidate, action: Action, reason: Reason) -> Change:
    return Change(effect=Effect.APPEND, action=action, outcome=Outcome.STORED, reason=reason, value=candidate.value)


def _nothing(reason: Reason) -> Change:
    return Change(effect=Effect.NOTHING, action=Action.IGNORE, outcome=Outcome.DROPPED, reason=reason)
