"""An intent that asks several things: each is searched for beside the whole.

One vector of "what surgery did he have, and which series is she watching" lies between two answers and near neither.
"""

import re
from functools import lru_cache

_MOST = 3
_LEAST_CHARS = 4
_MAX_CHARS = 500
"""Longer intents bring text with them, whose questions are not the user's."""
_JOINT = re.compile(
    r"[?？!！。;；\n]+\s*"
    r"|,\s*(?:and|also|plus|or)\s+(?:also\s+)?|\s+(?:and also|as well as)\s+"
    r"|\s+and\s+(?=(?:what|when|where|who|whose|why|how|which|did|does|is|are|was|were|can|should)\b)"
    r"|[，,]\s*(?=还有|另外|顺便|以及|再帮|再看)",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"\b(?:what|when|where|who|whose|whom|why|how|which|did|does|do|is|are|was|were|can|should"
    r"|recommend|suggest|find|book|tell me|remind)\b"
    r"|什么|啥|哪|谁|几|多少|怎么|吗|呢|多久|是不是|能不能|要不要|有没有|推荐|帮我|查|告诉我",
    re.IGNORECASE,
)


@lru_cache(maxsize=1024)
def parts(intent: str) -> tuple[str, ...]:
    """Return what an intent asks, part by part, three at most; nothing where it asks one thing.

    A part is a question or a request of its own: what is merely told beside it stays with the whole.
    """
    if len(intent) > _MAX_CHARS:
        return ()
    pieces = [piece.strip() for piece in _JOINT.split(intent)]
    asking = dict.fromkeys(piece for piece in pieces if len(piece) >= _LEAST_CHARS and _ASKS.search(piece))
    return tuple(asking)[:_MOST] if len(asking) > 1 else ()
