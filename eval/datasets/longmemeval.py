"""Read LongMemEval's release file: a question, and a haystack of sessions of its own for each."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from eval.datasets.assemble import RawSet, assemble
from eval.datasets.fields import Row
from eval.datasets.files import read_json
from eval.datasets.values import Dataset
from eval.errors import DatasetError

_NEEDED = {"question_id", "question", "haystack_sessions"}
_ABSTAIN = "_abs"
"""Ending of the ids of questions whose answer was never said."""


def is_longmemeval(found: object) -> bool:
    """Tell whether this JSON is a list of LongMemEval's instances."""
    return isinstance(found, list) and bool(found) and isinstance(found[0], dict) and found[0].keys() >= _NEEDED


def read_longmemeval(path: Path) -> Dataset:
    """Return the set: a user's turn a memory, a question a user, the turns marked `has_answer` relevant.

    Where no user turn is marked, the user's turns of the answer sessions are relevant. The assistant's turns serve as
    context only. Questions whose id ends in `_abs` need nothing.

    Raises:
        DatasetError: The file is not LongMemEval's release.
    """
    found = read_json(path)
    if not is_longmemeval(found) or not isinstance(found, list):
        raise DatasetError(str(path), [f"LongMemEval's release is a list of objects with {', '.join(sorted(_NEEDED))}"])
    memories: list[Row] = []
    queries: list[Row] = []
    for instance in found:
        turns = list(_turns(instance))
        memories.extend(turns)
        queries.append(_question(instance, turns))
    return assemble(RawSet(name=path.stem, memories=memories, queries=queries, qrels={}, is_dialogue=False))


def _turns(instance: Mapping[str, Sequence[object]]) -> Iterator[Row]:
    user = str(instance["question_id"])
    dates, names = instance.get("haystack_dates", ()), instance.get("haystack_session_ids", ())
    for place, session in enumerate(instance["haystack_sessions"]):
        name = str(names[place]) if place < len(names) else f"session-{place}"
        before = None
        for number, turn in enumerate(session if isinstance(session, list) else []):
            if turn.get("role") == "user":
                fields = {
                    "id": f"{name}#{place}:{number}", "user": user, "text": turn.get("content"), "session": name,
                    "at": dates[place] if place < len(dates) else None, "context": before,
                    "has_answer": bool(turn.get("has_answer")),
                }  # fmt: skip
                yield Row(source=f"{user} {name} turn {number}", fields=fields)
            before = turn.get("content")


def _question(instance: Mapping[str, Sequence[object]], turns: Sequence[Row]) -> Row:
    user, sessions = str(instance["question_id"]), set(instance.get("answer_session_ids", ()))
    marked = [turn.fields["id"] for turn in turns if turn.fields["has_answer"]]
    within = [turn.fields["id"] for turn in turns if turn.fields["session"] in sessions]
    abstains = user.endswith(_ABSTAIN)
    fields = {
        "id": user, "user": user, "question": instance["question"], "now": instance.get("question_date"),
        "category": instance.get("question_type"), "relevant": [] if abstains else marked or within,
        "no_answer": abstains,
    }  # fmt: skip
    return Row(source=user, fields=fields)
