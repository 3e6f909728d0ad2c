"""Where the options of a command line may stand."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from eval.cli import app as eval_app
from indexing.cli import app as indexing_app
from ltm.cli import app

RUNNER = CliRunner()
STORE_OPTIONS = {"--path", "--packs", "--namespace", "--embedder"}


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the folder of a store that remembers one thing of user u1."""
    monkeypatch.setenv("LTM_EMBEDDER", "hash")
    folder = str(tmp_path / "store")
    assert _run("remember", "likes tea", "--user", "u1", "--path", folder).exit_code == 0
    return folder


def _run(*arguments: str) -> Any:
    return RUNNER.invoke(app, arguments)


def _commands(program: Any) -> dict[str, Any]:
    commands: dict[str, Any] = get_command(program).commands  # type: ignore[attr-defined]
    return commands


@pytest.mark.parametrize(("program", "without"), [(app, {"demo", "index", "eval"}), (indexing_app, {"bench"})])
def test_every_command_on_a_store_takes_its_options_itself(program: Any, without: set[str]) -> None:
    """Only commands without a store of the user's, and those that hand on to another program, lack them."""
    lacking = {name for name, command in _commands(program).items() if STORE_OPTIONS - _options(command)}
    assert lacking == without
    assert _options(get_command(program)) >= STORE_OPTIONS


def _options(command: Any) -> set[str]:
    return {option for parameter in command.params for option in parameter.opts}


@pytest.mark.parametrize(
    "words",
    [
        "--path {} list --user u1 --json",
        "list --user u1 --json --path {}",
        "--path elsewhere list --user u1 --json --path {}",
        "--path {} index status --json",
        "index --path {} status --json",
        "index status --json --path {}",
    ],
)
def test_the_store_is_named_in_front_of_a_command_or_behind_it(store: str, words: str) -> None:
    """Both places name the same store; where both are used the one behind the command wins."""
    result = _run(*words.format(store).split())
    assert result.exit_code == 0, result.output
    [line] = result.stdout.splitlines()
    found = json.loads(line)
    assert (found.get("text"), found.get("points")) in (("likes tea", None), (None, 1))
    assert not Path("elsewhere").exists()


def test_other_options_of_the_store_reach_the_jobs(store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An embedder named in front is the one that the job opens, whatever the environment says."""
    monkeypatch.setenv("LTM_EMBEDDER", "no-such-embedder")
    assert _run("--path", store, "--embedder", "hash", "index", "verify").exit_code == 0
    assert "no-such-embedder" in _run("--path", store, "index", "verify").stderr


def test_an_evaluation_takes_the_store_that_it_exports(store: str, tmp_path: Path) -> None:
    """In front of `eval`, and behind `export`, which also calls it --store."""
    for number, words in enumerate(
        ("--path {} eval export {}", "eval export {1} --path {0}", "eval export {1} --store {0}")
    ):
        folder = tmp_path / str(number)
        result = _run(*words.format(store, folder).split())
        assert result.exit_code == 0, result.output
        assert "likes tea" in (folder / "corpus.jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("program", "words", "hint"),
    [
        (app, "--user u1 list", "ltm list --user ..."),
        (app, "--path x --json --packs=core list --user u1", "ltm list --json ..."),
        (app, "--json", "ltm remember --json ..."),
        (indexing_app, "--path x --once relay", "relay --once ..."),
        (eval_app, "--embedder hash run", "run --embedder ..."),
    ],
)
def test_an_option_in_front_of_the_command_it_belongs_to_is_told_where_to_stand(
    program: Any, words: str, hint: str
) -> None:
    """The usage error shows what to type."""
    result = RUNNER.invoke(program, words.split(), prog_name="ltm" if program is app else None)
    assert result.exit_code == 2
    assert "stands behind the command" in result.stderr
    assert hint in result.stderr


def test_an_option_that_nobody_has_is_no_such_option() -> None:
    """There is no place to tell of."""
    result = _run("--bogus", "list")
    assert (result.exit_code, "No such option: --bogus" in result.stderr) == (2, True)
