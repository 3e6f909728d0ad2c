"""One utterance of a dialogue, and what a user's words prove."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ltm.errors import InvalidRequestError
from ltm.models.check import MAX_TURN_CHARS, check_id, check_text, check_time, check_word
from ltm.models.terms import Role


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One utterance.

    Attributes:
        role: `user`, `assistant`, `system` or `tool`. Only user turns can teach anything.
        text: What was said, at most 262,144 characters; empty only for a turn that carries tool calls or their result.
        at: When it was said, timezone-aware; None means "when it is observed".
        id: Unique within its session; None derives one from session, position and content.
        tool_calls: The calls an assistant turn makes, as the chat API gave them; kept, never read.
        tool_call_id: The call that a tool turn answers.

    Raises:
        InvalidRequestError: A field is not acceptable.
    """

    role: Role | str
    text: str
    at: datetime | None = None
    id: str | None = None
    tool_calls: tuple[Mapping[str, Any], ...] = ()
    tool_call_id: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "role", check_word(self.role, Role, "role"))
        allow_empty = bool(self.tool_calls) or self.role == Role.TOOL
        check_text(self.text, "turn text", limit=MAX_TURN_CHARS, allow_empty=allow_empty)
        if self.at is not None:
            object.__setattr__(self, "at", check_time(self.at, "turn time `at`"))
        if self.id is not None:
            check_id(self.id, "turn id")
        object.__setattr__(self, "tool_calls", _checked_calls(self.tool_calls))
        if self.tool_call_id is not None:
            check_text(self.tool_call_id, "tool_call_id", allow_empty=True)


def _checked_calls(calls: object) -> tuple[Mapping[str, Any], ...]:
    if calls is None:
        return ()
    if not isinstance(calls, Sequence) or not all(isinstance(call, Mapping) for call in calls):
        raise InvalidRequestError("tool_calls must be a sequence of mappings, as the chat API gives them")
    return tuple(calls)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Where the user said it.

    Attributes:
        quote: Verbatim words, a substring of the turn's text.
        start: Offset of the quote in the turn's text, in characters.
        end: Offset behind the quote.
        said_at: Time of the utterance, UTC.
    """

    turn_id: str | None
    session_id: str | None
    role: Role
    quote: str
    start: int
    end: int
    said_at: datetime
