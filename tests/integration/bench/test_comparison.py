"""The comparison itself, with the systems that are always there."""

import json
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from bench.__main__ import app
from bench.quality import measure_quality
from bench.speed import measure_speed
from bench.workload import make_workload
from eval.datasets import read_dataset
from eval.runner.progress import bars


def _recall(data: Path, *, joins_context: bool) -> dict[str, float]:
    with bars(Console()) as show:
        systems = ("bm25s", "ltm", "qdrant-local")
        dataset = read_dataset(data / "mine")
        found = measure_quality(dataset, systems, "hash", show, joins_context=joins_context)
    assert [one.system for one in found] == ["ltm", "bm25s", "qdrant-local"]
    assert [one.behind is None for one in found] == [True, False, False]
    return {one.system: one.recall.mean for one in found}


@pytest.mark.slow
def test_recall_is_that_of_what_each_system_was_told(data: Path) -> None:
    """BM25 misses the answer that shares no word with its question, until it is told the turn before as well."""
    assert _recall(data, joins_context=False) == {"ltm": 1.0, "bm25s": pytest.approx(2 / 3), "qdrant-local": 1.0}
    assert _recall(data, joins_context=True) == {"ltm": 1.0, "bm25s": 1.0, "qdrant-local": 1.0}


def test_speed_is_put_beside_the_library_in_the_same_run() -> None:
    """Everything is stored, every call is counted, and the ratio is that of the two medians."""
    work = make_workload(40, users=2, calls=8, rounds=2)
    done: list[int] = []
    ours, theirs = measure_speed(work, ("ltm", "bm25s"), 60.0, done.append)
    assert (ours.system, ours.added, ours.slower) == ("ltm", 40, 1.0)
    assert theirs.search is not None
    assert ours.search is not None
    assert theirs.search.count == 8
    assert theirs.slower == theirs.search.p50 / ours.search.p50
    assert sum(done) == 2 * (40 + 8)


def test_a_system_that_takes_too_long_is_not_searched() -> None:
    """After its time no batch is given to it, and its search times would be those of a smaller store."""
    (slow,) = measure_speed(make_workload(40, users=2, calls=4, rounds=2), ("bm25s",), 1e-9, lambda count: None)
    assert (slow.memories, slow.added, slow.search) == (40, 20, None)


@pytest.mark.slow
def test_the_command_prints_and_writes_what_it_found(data: Path, tmp_path: Path) -> None:
    """Tables on the terminal and as Markdown, every figure as JSON."""
    size = ["--size", "40", "--users", "2", "--calls", "4", "--rounds", "2"]
    wanted = ["--system", "ltm", "--system", "qdrant-local", "--data", str(data), "--set", "mine", "--embedder", "hash"]
    files = ["--markdown", str(tmp_path / "peers.md"), "--json", str(tmp_path / "peers.json")]
    done = CliRunner().invoke(app, [*size, *wanted, *files])
    assert done.exit_code == 0, done.output
    for words in ("At a glance", "recall@10 on mine", "40 memories", "qdrant-client", "not run"):
        assert words in done.output
    assert "| qdrant-local |" in (tmp_path / "peers.md").read_text(encoding="utf-8")
    assert {one["system"] for one in json.loads((tmp_path / "peers.json").read_bytes())["speed"]} == {
        "ltm",
        "qdrant-local",
    }


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--set", "nope"], "no set nope"),
        (["--system", "bm25s"], "ltm must be among them"),
        (["--size", "7"], "not even"),
    ],
)
def test_what_cannot_be_run_is_said_before_anything_is(data: Path, words: list[str], said: str) -> None:
    """Status 2, and no traceback."""
    done = CliRunner().invoke(app, ["--data", str(data), *words])
    assert done.exit_code == 2
    assert said in done.output
