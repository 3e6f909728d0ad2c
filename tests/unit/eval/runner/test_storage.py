"""Finished runs on disk."""

from pathlib import Path

import pytest

from eval.errors import EvaluationError
from eval.metrics.outcomes import Ingest, Injection, Outcome, SystemRun
from eval.runner.storage import find_run, run_path, save_run

RUN = SystemRun(
    dataset="own:test",
    system="default",
    setup={"embedder": "hash"},
    outcomes=(
        Outcome(
            query_id="q",
            category="direct",
            ranking=("a", "b"),
            scores=(0.9, 0.5),
            seconds=0.001,
            injection=Injection(memory_ids=("a",), tokens=20, within={100: 1}),
        ),
    ),
    aliases={"c": "a"},
    ingest=Ingest(count=3, seconds=0.5, refused={"d": "secret"}),
)


def test_run_comes_back_as_it_was(tmp_path: Path) -> None:
    """Every field survives, also budgets, whose numbers are strings in JSON."""
    save_run(tmp_path, RUN)
    assert find_run(tmp_path, "own:test", "default") == RUN


def test_absent_run_is_none(tmp_path: Path) -> None:
    """Nothing kept is nothing to resume from."""
    assert find_run(tmp_path, "own", "default") is None


def test_broken_file_is_named(tmp_path: Path) -> None:
    """A half-written file says what to do."""
    path = run_path(tmp_path, "own", "default")
    path.parent.mkdir(parents=True)
    path.write_text("{")
    with pytest.raises(EvaluationError, match="delete it"):
        find_run(tmp_path, "own", "default")
