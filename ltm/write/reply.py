"""Read what a chat model answered: whatever of it can be used, and nothing that cannot."""

import json
import re
from collections.abc import Iterator
from json import JSONDecodeError, JSONDecoder
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from ltm.models import Json, Kind, SpeechAct
from ltm.models.check import is_finite

MAX_REPLY_CHARS = 200_000
MAX_TEXT_CHARS = 2_000
MAX_ATTEMPTS = 2_000
MAX_DEPTH = 6

_THOUGHTS = re.compile(r"<think(?:ing)?>.{0,200000}?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_NOT_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


def _clean_text(value: object) -> object:
    """Accept a text or a number as text, without characters that no store takes; None stays None."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    return _NOT_TEXT.sub("", str(value))[:MAX_TEXT_CHARS]


def _clean_key(value: object) -> object:
    text = _clean_text(value)
    return None if text is None or str(text).strip().lower() in ("", "null", "none") else str(text).strip()[:255]


def _clean_kind(value: object) -> object:
    return value if value in list(Kind) else Kind.FACT


def _clean_act(value: object) -> object:
    return value if value in list(SpeechAct) else SpeechAct.STATEMENT


def _clean_confidence(value: object) -> object:
    """Accept a finite number from 0 to 1, also as text; anything else counts as no confidence."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return 0.0
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return 0.0
    return number if 0 <= number <= 1 else 0.0


def _clean_json(value: object, depth: int = MAX_DEPTH) -> Json:
    match value:
        case None | bool():
            return value
        case str():
            return str(_clean_text(value))
        case int() | float() if is_finite(value) and abs(value) <= 1e15:
            return value
        case list() if depth:
            return [_clean_json(member, depth - 1) for member in value[:100]]
        case dict() if depth:
            return {str(_clean_text(name)): _clean_json(member, depth - 1) for name, member in list(value.items())[:50]}
    return None


Text = Annotated[str | None, BeforeValidator(_clean_text)]


class RawCandidate(BaseModel):
    """A candidate as the model wrote it; fields of a wrong type have become harmless ones."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    turn_id: Text = None
    quote: Text = None
    key: Annotated[str | None, BeforeValidator(_clean_key)] = None
    text: Text = None
    value: Annotated[Any, BeforeValidator(_clean_json)] = None
    kind: Annotated[Kind, BeforeValidator(_clean_kind)] = Kind.FACT
    speech_act: Annotated[SpeechAct, BeforeValidator(_clean_act)] = SpeechAct.STATEMENT
    confidence: Annotated[float, BeforeValidator(_clean_confidence)] = Field(default=0.0)


def parse_reply(text: str) -> list[RawCandidate] | None:
    """Return the candidates of a reply, in order; None where it holds no answer at all.

    Code fences, thoughts, text around the JSON, an answer that was cut off, a bare list or a single candidate, JSON
    within JSON and wrong types are taken as far as they go. An answer without candidates gives an empty list.
    """
    items = _find_items(_THOUGHTS.sub("", text[:MAX_REPLY_CHARS]).strip())
    return None if items is None else [_candidate(item) for item in items]


def _candidate(item: object) -> RawCandidate:
    try:
        return RawCandidate.model_validate(item if isinstance(item, dict) else {})
    except ValidationError:
        return RawCandidate()


def _find_items(text: str) -> list[Any] | None:
    """Return the raw candidates of the first part of the text that is an answer, or the salvaged ones."""
    salvaged: list[Any] = []
    for value in _values(text):
        items = _items_of(value)
        if items is not None:
            return items
        if isinstance(value, dict) and "quote" in value:
            salvaged.append(value)
    return salvaged or None


def _items_of(value: object, depth: int = 3) -> list[Any] | None:
    """Return the list of candidates in a decoded value, or None where it holds none."""
    if isinstance(value, str) and depth:
        return _items_of(_decode(value), depth - 1)
    if isinstance(value, list):
        is_answer = not value or any(isinstance(item, dict) and "quote" in item for item in value)
        return value if is_answer else None
    if not isinstance(value, dict):
        return None
    if "candidates" in value:
        given = value["candidates"]
        return given if isinstance(given, list) else [given] if isinstance(given, dict) else []
    if not depth:
        return None
    return next((items for inner in value.values() if (items := _items_of(inner, depth - 1)) is not None), None)


def _values(text: str) -> Iterator[object]:
    """Yield what decodes as JSON: the whole text, else each object or list, the outermost of those that are whole."""
    whole = _decode(text)
    if whole is not None:
        yield whole
        return
    decoder = JSONDecoder(parse_constant=lambda _: None)
    position = 0
    for _ in range(MAX_ATTEMPTS):
        starts = [start for start in (text.find("{", position), text.find("[", position)) if start >= 0]
        if not starts:
            return
        try:
            value, position = decoder.raw_decode(text, min(starts))
            yield value
        except (JSONDecodeError, RecursionError, ValueError):
            position = min(starts) + 1


def _decode(text: str) -> object:
    try:
        return json.loads(text, parse_constant=lambda _: None)
    except (JSONDecodeError, RecursionError, ValueError):
        return None
