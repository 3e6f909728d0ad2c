"""Checks of what enters the library. Each returns the checked value or raises `InvalidRequestError`."""

import math
from datetime import UTC, datetime
from enum import StrEnum
from typing import TypeGuard, TypeVar

from ltm.errors import InvalidRequestError

MAX_ID_BYTES = 255
MAX_TEXT_CHARS = 32_768
MAX_TURN_CHARS = 262_144
EARLIEST = datetime(1900, 1, 1, tzinfo=UTC)
LATEST = datetime(9000, 1, 1, tzinfo=UTC)
_FLOAT_BITS = 1023
_MAX_SHOWN = 80

_Word = TypeVar("_Word", bound=StrEnum)


def check_id(value: object, name: str) -> str:
    """Accept an identifier of 1 to 255 UTF-8 bytes; spaces, case and normal form are kept as they are."""
    if not isinstance(value, str):
        raise InvalidRequestError(f"{name} must be a str, not {type(value).__name__}")
    size = len(_encode(value, name))
    if not 1 <= size <= MAX_ID_BYTES:
        raise InvalidRequestError(f"{name} must have 1 to {MAX_ID_BYTES} UTF-8 bytes, this has {size}")
    return value


def check_text(value: object, name: str, *, limit: int = MAX_TEXT_CHARS, allow_empty: bool = False) -> str:
    """Accept a text of at most `limit` characters that is not blank, without NUL and lone surrogates."""
    if not isinstance(value, str):
        raise InvalidRequestError(f"{name} must be a str, not {type(value).__name__}")
    if len(value) > limit:
        raise InvalidRequestError(f"{name} has {len(value)} characters, the limit is {limit}: split it")
    _encode(value, name)
    if not allow_empty and not value.strip():
        raise InvalidRequestError(f"{name} must not be blank")
    return value


def check_time(value: object, name: str) -> datetime:
    """Accept an aware datetime and return it in UTC."""
    if not isinstance(value, datetime):
        raise InvalidRequestError(f"{name} must be a datetime, not {type(value).__name__}")
    if value.tzinfo is None or value.utcoffset() is None:
        raise InvalidRequestError(f"{name} has no time zone: pass an aware datetime, e.g. datetime.now(UTC)")
    try:
        moment = value.astimezone(UTC)
    except OverflowError as error:
        raise InvalidRequestError(f"{name} is outside the years 1900 to 8999") from error
    if not EARLIEST <= moment < LATEST:
        raise InvalidRequestError(f"{name} is outside the years 1900 to 8999")
    return moment


def check_word(value: object, words: type[_Word], name: str) -> _Word:
    """Accept a member of a closed vocabulary, given as such or as its string."""
    try:
        return words(str(value))
    except ValueError:
        allowed = ", ".join(words)
        raise InvalidRequestError(f"{name} must be one of {allowed}; got {shown(value)}") from None


def check_fraction(value: object, name: str) -> float:
    """Accept a finite number from 0 to 1."""
    if not is_finite(value) or not 0 <= value <= 1:
        raise InvalidRequestError(f"{name} must be a finite number from 0 to 1; got {shown(value)}")
    return float(value)


def check_count(value: object, name: str, *, low: int, high: int) -> int:
    """Accept an integer from `low` to `high`, both included."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidRequestError(f"{name} must be an int; got {shown(value)}")
    if not low <= value <= high:
        raise InvalidRequestError(f"{name} must be from {low} to {high}; got {shown(value)}")
    return value


def is_finite(value: object) -> TypeGuard[int | float]:
    """Tell whether it is a number, and no truth value, that a float can hold; an int may be too large for one."""
    if isinstance(value, int):
        return not isinstance(value, bool) and value.bit_length() <= _FLOAT_BITS
    return isinstance(value, float) and math.isfinite(value)


def shown(value: object) -> str:
    """Return a value for a message, at most 80 characters of it."""
    # Digits of an int beyond the interpreter's limit are an error of its own.
    shown = repr(value) if not isinstance(value, int) or is_finite(value) else "an int of more digits than a float has"
    return shown if len(shown) <= _MAX_SHOWN else f"{shown[: _MAX_SHOWN - 3]}..."


def _encode(value: str, name: str) -> bytes:
    if "\x00" in value:
        raise InvalidRequestError(f"{name} contains a NUL character")
    try:
        return value.encode()
    except UnicodeEncodeError:
        raise InvalidRequestError(f"{name} contains a lone surrogate, which is not valid Unicode text") from None
