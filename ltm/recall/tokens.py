"""Counting o200k tokens, offline."""

import warnings
from collections.abc import Callable
from functools import cache, lru_cache

_CACHED_CHARS = 2_000
_PIECE_CHARS = 100_000
"""The tokenizer refuses texts of a million characters; longer ones are counted in pieces, which is a few too many."""


def count_tokens(text: str) -> int:
    """Return how many o200k tokens a text has; what looks like a special token counts as ordinary text."""
    return _count_short(text) if len(text) <= _CACHED_CHARS else _count(text)


@cache
def _encoder() -> Callable[[str], list[int]]:
    # Loading takes a second or two, and whoever only writes never needs it.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of importlib.resources, in the tokenizer's loader
        from bpe_openai import get_encoding  # type: ignore[import-untyped]

        encode: Callable[[str], list[int]] = get_encoding("o200k_base").encode_ordinary
    return encode


def _count(text: str) -> int:
    encode = _encoder()
    return sum(len(encode(text[start : start + _PIECE_CHARS])) for start in range(0, len(text), _PIECE_CHARS))


_count_short = lru_cache(maxsize=16_384)(_count)
