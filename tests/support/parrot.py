"""A `ChatModel` that says what it was told to say."""

from collections.abc import Mapping, Sequence
from typing import Any

from ltm.errors import ModelError
from ltm.ports import ChatReply


class Parrot:
    """Says one reply a call, in order, and no candidates where none is left; None is a failure.

    Attributes:
        asked: What each call showed it of the dialogue.
    """

    def __init__(self, *replies: str | None) -> None:
        self.replies: list[str | None] = list(replies)
        self.asked: list[str] = []

    def teach(self, replies: Sequence[str | None]) -> None:
        """Set what it says next."""
        self.replies = list(replies)

    def complete(self, *, system: str, user: str, schema_name: str, schema: Mapping[str, Any]) -> ChatReply:
        """Answer, or raise as an adapter does."""
        self.asked.append(user)
        reply = self.replies.pop(0) if self.replies else '{"candidates": []}'
        if reply is None:
            raise ModelError("no answer")
        return ChatReply(text=reply, tokens=7)

    def close(self) -> None:
        """Do nothing."""
