"""What a chat model is shown: which turns, in which words, and which slots it may fill."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from ltm.models import Kind, Lang, Role, SpeechAct, Turn
from ltm.packs import PackSet, Slot, fold
from ltm.write.pasted import remembered
from ltm.write.secrets import redact
from ltm.write.spans import Span, cut_out

SCHEMA_NAME = "ltm_extract"
LEAD_TURNS = 2
"""Turns in front of a window that are shown for understanding only."""

MAX_SHOWN_CHARS = 4_000
MAX_LEAD_CHARS = 1_000
MARGIN_CHARS = 12_000
"""Searched for secrets and memories behind what is shown, so that none is cut in two and shown in part."""

_TEXT = {"type": "string"}
_VALUE = {
    "anyOf": [
        {"type": "string"},
        {"type": "number"},
        {"type": "array", "items": {"type": "string"}},
        {
            "type": "object",
            "properties": {
                "min": {"type": ["number", "null"]},
                "max": {"type": ["number", "null"]},
                "currency": {"type": ["string", "null"]},
                "period": {"type": ["string", "null"]},
            },
            "required": ["min", "max", "currency", "period"],
            "additionalProperties": False,
        },
        {"type": "null"},
    ]
}
_FIELDS = {
    "turn_id": _TEXT,
    "quote": _TEXT,
    "key": {"type": ["string", "null"]},
    "text": _TEXT,
    "value": _VALUE,
    "kind": {"type": "string", "enum": [str(kind) for kind in Kind]},
    "speech_act": {"type": "string", "enum": [str(act) for act in SpeechAct]},
    "confidence": {"type": "number"},
}
_EXPECTED = {
    "money": '{"min": number or null, "max": number or null, "currency": "CNY", "period": "month" or "year"}',
    "years": "number of years",
    "city": "names of cities",
    "daytime": "times of the week",
}
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "candidates": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": _FIELDS,
                "required": list(_FIELDS),
                "additionalProperties": False,
            },
        }
    },
    "required": ["candidates"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """A stretch of a dialogue for one call.

    Attributes:
        turns: In the order of the dialogue, each with its id.
        read_ids: Those of the user turns that are to be read.
    """

    turns: tuple[Turn, ...]
    read_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What is sent."""

    system: str
    user: str


def cut_windows(turns: Sequence[Turn], read_ids: frozenset[str], size: int) -> Iterator[Window]:
    """Yield windows of at most `size` turns in which something is to be read, so that each turn is read once.

    Windows end as late as possible, that is, the last one holds the last turns; in front of each stand `LEAD_TURNS`
    more for understanding.
    """
    first = len(turns) % size
    borders = [0, *range(first, len(turns) + 1, size)] if first else list(range(0, len(turns) + 1, size))
    for start, end in pairwise(borders):
        read = tuple(turn.id for turn in turns[start:end] if turn.id in read_ids)
        if read:
            yield Window(turns=tuple(turns[max(0, start - LEAD_TURNS) : end]), read_ids=tuple(filter(None, read)))


def make_request(window: Window, packs: PackSet) -> Request:
    """Return the words that go to the model: no secret, no recalled memory, no system text, no tool output.

    States are not offered: only a transition, or a statement that a rule reads outright, sets one.
    """
    lines = [
        json.dumps(
            {
                "turn_id": turn.id,
                "role": str(turn.role),
                "read": turn.id in window.read_ids,
                "text": _shown(turn, window),
            },
            ensure_ascii=False,
        )
        for turn in window.turns
        if turn.role in (Role.USER, Role.ASSISTANT) and turn.text.strip()
    ]
    slots = "\n".join(f"- {_describe(slot)}" for slot in packs.slots.values() if slot.kind is not Kind.STATE)
    return Request(system=packs.prompt("extract").render(slots=slots), user="\n".join(lines))


def _shown(turn: Turn, window: Window) -> str:
    limit = MAX_SHOWN_CHARS if turn.id in window.read_ids else MAX_LEAD_CHARS
    text = redact(_without_memories(turn.text[: limit + MARGIN_CHARS]))
    return text if len(text) <= limit else f"{text[:limit]} …"


def _without_memories(text: str) -> str:
    """Take out what recall had put into the prompt: it must not be read as something new."""
    folded = fold(text)
    return cut_out(text, (Span(*folded.span(*span)) for span in remembered(folded.text)), "")


def _describe(slot: Slot) -> str:
    count = "a list of " if slot.is_set else ""
    value = f"{count}{_EXPECTED.get(slot.value_type, 'text')}"
    if slot.vocabulary is not None and slot.value_type == "choice":
        value = f"one of {', '.join(slot.vocabulary.values)}"
    return f"`{slot.key}` ({slot.kind}): {value}; {slot.sentences[Lang.EN].replace('$value', '…')}"
