"""When two memories say the same."""

import json
import unicodedata
from hashlib import sha256

from ltm.models.memory import Json


def fingerprint(value: Json, text: str, *, is_set: bool = False) -> str:
    """Return 64 hexadecimal digits that are equal for equal normalised values.

    Without a value the text counts, after NFKC, case folding and folding of white space.

    Args:
        value: The whole normalised value, or None.
        text: The memory's sentence.
        is_set: The value is a set: the order of its members does not count.
    """
    if value is None:
        words = unicodedata.normalize("NFKC", text).casefold().split()
        return sha256(("t:" + " ".join(words)).encode()).hexdigest()
    if is_set and isinstance(value, list | tuple):
        members = sorted({canonical(member) for member in value})
        return sha256(("s:" + "\n".join(members)).encode()).hexdigest()
    return sha256(("v:" + canonical(value)).encode()).hexdigest()


def canonical(value: Json) -> str:
    """Return the value as JSON text with sorted keys and no spaces; equal values give equal texts.

    A whole number is written without a fraction, so 3 and 3.0 are equal.
    """
    return json.dumps(_plain(value), ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _plain(value: Json) -> object:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: _plain(member) for key, member in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(member) for member in value]
    return value
