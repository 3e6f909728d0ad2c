"""Turns as they come in: ids, times, order; and which of them are heard for the first time."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Protocol

from ltm.errors import InvalidRequestError
from ltm.models import Role, Turn
from ltm.models.check import check_id
from ltm.ports import SeenTurn

MAX_TURNS = 100_000
MAX_AHEAD = timedelta(days=1)
"""How far a turn may lie in the future: clocks differ, but one turn of next year would make all others stale."""


class KnownTurns(Protocol):
    """What a unit of work says about turns that were observed before; part of `ltm.ports.TurnUnit`."""

    def find_turns(self, session_id: str, turn_ids: Collection[str]) -> dict[str, SeenTurn]:
        """Return those of a session's turns that were observed before, by turn id."""

    def erased_turns(self, session_id: str, turn_ids: Collection[str]) -> frozenset[str]:
        """Return those of a session's turns that were erased."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sorted:
    """The user turns of a call, by what is known about them; each in the order given.

    Attributes:
        new: Those to be read. A turn that was read before and is neither of the others is passed over in silence.
        conflicting: Known under this id with other words.
        reverted: Known, and what they taught was undone.
        erased: Their words were erased and must not come back.
    """

    new: tuple[str, ...]
    conflicting: tuple[str, ...] = ()
    reverted: tuple[str, ...] = ()
    erased: tuple[str, ...] = ()


def check_turns(turns: Sequence[Turn], session_id: str | None, now: datetime) -> list[Turn]:
    """Return the turns with id and time, each id once, in the order given.

    An id that is missing is derived from session, position and content, so that the same call again gives the same
    ids. A missing time is now.

    Raises:
        InvalidRequestError: Too many turns, not a turn, a time more than a day ahead, or one id with two contents.
    """
    if len(turns) > MAX_TURNS:
        raise InvalidRequestError(f"{len(turns)} turns in one call, the limit is {MAX_TURNS}: split them")
    if session_id is not None:
        check_id(session_id, "session_id")
    by_id: dict[str, Turn] = {}
    for position, given in enumerate(turns):
        turn = _complete(given, position, session_id, now)
        known = by_id.setdefault(str(turn.id), turn)
        if content_hash(known) != content_hash(turn):
            raise InvalidRequestError(f"turn id {turn.id!r} is used twice with different content", index=position)
    return list(by_id.values())


def content_hash(turn: Turn) -> str:
    """Return what tells two contents under one id apart: the hash of role and text."""
    return sha256(f"{turn.role}\n{turn.text}".encode()).hexdigest()


def sort_turns(turns: Sequence[Turn], session_id: str | None, known: KnownTurns) -> Sorted:
    """Find out which user turns are new; without a session, which makes the call one of its own, all are."""
    users = {str(turn.id): turn for turn in turns if turn.role == Role.USER}
    if session_id is None:
        return Sorted(new=tuple(users))
    erased = known.erased_turns(session_id, users)
    seen = {turn_id: turn for turn_id, turn in known.find_turns(session_id, users).items() if turn_id not in erased}
    conflicting = tuple(name for name in users if name in seen and _conflicts(users[name], seen[name]))
    return Sorted(
        new=tuple(name for name in users if name not in seen and name not in erased),
        conflicting=conflicting,
        reverted=tuple(name for name in users if name in seen and seen[name].is_reverted and name not in conflicting),
        erased=tuple(name for name in users if name in erased),
    )


def seen_turns(turns: Sequence[Turn], new: Sequence[str], session_id: str | None) -> list[SeenTurn]:
    """Return the rows that make sure that the new turns are not read again."""
    if session_id is None:
        return []
    chosen = set(new)
    return [
        SeenTurn(session_id=session_id, turn_id=str(turn.id), content_hash=content_hash(turn))
        for turn in turns
        if turn.id in chosen
    ]


def _conflicts(turn: Turn, seen: SeenTurn) -> bool:
    return content_hash(turn) != seen.content_hash


def _complete(given: object, position: int, session_id: str | None, now: datetime) -> Turn:
    if not isinstance(given, Turn):
        raise InvalidRequestError(f"expected a Turn, not {type(given).__name__}", index=position)
    if given.at is not None and given.at > now + MAX_AHEAD:
        raise InvalidRequestError(f"turn time {given.at.isoformat()} is more than a day ahead of now", index=position)
    return replace(given, at=given.at or now, id=given.id or _derived_id(given, position, session_id))


def _derived_id(turn: Turn, position: int, session_id: str | None) -> str:
    name = f"{len(session_id or '')}:{session_id or ''}:{position}:{content_hash(turn)}"
    return f"turn-{sha256(name.encode()).hexdigest()[:32]}"
