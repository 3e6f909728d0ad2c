"""Names under which sets keep the same thing, and how a row is read under any of them."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

ID = ("id", "_id", "memory_id", "turn_id", "dia_id", "doc_id", "docid", "mid", "message_id", "corpus_id")
QUERY_ID = ("id", "_id", "query_id", "query-id", "qid", "question_id")
TEXT = ("text", "content", "memory", "message", "utterance", "sentence", "body")
INTENT = ("intent", "query", "question", "request", "text", "content")
USER = (
    "user",
    "user_id",
    "uid",
    "owner",
    "conv",
    "conv_id",
    "conversation_id",
    "conversation",
    "sample_id",
    "person",
    "tid",
)
AT = ("at", "time", "date", "timestamp", "datetime", "created_at", "said_at", "ts")
NOW = ("now", "asked_at", "question_date", "query_time", *AT)
RELEVANT = (
    "relevant", "relevant_ids", "qrels", "gold", "gold_ids", "evidence", "evidence_ids", "positives", "target_step_id",
)  # fmt: skip
CATEGORY = ("category", "question_type", "type", "kind")
FORBIDDEN = ("must_not", "must_not_ids", "forbidden", "stale", "stale_ids", "superseded", "superseded_ids")
NOTHING = ("no_answer", "needs_nothing", "unanswerable")
CONTEXT = ("context", "previous", "prev")
SESSION = ("session", "session_id", "sess")
SPEAKER = ("speaker", "role", "name")
HISTORY = ("history", "dialogue", "dialog")
MEMORY_LISTS = ("memories", "turns", "messages", "message_list", "corpus", "documents")
QUERY_LISTS = ("queries", "questions", "intents", "qa", "QA")

MEMORY_WORDS = frozenset({*MEMORY_LISTS, "memory", "turn", "message", "document", "doc", "passage", "passages"})
QUERY_WORDS = frozenset({*QUERY_LISTS, "query", "question", "intent"})
QREL_WORDS = frozenset({"qrel", "qrels", "relevance", "judgements", "judgments"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One object of a file.

    Attributes:
        source: `file:line`, for error messages.
    """

    source: str
    fields: Mapping[str, object]

    def pick(self, names: Iterable[str]) -> object:
        """Return the first of these fields that is there and not null, else None."""
        return next((self.fields[name] for name in names if self.fields.get(name) is not None), None)

    def text(self, names: Iterable[str]) -> str | None:
        """Return the first of these fields as a string, numbers included; None where there is none or it is blank."""
        found = self.pick(names)
        if isinstance(found, bool) or not isinstance(found, str | int | float):
            return None
        return str(found) if str(found).strip() else None

    def lacks(self, what: str, names: Iterable[str]) -> str:
        """Return the problem "this row has no ..." in words."""
        looked, has = ", ".join(names), ", ".join(sorted(self.fields)) or "nothing"
        return f"{self.source}: no {what} (looked for {looked}; the row has {has})"


def read_ids(raw: object) -> dict[str, int]:
    """Return ids with their grades, in the order given.

    Understood: a list of ids, of numbers or of objects with an id and perhaps a grade; an object from id to grade;
    one string of ids separated by commas, semicolons or spaces. Ids of grade 0 or less are left out.
    """
    if isinstance(raw, Mapping):
        return {str(name): int(grade) for name, grade in raw.items() if int(grade) > 0}
    if isinstance(raw, str):
        return dict.fromkeys((part for part in re.split(r"[\s,;，；]+", raw) if part), 1)
    if isinstance(raw, int) and not isinstance(raw, bool):
        return {str(raw): 1}
    if not isinstance(raw, Iterable):
        return {}
    found: dict[str, int] = {}
    for part in raw:
        found.update(_read_graded(part))
    return found


def _read_graded(part: object) -> dict[str, int]:
    """Return one element of a list: an object, a pair of id and grade, or ids."""
    if isinstance(part, list | tuple) and len(part) == 2 and isinstance(part[0], str) and isinstance(part[1], int):
        return read_ids({part[0]: part[1]})
    if not isinstance(part, Mapping):
        return read_ids(part)
    row = Row(source="", fields=part)
    name, grade = row.text(ID), row.pick(("grade", "relevance", "score", "rel"))
    return {} if name is None else read_ids({name: 1 if grade is None else int(str(grade))})
