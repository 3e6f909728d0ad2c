"""A memory as the caller sees it, and what an application hands in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from ltm.models.terms import Action, Kind, Op, Status
from ltm.models.turn import Evidence

Json: TypeAlias = str | int | float | bool | Sequence["Json"] | Mapping[str, "Json"] | None
"""A JSON value: what a slot holds. Sets are lists of distinct members in the order they were added."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryVersion:
    """One version of a memory: the head in `list` and `recall`, any link of the chain in `history` and `as_of`.

    Attributes:
        memory_id: UUIDv7 of the memory, the same for all its versions.
        key: Slot name, or None for free text.
        value: The whole value at this version (a set's members, not the change), or None for free text.
        text: The sentence that is embedded and injected.
        pack: `name@version` of the pack that declares the key, or whose rule read a memory without one; else None.
        status: In `history` the status now, in `as_of` the status at that time.
        version: 1, 2, ... in the order in which they became known.
        valid_from: When it began to be true: the time of the utterance, UTC.
        valid_to: When it ceased to be true, or None while it lasts. The interval is half open.
        recorded_at: When the store learnt it, UTC.
        external_id: The application's own id, unique for a user, or None.
        evidence: Where the user said it, oldest first; empty for what an application wrote without a session.
        op: What this version did to the value.
        action: The classified action that made it.
        reason: Stable code, the words given to `rollback`, `revert` or `retract`, or `transition:<id>`.
        actor: `user`, `application` or `lifecycle`.
        context: The turn before it; indexed beside the text, never shown.
    """

    memory_id: str
    user_id: str
    key: str | None
    value: Json
    text: str
    kind: Kind
    pack: str | None
    status: Status
    version: int
    confidence: float
    valid_from: datetime
    valid_to: datetime | None
    recorded_at: datetime
    external_id: str | None = None
    evidence: tuple[Evidence, ...] = ()
    op: Op = Op.SET
    action: Action = Action.CREATE
    reason: str | None = None
    actor: str = "application"
    context: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryInput:
    """One memory for `remember_many`; the fields are the arguments of `remember`.

    Attributes:
        text: The sentence to remember, 1 to 32,768 characters.
        key: A slot of a loaded pack, an undeclared (single-valued) key, or None for free text.
        value: The slot's value; None takes the text as the value of a text slot.
        kind: `fact`, `preference`, `state`, `episode` or `exclusion`; None takes the slot's kind, else `fact`.
        at: When it was said or became true, aware; None means now.
        confidence: 0 to 1.
        context: The turn before it; helps retrieval, is never shown.
        session_id: The session it belongs to, for `revert`.
        external_id: The application's id; the same one again returns the stored record.
        expected_version: The head's version the caller has seen; another head raises `VersionConflictError`.
    """

    text: str
    key: str | None = None
    value: Json = None
    kind: Kind | str | None = None
    at: datetime | None = None
    confidence: float = 1.0
    context: str | None = None
    session_id: str | None = None
    external_id: str | None = None
    expected_version: int | None = None
