"""A user's own store as a labelled set: sampled memories to be judged, and intents proposed for them."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import BaseModel, ValidationError

from ltm.errors import ModelError
from ltm.memory import Memory
from ltm.models import MemoryVersion
from ltm.ports import ChatModel

_PAGE = 500
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


class _Proposal(BaseModel):
    intent: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """What was written."""

    users: int
    memories: int
    proposals: int


def export_store(
    memory: Memory, folder: Path, *, users: int, per_user: int, rng: np.random.Generator, model: ChatModel | None = None
) -> Exported:
    """Write the active memories of sampled users as `corpus.jsonl`, and proposed intents as `queries.jsonl`.

    All memories of a sampled user are written, since recall searches among them all; intents are proposed for at most
    `per_user` of them. A proposal carries `"proposed": true`: a person has to judge it before the set means anything.
    """
    folder.mkdir(parents=True, exist_ok=True)
    chosen = _sample(list(_users(memory)), users, rng)
    corpora = {user: list(_memories(memory, user)) for user in chosen}
    proposals = [
        row
        for records in corpora.values()
        for record in _sample(records, per_user, rng)
        if (row := propose_intent(record, model)) is not None
    ]
    corpus = [corpus_row(record) for records in corpora.values() for record in records]
    _write(folder / "corpus.jsonl", corpus)
    _write(folder / "queries.jsonl", proposals)
    packs = sorted({record.pack.partition("@")[0] for records in corpora.values() for record in records if record.pack})
    meta = {"packs": [pack for pack in packs if pack != "core"], "dialogue": False}
    (folder / "meta.json").write_text(json.dumps(meta) + "\n", encoding="utf-8")
    return Exported(users=len(chosen), memories=len(corpus), proposals=len(proposals))


def corpus_row(record: MemoryVersion) -> dict[str, Any]:
    """Return a memory in the documented shape of a corpus."""
    return {
        "id": record.memory_id,
        "user": record.user_id,
        "text": record.text,
        "at": record.valid_from.isoformat(),
        "kind": str(record.kind),
        "key": record.key,
        "value": record.value,
        "context": record.context,
    }


def propose_intent(record: MemoryVersion, model: ChatModel | None) -> dict[str, Any] | None:
    """Return a query for a memory: the model's, else the user's own words that it came from; None where neither is."""
    intent = _ask(record, model) if model is not None else _quote(record)
    if intent is None:
        return None
    return {
        "id": f"q-{record.memory_id}",
        "user": record.user_id,
        "intent": intent,
        "relevant": [record.memory_id],
        "category": "proposed",
        "proposed": True,
    }


def _ask(record: MemoryVersion, model: ChatModel) -> str | None:
    try:
        reply = model.complete(system=_SYSTEM, user=record.text, schema_name="ltm_intent", schema=_SCHEMA)
        return _Proposal.model_validate_json(reply.text).intent.strip() or None
    except (ModelError, ValidationError):
        return None


def _quote(record: MemoryVersion) -> str | None:
    return record.evidence[0].quote if record.evidence else None


def _sample(items: Sequence[Any], count: int, rng: np.random.Generator) -> list[Any]:
    """Return at most so many of the items, in their order."""
    places = sorted(rng.choice(len(items), size=min(count, len(items)), replace=False).tolist())
    return [items[at] for at in places]


def _users(memory: Memory) -> Iterator[str]:
    after: str | None = None
    while page := memory.users(limit=_PAGE, after=after):
        yield from page
        after = page[-1]


def _memories(memory: Memory, user: str) -> Iterator[MemoryVersion]:
    after: str | None = None
    while page := memory.list(user, limit=_PAGE, after=after):
        yield from page
        after = page[-1].memory_id


def _write(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
