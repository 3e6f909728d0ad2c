"""Published sets in the shape of their own release, hand-made and tiny."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from eval.datasets import read_dataset
from eval.errors import DatasetError

LOCOMO = [
    {
        "sample_id": "conv-1",
        "conversation": {
            "speaker_a": "Ann",
            "speaker_b": "Bo",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Ann", "dia_id": "D1:1", "text": "Do you still run?"},
                {"speaker": "Bo", "dia_id": "D1:2", "text": "Yes, look!", "blip_caption": "a photo of a medal"},
            ],
            "session_2_date_time": "10:05 am on 9 May, 2023",
            "session_2": [{"speaker": "Ann", "dia_id": "D2:1", "text": "Morning."}],
        },
        "qa": [
            {"question": "What did Bo win?", "answer": "a medal", "evidence": ["D1:2; D1:1"], "category": 4},
            {"question": "What colour?", "adversarial_answer": "red", "evidence": [], "category": 5},
        ],
    }
]

LONGMEMEVAL = [
    {
        "question_id": "e1",
        "question_type": "single-session-user",
        "question": "Which bike did I buy?",
        "question_date": "2023/05/30 (Tue) 23:40",
        "haystack_dates": ["2023/05/20 (Sat) 02:21"],
        "haystack_session_ids": ["answer_1"],
        "haystack_sessions": [
            [
                {"role": "user", "content": "I bought a gravel bike", "has_answer": True},
                {"role": "assistant", "content": "Nice one."},
                {"role": "user", "content": "Any tips on tyres?", "has_answer": False},
            ]
        ],
        "answer_session_ids": ["answer_1"],
    },
    {
        "question_id": "e2_abs",
        "question_type": "single-session-user",
        "question": "Which boat did I buy?",
        "question_date": "2023/05/30 (Tue) 23:40",
        "haystack_dates": ["2023/05/20 (Sat) 02:21"],
        "haystack_session_ids": ["answer_2_abs"],
        "haystack_sessions": [[{"role": "user", "content": "I bought a kayak"}]],
        "answer_session_ids": ["answer_2_abs"],
    },
]


def test_locomo_release(tmp_path: Path) -> None:
    """Turns become memories with speaker, caption and context; packed evidence is split; empty evidence skips."""
    (tmp_path / "locomo10.json").write_text(json.dumps(LOCOMO))
    found = read_dataset(tmp_path / "locomo10.json")
    assert found.memories[1].text == "Bo: Yes, look! [shares a photo of a medal]"
    assert found.memories[1].context == "Ann: Do you still run?"
    assert found.memories[2].context is None
    assert found.memories[0].at == datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    assert dict(found.queries[0].relevant) == {"D1:2": 1, "D1:1": 1}
    assert found.queries[0].category == "single_hop"
    assert [skip.reason for skip in found.skipped] == ["no judgements"]


def test_longmemeval_release(tmp_path: Path) -> None:
    """User turns are memories, marked turns are relevant, abstention needs nothing, the assistant is context only."""
    (tmp_path / "longmemeval_s.json").write_text(json.dumps(LONGMEMEVAL))
    found = read_dataset(tmp_path / "longmemeval_s.json")
    assert [memory.text for memory in found.memories] == [
        "I bought a gravel bike", "Any tips on tyres?", "I bought a kayak",
    ]  # fmt: skip
    assert found.memories[1].context == "Nice one."
    assert dict(found.queries[0].relevant) == {"answer_1#0:0": 1}
    assert found.queries[0].now == datetime(2023, 5, 30, 23, 40, tzinfo=UTC)
    assert found.queries[1].needs_nothing


def test_beir_folder(tmp_path: Path) -> None:
    """Titles go before the texts, the test split judges, and queries of other splits are left out."""
    folder = tmp_path / "nano"
    (folder / "qrels").mkdir(parents=True)
    (folder / "corpus.jsonl").write_text('{"_id": "d1", "title": "Chess", "text": "A board game"}\n')
    (folder / "queries.jsonl").write_text('{"_id": "1", "text": "board"}\n{"_id": "2", "text": "other split"}\n')
    (folder / "qrels/test.tsv").write_text("query-id\tcorpus-id\tscore\n1\td1\t1\n")
    found = read_dataset(folder)
    assert found.name == "nano"
    assert found.memories[0].text == "Chess. A board game"
    assert [query.query_id for query in found.queries] == ["1"]
    assert not found.skipped


def test_unknown_release_is_refused(tmp_path: Path) -> None:
    """A JSON file of another shape says what was expected."""
    (tmp_path / "x.json").write_text("[{}]")
    with pytest.raises(DatasetError, match="neither LoCoMo's nor LongMemEval's"):
        read_dataset(tmp_path / "x.json")
