"""Read sets kept as JSON lines; docs/reference/eval.md describes the shape."""

import csv
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from eval.datasets import fields
from eval.datasets.assemble import RawSet, assemble
from eval.datasets.fields import Row, read_ids
from eval.datasets.files import is_lines, read_json, read_rows, stem
from eval.datasets.values import Dataset
from eval.errors import DatasetError

_ROLES = {"memory": fields.MEMORY_WORDS, "query": fields.QUERY_WORDS, "qrel": fields.QREL_WORDS}
_OWN_QUERY = ("intent", "query", "question")
_JUDGED = ("relevant", "relevant_ids", "qrels", "gold", "gold_ids")
"""Fields that only a query has; `evidence` is none of them, a memory may have its own."""


@dataclass(slots=True)
class _Parts:
    """What the files of one set have yielded so far."""

    memories: list[Row] = field(default_factory=list)
    queries: list[Row] = field(default_factory=list)
    qrels: dict[str, dict[str, int]] = field(default_factory=dict)


def split_name(name: str) -> tuple[str, str | None]:
    """Return the set's name and the role that a file's name tells, e.g. `locomo_queries` → `locomo`, `query`."""
    for role, words in _ROLES.items():
        if name.lower() in words:
            return "", role
        pattern = rf"^(?:(?P<a>.+?)[._-](?:{'|'.join(words)})|(?:{'|'.join(words)})[._-](?P<b>.+))$"
        if found := re.match(pattern, name, re.IGNORECASE):
            return found["a"] or found["b"], role
    return name, None


def read_jsonl_set(name: str, paths: Iterable[Path]) -> Dataset:
    """Return the set that these files make up together.

    Raises:
        DatasetError: Something cannot be understood; the message lists what.
    """
    parts = _Parts()
    meta: Mapping[str, object] = {}
    for path in sorted(paths):
        if path.name == "meta.json":
            meta = _read_meta(path)
        elif path.suffix in (".tsv", ".txt", ".qrels"):
            _take_table(path, parts)
        elif is_lines(path):
            role = split_name(stem(path))[1] or split_name(path.parent.name)[1]
            for row in read_rows(path):
                _take(row, role, parts)
    dialogue, packs = meta.get("dialogue"), meta.get("packs")
    return assemble(
        RawSet(
            name=name,
            memories=parts.memories,
            queries=parts.queries,
            qrels=parts.qrels,
            is_dialogue=dialogue if isinstance(dialogue, bool) else None,
            packs=tuple(str(pack) for pack in packs) if isinstance(packs, list) else (),
        )
    )


def _read_meta(path: Path) -> Mapping[str, object]:
    found = read_json(path)
    if not isinstance(found, dict):
        raise DatasetError(str(path), ["meta.json must be an object with `dialogue` (bool) and `packs` (list)"])
    return found


def _take(row: Row, role: str | None, parts: _Parts) -> None:
    said = {str(row.fields.get(name, "")).lower() for name in ("type", "kind", "record_type")}
    role = next((known for known, words in _ROLES.items() if said & words), role)
    lists = [
        name for name in (*fields.MEMORY_LISTS, *fields.QUERY_LISTS) if isinstance(row.fields.get(name), list | dict)
    ]
    if lists and role is None:
        _take_nested(row, parts)
    elif role == "qrel":
        _take_qrel(row, parts)
    elif role == "query" or (role is None and row.pick((*_OWN_QUERY, *_JUDGED)) is not None):
        parts.queries.append(row)
    else:
        parts.memories.append(row)


def _take_qrel(row: Row, parts: _Parts) -> None:
    query_id = row.text(fields.QUERY_ID[2:]) or row.text(fields.QUERY_ID)
    memory_id = row.text(("corpus-id", *fields.ID[2:]))
    if query_id is None:
        raise DatasetError(row.source, [row.lacks("query id", fields.QUERY_ID)])
    found = parts.qrels.setdefault(query_id, {})
    if memory_id is not None:
        grade = row.pick(("score", "grade", "relevance", "rel"))
        found.update(read_ids([{"id": memory_id, "grade": 1 if grade is None else grade}]))
    else:
        found.update(read_ids(row.pick((*fields.RELEVANT, "memories", "ids"))))


def _take_nested(row: Row, parts: _Parts) -> None:
    """Take a row that holds one user's whole corpus, its questions, or is itself the question about it."""
    user = row.text(fields.USER) or row.text(fields.QUERY_ID) or row.source
    for name in fields.MEMORY_LISTS:
        parts.memories.extend(_children(row, name, user, "text"))
    for name in fields.QUERY_LISTS:
        parts.queries.extend(_children(row, name, user, "intent"))
    if row.pick(_OWN_QUERY) is not None:
        own = {key: value for key, value in row.fields.items() if key not in fields.MEMORY_LISTS}
        parts.queries.append(Row(source=row.source, fields={**own, "user": user}))


def _children(row: Row, name: str, user: str, plain: str) -> Iterator[Row]:
    found = row.fields.get(name)
    for child in [found] if isinstance(found, dict) else found if isinstance(found, list) else []:
        inner = child if isinstance(child, dict) else {plain: child}
        yield Row(source=f"{row.source} {name}", fields={"user": user, **inner})


def _take_table(path: Path, parts: _Parts) -> None:
    """Take qrels as a table: with a header `query-id corpus-id score`, or TREC's `query 0 memory grade`."""
    with path.open(encoding="utf-8", newline="") as lines:
        for cells in csv.reader(lines, delimiter="\t"):
            cells = cells if len(cells) > 1 else "".join(cells).split()
            if len(cells) < 2 or not (cells[-1].lstrip("-").isdigit() or len(cells) == 2):
                continue
            query_id, memory_id = cells[0], cells[2] if len(cells) > 3 else cells[1]
            grade = int(cells[-1]) if len(cells) > 2 else 1
            if grade > 0 and query_id not in fields.QUERY_ID:
                parts.qrels.setdefault(query_id, {})[memory_id] = grade
