"""Proposed intents for the memories of a set: a start for whoever judges them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import BaseModel, ValidationError

from eval.datasets import fields
from eval.datasets.files import read_rows
from eval.errors import DatasetError
from eval.export import sample, write_rows
from ltm.errors import ModelError
from ltm.ports import ChatModel

_SYSTEM = (
    "You write search intents for evaluating a memory of a chat agent. For the memory you are given, write one short "
    "message that its user might send, in the memory's language, for which an agent would need this memory. Do not "
    "repeat its words. Answer with JSON."
)
_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"intent": {"type": "string"}},
    "required": ["intent"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Memory:
    memory_id: str
    user: str
    text: str
    quotes: tuple[str, ...]


class _Answer(BaseModel):
    intent: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """What was proposed.

    Attributes:
        proposed: Intents that were added.
        kept: Queries that were there already.
        without: Chosen memories that nothing could be proposed for: nobody's words, or no answer of the model.
    """

    proposed: int
    kept: int
    without: int


def label_set(folder: Path, *, per_user: int, rng: np.random.Generator, model: ChatModel | None = None) -> Labelled:
    """Add a proposed intent to `queries.jsonl` for at most `per_user` memories of each user in `corpus.jsonl`.

    The intent is the model's, without a model the user's own words that the memory came from. A proposal carries
    `"proposed": true`: a person has to judge it before the set means anything. Queries that are there stay as they
    are, and a memory that is relevant to one of them is proposed nothing.

    Raises:
        DatasetError: The folder has no corpus, or a row of it lacks `id`, `user` or `text`.
    """
    corpus, path = folder / "corpus.jsonl", folder / "queries.jsonl"
    if not corpus.is_file():
        raise DatasetError(str(folder), [f"there is no corpus.jsonl: `python -m eval export {folder}` writes one"])
    memories = _read_memories(corpus)
    queries = list(read_rows(path)) if path.is_file() else []
    judged = {one for row in queries for one in fields.read_ids(row.pick(fields.RELEVANT))}
    chosen = list(_choose([memory for memory in memories if memory.memory_id not in judged], per_user, rng))
    proposals = [row for memory in chosen if (row := _propose(memory, model)) is not None]
    write_rows(path, [*(row.fields for row in queries), *proposals])
    return Labelled(proposed=len(proposals), kept=len(queries), without=len(chosen) - len(proposals))


def _read_memories(corpus: Path) -> list[_Memory]:
    memories: list[_Memory] = []
    problems: list[str] = []
    for row in read_rows(corpus):
        memory_id, user, text = (row.text(names) for names in (fields.ID, fields.USER, fields.TEXT))
        if memory_id is None or user is None or text is None:
            problems.append(f"{row.source} lacks id, user or text")
            continue
        memories.append(_Memory(memory_id=memory_id, user=user, text=text, quotes=_quotes(row.fields.get("quotes"))))
    if problems:
        raise DatasetError(str(corpus), problems)
    return memories


def _quotes(raw: object) -> tuple[str, ...]:
    return tuple(str(quote) for quote in raw) if isinstance(raw, list) else ()


def _choose(memories: Iterable[_Memory], per_user: int, rng: np.random.Generator) -> Iterator[_Memory]:
    for _, own in groupby(sorted(memories, key=lambda memory: memory.user), key=lambda memory: memory.user):
        yield from sample(list(own), per_user, rng)


def _propose(memory: _Memory, model: ChatModel | None) -> dict[str, Any] | None:
    intent = _first(memory.quotes) if model is None else _ask(memory, model)
    if intent is None:
        return None
    return {
        "id": f"q-{memory.memory_id}",
        "user": memory.user,
        "intent": intent,
        "relevant": [memory.memory_id],
        "category": "proposed",
        "proposed": True,
    }


def _ask(memory: _Memory, model: ChatModel) -> str | None:
    try:
        reply = model.complete(system=_SYSTEM, user=memory.text, schema_name="ltm_intent", schema=_SCHEMA)
        return _Answer.model_validate_json(reply.text).intent.strip() or None
    except (ModelError, ValidationError):
        return None


def _first(quotes: Sequence[str]) -> str | None:
    return quotes[0] if quotes else None
