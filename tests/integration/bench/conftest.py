"""A labelled set of three users, and vectors kept away from this machine's cache."""

import json
from pathlib import Path

import pytest

CORPUS = [
    {"id": "a1", "user": "ann", "text": "plays badminton on Sundays", "at": "2026-03-01T10:00:00Z"},
    {"id": "a2", "user": "ann", "text": "is allergic to peanuts", "at": "2026-03-02T10:00:00Z"},
    {"id": "a3", "user": "ann", "text": "has a dog called Biscuit", "at": "2026-03-03T10:00:00Z"},
    {"id": "b1", "user": "bob.1", "text": "plays badminton on Mondays", "at": "2026-03-01T10:00:00Z"},
    {
        "id": "c1",
        "user": "cid",
        "text": "yes, twice a week",
        "context": "do you play chess?",
        "at": "2026-03-01T10:00:00Z",
    },
]
QUERIES = [
    {"id": "q1", "user": "ann", "intent": "when is badminton on Sundays", "relevant": ["a1"]},
    {"id": "q2", "user": "bob.1", "intent": "when is badminton on Mondays", "relevant": ["b1"]},
    {"id": "q3", "user": "cid", "intent": "does he play chess?", "relevant": ["c1"]},
]


@pytest.fixture(scope="session")
def labelled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that holds the set under the name `mine`."""
    root = tmp_path_factory.mktemp("data")
    (root / "mine").mkdir()
    for name, rows in (("corpus", CORPUS), ("queries", QUERIES)):
        lines = "\n".join(json.dumps(row) for row in rows)
        (root / "mine" / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    return root


@pytest.fixture
def data(labelled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the same folder, with an empty cache of vectors."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return labelled
