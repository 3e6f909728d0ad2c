"""Sets kept as JSON lines, under whatever names."""

import gzip
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from eval.datasets import find_sets, read_dataset
from eval.errors import DatasetError

Rows = Sequence[Mapping[str, object]]


def write(path: Path, rows: Rows) -> Path:
    """Write rows as JSON lines, gzipped where the name says so."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


CORPUS: Rows = [
    {"id": "m1", "user": "ann", "text": "I play chess on Sundays", "at": "2026-01-02T10:00:00+00:00"},
    {"id": "m2", "user": "ann", "text": "I moved to Leeds", "at": "2026-01-03T10:00:00+00:00"},
]
QUERIES: Rows = [{"id": "q1", "user": "ann", "intent": "where do I live", "relevant": ["m2"], "category": "direct"}]


def test_documented_folder_is_read(tmp_path: Path) -> None:
    """A folder of corpus, queries and qrels gives memories, intents and judgements."""
    write(tmp_path / "mine/corpus.jsonl", CORPUS)
    write(tmp_path / "mine/queries.jsonl", [{"id": "q1", "user": "ann", "intent": "where do I live"}])
    (tmp_path / "mine/qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq1\tm2\t2\nq1\tm1\t0\n")
    found = read_dataset(tmp_path / "mine")
    assert [memory.memory_id for memory in found.memories] == ["m1", "m2"]
    assert dict(found.queries[0].relevant) == {"m2": 2}
    assert found.queries[0].now == datetime(2026, 1, 3, 10, tzinfo=UTC)


def test_single_file_with_types_is_read(tmp_path: Path) -> None:
    """One file whose rows say what they are is a whole set, gzipped or not."""
    rows = [*({**row, "type": "memory"} for row in CORPUS), *({**row, "type": "query"} for row in QUERIES)]
    found = read_dataset(write(tmp_path / "tiny.jsonl.gz", rows))
    assert found.name == "tiny"
    assert (len(found.memories), len(found.queries)) == (2, 1)


def test_blanks_around_texts_are_no_part_of_them(tmp_path: Path) -> None:
    """Whoever is compared gets the same words, also one that strips what it is given."""
    write(tmp_path / "mine/corpus.jsonl", [{**row, "text": f" {row['text']}\n"} for row in CORPUS])
    write(tmp_path / "mine/queries.jsonl", [{**row, "intent": f"{row['intent']} "} for row in QUERIES])
    found = read_dataset(tmp_path / "mine")
    assert [memory.text for memory in found.memories] == [row["text"] for row in CORPUS]
    assert found.queries[0].intent == QUERIES[0]["intent"]


def test_aliases_are_understood(tmp_path: Path) -> None:
    """Other names for id, text, time, user, intent and judgements, and epoch times, mean the same."""
    write(tmp_path / "x/turns.jsonl", [{"turn_id": 7, "content": "我住在杭州", "timestamp": 1767261600, "uid": "u"}])
    write(tmp_path / "x/questions.jsonl", [{"question_id": "a", "uid": "u", "question": "住哪", "evidence": [7]}])
    found = read_dataset(tmp_path / "x")
    assert found.lang == "zh"
    assert dict(found.queries[0].relevant) == {"7": 1}
    assert found.memories[0].at == datetime(2026, 1, 1, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    "judged", [["m2"], [{"id": "m2", "grade": 3}, {"id": "m1", "grade": 0}], {"m2": 1}, "m2", [["m2", 1], ["m1", 0]]]
)
def test_ways_to_judge_mean_the_same(tmp_path: Path, judged: object) -> None:
    """Lists of ids, of objects, of pairs, an object of grades, one string: all name the same memory."""
    rows: Rows = [*CORPUS, {"id": "q1", "user": "ann", "text": "where do I live", "relevant": judged}]
    found = read_dataset(write(tmp_path / "one.jsonl", rows))
    assert list(found.queries[0].relevant) == ["m2"]
    assert len(found.memories) == 2


def test_day_and_clock_in_two_fields_are_joined(tmp_path: Path) -> None:
    """Some sets keep the date and the time of day apart."""
    write(tmp_path / "s/corpus.jsonl", [{"id": "a", "text": "t", "date": "8 May, 2023", "time": "1:56 pm"}])
    write(tmp_path / "s/queries.jsonl", [{"intent": "x", "relevant": ["a"]}])
    assert read_dataset(tmp_path / "s").memories[0].at == datetime(2023, 5, 8, 13, 56, tzinfo=UTC)


def test_nested_rows_are_read(tmp_path: Path) -> None:
    """A row that holds one user's messages and its questions is taken apart."""
    row = {"user_id": "u9", "messages": [{"mid": 0, "message": "a"}, {"mid": 1, "message": "b"}],
           "QA": {"question": "which", "target_step_id": [1]}}  # fmt: skip
    found = read_dataset(write(tmp_path / "nested.jsonl", [row]))
    assert [memory.user for memory in found.memories] == ["u9", "u9"]
    assert dict(found.queries[0].relevant) == {"1": 1}


def test_ids_that_repeat_among_users_are_told_apart(tmp_path: Path) -> None:
    """Two users may both have a memory `m1`; each query means its own user's."""
    corpus = [{**row, "user": user} for user in ("ann", "bob") for row in CORPUS]
    queries: Rows = [{**QUERIES[0], "user": "bob"}]
    write(tmp_path / "s/corpus.jsonl", corpus)
    write(tmp_path / "s/queries.jsonl", queries)
    found = read_dataset(tmp_path / "s")
    assert dict(found.queries[0].relevant) == {"bob/m2": 1}


def test_query_without_user_takes_the_owner_of_its_memories(tmp_path: Path) -> None:
    """A set that names the user only on the corpus is complete all the same."""
    write(tmp_path / "s/corpus.jsonl", CORPUS)
    write(tmp_path / "s/queries.jsonl", [{"qid": "q", "query": "where", "relevant_ids": {"m2": 1}}])
    assert read_dataset(tmp_path / "s").queries[0].user == "ann"


def test_dialogue_turns_get_the_turn_before_on_the_same_day(tmp_path: Path) -> None:
    """Context is the turn before of the same user and day, for sets that are dialogues."""
    turns = [
        {"id": 1, "user": "c", "speaker": "Al", "text": "tennis?", "at": "2026-01-02T10:00:00Z"},
        {"id": 2, "user": "c", "speaker": "Bo", "text": "yes, Sunday!", "at": "2026-01-02T10:01:00Z"},
        {"id": 3, "user": "c", "speaker": "Al", "text": "hi", "at": "2026-01-05T10:01:00Z"},
    ]
    write(tmp_path / "talk/turns.jsonl", turns)
    write(tmp_path / "talk/queries.jsonl", [{"user": "c", "question": "when", "evidence": "2"}])
    found = read_dataset(tmp_path / "talk")
    assert [memory.context for memory in found.memories] == [None, "Al: tennis?", None]
    assert found.memories[1].text == "Bo: yes, Sunday!"


def test_queries_without_judged_memory_are_skipped_and_counted(tmp_path: Path) -> None:
    """A query is left out with its reason, unless it says that nothing is needed."""
    queries: Rows = [
        {"id": "a", "user": "ann", "intent": "x", "relevant": ["gone"]},
        {"id": "b", "user": "ann", "intent": "y"},
        {"id": "c", "user": "ann", "intent": "weather", "no_answer": True},
    ]
    write(tmp_path / "s/corpus.jsonl", CORPUS)
    write(tmp_path / "s/queries.jsonl", queries)
    found = read_dataset(tmp_path / "s")
    assert [query.query_id for query in found.queries] == ["c"]
    assert [skip.reason for skip in found.skipped] == ["no relevant memory in its user's corpus", "no judgements"]


def test_error_lists_what_was_not_understood(tmp_path: Path) -> None:
    """Every row that cannot be read is named with what was looked for and what it has."""
    write(tmp_path / "s/corpus.jsonl", [{"id": "m", "words": "hello"}, {"id": "n", "text": "ok", "at": "soon"}])
    write(tmp_path / "s/queries.jsonl", QUERIES)
    with pytest.raises(DatasetError) as caught:
        read_dataset(tmp_path / "s")
    assert "corpus.jsonl:1: no text (looked for text, content" in str(caught.value)
    assert "the row has id, words" in str(caught.value)
    assert "'soon' is no time" in str(caught.value)


def test_line_that_is_no_object_is_named(tmp_path: Path) -> None:
    """A broken line gives its number."""
    (tmp_path / "bad.jsonl").write_text('{"id": 1, "text": "a"}\n[1]\n')
    with pytest.raises(DatasetError, match="line 2 is no JSON object"):
        read_dataset(tmp_path / "bad.jsonl")


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.jsonl", b"\xff\xfe"), ("a.jsonl", b"[" * 100_000), ("a.jsonl.gz", b"no gzip"), ("a.jsonl.gz", b"\x1f\x8b")],
    ids=["bytes", "depth", "no gzip", "cut off"],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, name: str, content: bytes) -> None:
    """Whatever is wrong with it, it is the data set's error."""
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DatasetError, match=r"a\.jsonl"):
        read_dataset(tmp_path / name)


def test_folder_without_anything_says_so(tmp_path: Path) -> None:
    """An empty folder is an error, not an empty set."""
    with pytest.raises(DatasetError, match="no file of JSON lines"):
        read_dataset(tmp_path)


@pytest.mark.parametrize("layout", ["suffix", "prefix", "folders", "own_folder"])
def test_files_of_one_set_are_found_together(tmp_path: Path, layout: str) -> None:
    """Whether the part is told by the file's name or by its folder, the set is found under its name."""
    names = {
        "suffix": ("tiny_corpus.jsonl", "tiny_queries.jsonl"),
        "prefix": ("memories-tiny.jsonl", "queries-tiny.jsonl"),
        "folders": ("corpus/tiny.jsonl", "queries/tiny.jsonl"),
        "own_folder": ("tiny/corpus.jsonl", "tiny/queries.jsonl"),
    }[layout]
    write(tmp_path / names[0], CORPUS)
    write(tmp_path / names[1], QUERIES)
    found = find_sets(tmp_path)
    assert list(found) == ["tiny"]
    dataset = found["tiny"]()
    assert dataset.name == "tiny"
    assert (len(dataset.memories), len(dataset.queries)) == (2, 1)


def test_restrict_keeps_the_users_of_one_split(tmp_path: Path) -> None:
    """Tuning sees the train users only."""
    corpus = [{**row, "id": f"{split}{row['id']}", "user": split, "split": split}
              for split in ("train", "test") for row in CORPUS]  # fmt: skip
    queries = [{**QUERIES[0], "id": split, "user": split, "relevant": [f"{split}m2"]} for split in ("train", "test")]
    write(tmp_path / "s/corpus.jsonl", corpus)
    write(tmp_path / "s/queries.jsonl", queries)
    part = read_dataset(tmp_path / "s").restrict("train")
    assert {memory.user for memory in part.memories} == {"train"}
    assert [query.query_id for query in part.queries] == ["train"]
