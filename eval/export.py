"""A user's own store as a labelled set: the memories, still without intents."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from ltm.memory import Memory
from ltm.models import MemoryVersion

_PAGE = 500
_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """What was written."""

    users: int
    memories: int


def export_store(memory: Memory, folder: Path, *, users: int, rng: np.random.Generator) -> Exported:
    """Write the active memories of sampled users as `corpus.jsonl`, with the quotes that they came from.

    All memories of a sampled user are written, since recall searches among them all. Queries that are there already
    stay as they are.
    """
    folder.mkdir(parents=True, exist_ok=True)
    chosen = sample(list(_users(memory)), users, rng)
    records = [record for user in chosen for record in _memories(memory, user)]
    write_rows(folder / "corpus.jsonl", map(_corpus_row, records))
    packs = sorted({record.pack.partition("@")[0] for record in records if record.pack} - {"core"})
    meta = {"packs": packs, "dialogue": False}
    (folder / "meta.json").write_text(json.dumps(meta) + "\n", encoding="utf-8")
    return Exported(users=len(chosen), memories=len(records))


def sample(items: Sequence[_Item], count: int, rng: np.random.Generator) -> list[_Item]:
    """Return at most so many of the items, in their order."""
    places = sorted(rng.choice(len(items), size=min(count, len(items)), replace=False).tolist())
    return [items[at] for at in places]


def write_rows(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write JSON Lines, in place of what is there."""
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def _corpus_row(record: MemoryVersion) -> dict[str, Any]:
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
        "quotes": [evidence.quote for evidence in record.evidence],
    }


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
