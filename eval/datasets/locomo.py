"""Read LoCoMo's release file (`locomo10.json`): long dialogues of two people with questions about them."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from eval.datasets.assemble import RawSet, assemble
from eval.datasets.fields import Row
from eval.datasets.files import read_json
from eval.datasets.values import Dataset
from eval.errors import DatasetError

_CATEGORIES = {1: "multi_hop", 2: "temporal", 3: "open_domain", 4: "single_hop", 5: "adversarial"}
"""Numbers as in the release; LoCoMo's own evaluation code names them so."""


def is_locomo(found: object) -> bool:
    """Tell whether this JSON is a list of LoCoMo's samples."""
    return (
        isinstance(found, list)
        and bool(found)
        and isinstance(found[0], dict)
        and {"conversation", "qa"} <= found[0].keys()
    )


def read_locomo(path: Path) -> Dataset:
    """Return the set: a turn a memory, a conversation a user; questions without evidence are skipped.

    Raises:
        DatasetError: The file is not LoCoMo's release.
    """
    found = read_json(path)
    if not is_locomo(found) or not isinstance(found, list):
        raise DatasetError(str(path), ["LoCoMo's release is a list of samples with `conversation` and `qa`"])
    memories: list[Row] = []
    queries: list[Row] = []
    for number, sample in enumerate(found):
        user = str(sample.get("sample_id", f"conv-{number}"))
        memories.extend(_turns(user, sample["conversation"]))
        queries.extend(_questions(user, sample["qa"]))
    return assemble(RawSet(name=path.stem, memories=memories, queries=queries, qrels={}, is_dialogue=True))


def _turns(user: str, conversation: Mapping[str, object]) -> Iterator[Row]:
    sessions = (name for name, turns in conversation.items() if name.startswith("session_") and isinstance(turns, list))
    for session in sorted(sessions, key=lambda name: int(name.removeprefix("session_"))):
        at = conversation.get(f"{session}_date_time")
        turns = conversation[session]
        for turn in turns if isinstance(turns, list) else []:
            caption = turn.get("blip_caption")
            text = f"{turn.get('text') or ''} [shares {caption}]".strip() if caption else turn.get("text")
            fields = {
                "id": turn.get("dia_id"), "user": user, "text": text, "speaker": turn.get("speaker"), "at": at,
                "session": session,
            }  # fmt: skip
            yield Row(source=f"{user} {turn.get('dia_id')}", fields=fields)


def _questions(user: str, questions: list[Mapping[str, object]]) -> Iterator[Row]:
    for number, question in enumerate(questions):
        category = question.get("category")
        name = _CATEGORIES.get(category, str(category)) if isinstance(category, int) else str(category)
        fields = {
            "id": f"{user}-q{number}", "user": user, "question": question.get("question"), "category": name,
            "evidence": question.get("evidence"),
        }  # fmt: skip
        yield Row(source=f"{user} qa {number}", fields=fields)
