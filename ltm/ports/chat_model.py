"""A chat model that answers with JSON."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatReply:
    """What the model said. `text` may be anything; `tokens` is prompt plus completion, 0 where unreported."""

    text: str
    tokens: int = 0


class ChatModel(Protocol):
    """An OpenAI-compatible chat model at temperature 0."""

    def complete(self, *, system: str, user: str, schema_name: str, schema: Mapping[str, Any]) -> ChatReply:
        """Ask once for JSON in the given schema; servers without JSON schemas are asked for plain JSON.

        Raises:
            ModelError: No usable HTTP answer within the timeout, after retries.
        """
        ...

    def close(self) -> None:
        """Release it; calling it again does nothing."""
        ...
