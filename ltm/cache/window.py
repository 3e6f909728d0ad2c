"""The short-term window: the last turns of one dialogue, for the prompt."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TypeAlias

from ltm.cache.trim import CountTokens, trim
from ltm.cache.turn_codec import KeptTurn, decode_turn, encode_turn
from ltm.errors import CacheError, InvalidRequestError
from ltm.models import Role, Turn
from ltm.ports import Clock, TurnLog

Observe: TypeAlias = Callable[[Sequence[Turn]], object]
"""Takes the turns that are about to leave the window, oldest first; they leave only if it returns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowLimits:
    """How much of a dialogue stays in the window.

    Attributes:
        rounds: A round is a user turn and all that follows up to the next one.
        tokens: Of all turns in the window, their tool calls included.
        ttl_s: The window is empty when nothing was said for so long.
    """

    rounds: int
    tokens: int
    ttl_s: float


class ChatWindow:
    """The last turns of one dialogue. It never touches long-term memory but through `observe`.

    Nothing falls between the two: what leaves the window is offered to `observe` first, oldest turn first, and stays if
    that raises. It leaves by the limits, by `clear`, or by time; what time has ended is kept out of sight for one more
    `ttl_s` and offered at the next `append` or `clear`, so call `clear` at the end of a dialogue. A turn may be offered
    twice after a crash or by two writers at once; it keeps its id, so it is observed once.

    Turns without id or time get them here; give ids to turns that you also observe yourself. A cache that does not
    answer raises `CacheError`: no turn is dropped silently, the caller still holds it and may append it again.
    """

    def __init__(
        self,
        log: TurnLog,
        *,
        owner_key: str,
        session_id: str,
        limits: WindowLimits,
        count_tokens: CountTokens,
        clock: Clock,
        observe: Observe,
    ) -> None:
        self._log = log
        self._owner_key = owner_key
        self._session_id = session_id
        self._limits = limits
        self._count_tokens = count_tokens
        self._clock = clock
        self._observe = observe

    def append(self, turn: Turn) -> None:
        """Put a turn at the end, after what must leave for it was observed; one that is there already stays as it is.

        Raises:
            CacheError: The cache did not answer; append it again later.
            InvalidRequestError: Its id is that of another turn in the window, or its tool calls are not JSON.
            LtmError: What `observe` raised.
        """
        if not isinstance(turn, Turn):
            raise InvalidRequestError(f"expected a Turn, not {type(turn).__name__}")
        new = self._complete(turn)
        kept = [decode_turn(entry) for entry in self._entries()]
        if _is_there(new.turn, kept):
            return
        leaving = kept if self._is_over(kept) else self._leaving([*kept, new])
        if leaving:
            self._observe([kept_turn.turn for kept_turn in leaving])
        self._log.append(self._owner_key, self._session_id, new.entry, ttl_s=2 * self._limits.ttl_s)
        self._remove([kept_turn.entry for kept_turn in leaving])

    def turns(self) -> tuple[Turn, ...]:
        """Return the system turn, then the others, oldest first; none where nothing was said for `ttl_s`.

        Raises:
            CacheError: The cache did not answer.
        """
        kept = [decode_turn(entry) for entry in self._entries()]
        if self._is_over(kept):
            return ()
        left = {kept_turn.entry for kept_turn in self._leaving(kept)}
        staying = [kept_turn.turn for kept_turn in kept if kept_turn.entry not in left]
        return tuple(sorted(staying, key=lambda turn: turn.role != Role.SYSTEM))

    def clear(self) -> None:
        """Empty the window, after its turns were observed.

        Raises:
            CacheError: The cache did not answer.
            LtmError: What `observe` raised.
        """
        entries = self._entries()
        turns = [turn for entry in entries if (turn := _find_turn(entry))]
        if turns:
            self._observe(turns)
        self._remove(entries)

    def _complete(self, turn: Turn) -> KeptTurn:
        now = self._clock.now()
        return encode_turn(replace(turn, id=turn.id or self._clock.new_id(), at=turn.at or now), now)

    def _entries(self) -> list[bytes]:
        # A client that repeats a lost command may have put an entry there twice.
        return list(dict.fromkeys(self._log.entries(self._owner_key, self._session_id)))

    def _remove(self, entries: Sequence[bytes]) -> None:
        if entries:
            self._log.remove(self._owner_key, self._session_id, entries)

    def _is_over(self, kept: Sequence[KeptTurn]) -> bool:
        return bool(kept) and kept[-1].kept_at + timedelta(seconds=self._limits.ttl_s) <= self._clock.now()

    def _leaving(self, kept: Sequence[KeptTurn]) -> list[KeptTurn]:
        limits = self._limits
        turns = [kept_turn.turn for kept_turn in kept]
        trimmed = trim(turns, rounds=limits.rounds, tokens=limits.tokens, count_tokens=self._count_tokens)
        return [kept[position] for position in trimmed.leaving]


def _is_there(new: Turn, kept: Sequence[KeptTurn]) -> bool:
    same = next((kept_turn.turn for kept_turn in kept if kept_turn.turn.id == new.id), None)
    if same is not None and (same.role, same.text) != (new.role, new.text):
        raise InvalidRequestError(f"the window already holds another turn with the id {new.id!r}")
    return same is not None


def _find_turn(entry: bytes) -> Turn | None:
    """Read an entry; None for one that cannot be read, so that `clear` gets rid of it."""
    try:
        return decode_turn(entry).turn
    except CacheError:
        return None
