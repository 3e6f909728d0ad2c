"""The jobs' commands, as somebody at a terminal, cron or systemd meets them."""

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from indexing.cli import app
from ltm import Memory, Settings
from ltm.errors import FingerprintMismatchError
from ltm.house import House
from ltm.wiring import open_house, open_parts
from tests.support.embedders import Projected

RUNNER = CliRunner()
SETTINGS = Settings(embedder="hash")
Run = Callable[..., str]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Return a store of two users, closed."""
    folder = tmp_path / "store"
    with Memory.open(folder, settings=SETTINGS) as memory:
        for user in ("ann", "bob"):
            for number in range(5):
                memory.remember(user, f"likes tea number {number}")
    return folder


@pytest.fixture
def run(store: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return what runs a command on the store and gives its output; the embedder comes from the environment."""
    monkeypatch.setenv("LTM_EMBEDDER", "hash")

    def run_command(*arguments: str, status: int = 0) -> str:
        result = RUNNER.invoke(app, [*arguments, "--path", str(store)])
        assert result.exit_code == status, result.output
        return result.stderr if status == 2 else result.stdout

    return run_command


@pytest.fixture
def house(store: Path) -> Iterator[House]:
    """Return the store opened by an application, which holds the index."""
    opened = open_parts(store, SETTINGS)
    opened.spaces.live().index.count()
    yield opened
    opened.close()


def damage(store: Path) -> None:
    """Remove a point and leave an orphan's payload wrong."""
    opened = open_parts(store, SETTINGS)
    index = opened.spaces.live().index
    index.delete([next(index.scroll()).memory_id])
    opened.close()


def test_verify_for_cron(run: Run, store: Path) -> None:
    """Exit status 0 only if nothing differs; JSON names what does, and nobody's words; repair mends it."""
    assert json.loads(run("verify", "--json"))["is_clean"] is True
    damage(store)
    found = json.loads(run("verify", "--json", status=1))
    assert (found["different"], found["faults"]) == (1, {"missing": 1})
    assert [each["faults"] for each in found["differences"]] == [["missing"]]
    assert "tea" not in json.dumps(found)
    assert "mended: 1" in run("repair")
    assert "0 different" in run("verify")


def test_a_change_of_the_embedder(run: Run, store: Path) -> None:
    """What it costs, the build, the way back, and the end of the old generation."""
    assert "10 texts" in run("reindex", "--dry-run")
    assert "--force builds it anew" in run("reindex")
    out = run("reindex", "--force", "--workers", "2")
    assert "10 of 10 sampled memories find themselves" in out
    assert "first ten in common with the live generation, by vectors: 100%" in out
    assert "g2-de037a3e is live" in out
    assert "g1-de037a3e is live" in run("rollback")
    assert "dropped: g2-de037a3e" in run("gc")
    [line] = run("status", "--json").splitlines()
    assert (json.loads(line)["name"], json.loads(line)["points"], json.loads(line)["dead"]) == ("g1-de037a3e", 10, 0)
    assert "no such retired generation" in run("rollback", status=2)


def test_an_open_refused_names_the_command(store: Path) -> None:
    """A store whose index was built with another embedder says what brings the two together."""
    with pytest.raises(FingerprintMismatchError, match="ltm index reindex"):
        open_house(store, SETTINGS, embedder=Projected())


def test_the_relay_once(run: Run, store: Path) -> None:
    """It does what is due and ends."""
    opened = open_parts(store, SETTINGS)
    live = opened.spaces.live().generation.generation_id
    opened.store.outbox.enqueue(live, [each.head.memory_id for each in opened.store.read.scan(limit=4)])
    opened.close()
    run("relay", "--once")
    [line] = run("status", "--json").splitlines()
    assert json.loads(line)["rows"] == 0
    assert "due again: 0" in run("retry")
    assert "expired: 0, held candidates dropped: 0" in run("sweep")


def test_a_store_that_is_in_use(run: Run, house: House) -> None:
    """What needs the index ends with status 2 and says what to do; nothing is changed. Status and sweep work."""
    for command in (["relay", "--once"], ["relay"], ["reindex", "--force"], ["verify"], ["repair"], ["rollback"]):
        message = run(*command, status=2)
        assert message.startswith(("IndexLockedError", "ConfigurationError: no such retired")), message
    assert [each.state for each in house.store.generations.list_all()] == ["live"]
    [line] = run("status", "--json").splitlines()
    assert json.loads(line)["points"] is None
    assert "in use by another process" in json.loads(line)["trouble"]
    run("sweep")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_relay_ends_when_it_is_asked_to(store: Path, number: signal.Signals) -> None:
    """It finishes its batch, says what it did, lets go of the index, and ends with status 0."""
    command = [sys.executable, "-m", "indexing", "relay", "--path", str(store), "--report", "0.1", "--idle", "0.05"]
    environment = {"LTM_EMBEDDER": "hash", "PATH": ""}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stderr is not None
        first = process.stderr.readline()
        process.send_signal(number)
        rest = process.stderr.read()
        assert process.wait(timeout=30) == 0
    assert "relay generation=g1-de037a3e rows_total=0" in first + rest
    with Memory.open(store, settings=SETTINGS) as memory:
        assert memory.recall("ann", "likes tea number 1").degraded == ()
