"""What a script reads: every command that prints what it found or did takes --json."""

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.main import get_command
from typer.testing import CliRunner

from eval.bench.__main__ import app as bench_app
from eval.cli import app as eval_app
from eval.scenarios.__main__ import app as scenarios_app
from indexing.cli import app as indexing_app
from ltm.cli import app

RUNNER = CliRunner()
SILENT = {app: {"demo", "index", "eval"}, indexing_app: {"relay"}}
"""A play, two that hand on, and a process that writes a log."""


@pytest.mark.parametrize("program", [app, indexing_app, eval_app, scenarios_app, bench_app])
def test_every_command_that_prints_data_takes_json(program: typer.Typer) -> None:
    """A new command without the option is noticed."""
    found: Any = get_command(program)
    commands = getattr(found, "commands", {"": found})
    lacking = {name for name, command in commands.items() if not _has_json(command)}
    assert lacking == SILENT.get(program, set())


def _has_json(command: Any) -> bool:
    return any("--json" in parameter.opts for parameter in command.params)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return what runs `ltm ... --json` on a store of its own and gives the objects that it printed."""
    monkeypatch.setenv("LTM_EMBEDDER", "hash")
    monkeypatch.setenv("LTM_PACKS", "job_search")
    monkeypatch.setenv("LTM_PATH", str(tmp_path / "store"))

    def run_command(words: str) -> list[dict[str, Any]]:
        result = RUNNER.invoke(app, [*words.split(), "--json"])
        assert result.exit_code == 0, result.output
        found = [json.loads(line) for line in result.stdout.splitlines()]
        assert all(isinstance(each, dict) for each in found)
        return found

    return run_command


def test_memories_are_written_read_and_undone_in_json(run: Any) -> None:
    """Each answer is the value of the API, by the names of its fields."""
    [schema] = run("migrate")
    assert (schema["before"], run("migrate")) == (None, [{"before": schema["after"], "after": schema["after"]}])
    [record] = run("remember tea --user u1 --key tea --value green")
    assert (record["key"], record["value"], record["status"]) == ("tea", "green", "active")
    [changed] = run("remember tea --user u1 --key tea --value black")
    assert [each["version"] for each in run("history --user u1 --key tea")] == [1, changed["version"]]
    [back] = run("rollback --user u1 --key tea --to-version 1 --reason r")
    assert back["value"] == "green"
    [ended] = run("retract --user u1 --key tea --reason r")
    assert (ended["memory_id"], ended["status"]) == (record["memory_id"], "retracted")
    assert run("state job_search --user u1") == [{"machine": "job_search", "state": "searching"}]
    assert run("transition job_search hired --user u1")[0]["to_state"] == "hired"
    assert {each["type"] for each in run("export --user u1")} == {"memory"}
    assert run("revert --user u1 --session s9 --reason r")[0]["changes"] == []
    assert run("erase --user u1 --yes")[0]["verified"] is True


def test_jobs_answer_in_json_and_tell_nobodys_words(run: Any) -> None:
    """What a job found, did and proved; the texts that it compared stay where they are."""
    run("remember secretive --user u1")
    [probe] = run("index reindex --dry-run")
    assert (probe["embedder"], probe["memories"]) == ("hash", 1)
    [built] = run("index reindex --force")
    assert (built["ending"], built["report"]["is_clean"], built["recall"]["found"]) == ("switched", True, 1)
    [back] = run("index rollback")
    assert (back["is_live"], back["report"]["different"]) == (True, 0)
    [repaired] = run("index repair")
    assert (repaired["mended"], repaired["is_clean"], repaired["proof"]["heads"]) == (0, True, 1)
    assert "secretive" not in json.dumps([built, back, repaired])
    assert run("index gc") == [{"dropped": [built["generation"]]}]
    assert run("index retry") == [{"due_again": 0}]
    assert run("index sweep") == [{"expired": 0, "dropped": 0, "is_complete": True}]


def test_an_evaluation_answers_in_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Standard output holds nothing else: notes and bars are on standard error."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "data" / "mine"
    folder.mkdir(parents=True)
    rows = [{"id": f"m{user}", "user": user, "text": f"plays badminton with {user}"} for user in ("ann", "bob")]
    asked = [
        {"id": f"q{user}", "user": user, "intent": "badminton", "relevant": [f"m{user}"]} for user in ("ann", "bob")
    ]
    for name, lines in (("corpus", rows), ("queries", asked)):
        (folder / f"{name}.jsonl").write_text("\n".join(json.dumps(line) for line in lines))
    gates = tmp_path / "gates.toml"
    gates.write_text('[[gate]]\nset = "mine"\nmetric = "recall@10"\nat_least = 0.5\n')
    own = ["--data", str(tmp_path / "data"), "--set", "mine", "--embedder", "hash"]
    out = ["--out", str(tmp_path / "out"), "--stories", str(tmp_path / "none")]

    def call(*words: str) -> list[Any]:
        result = RUNNER.invoke(eval_app, [*words, *own, "--json"])
        assert result.exit_code == 0, result.output
        return [json.loads(line) for line in result.stdout.splitlines()]

    [verdict] = call("gate", "--gates", str(gates), *out)
    assert (verdict["gate"]["at_least"], verdict["figure"]) == (0.5, 1.0)
    [compared] = call("compare", "default", "rrf", *out[:2])
    assert compared["differences"]["recall@10"]["mean"] == 0.0
    [report] = call("run", "--system", "default", *out)
    assert report["sets"][0]["dataset"] == "mine"
    assert {row["dataset"] for row in call("ablate")} == {"mine"}
