"""The commands of `python -m eval`, on a set of two memories."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from eval.cli import app
from eval.datasets import read_dataset
from eval.scripted_model import scripted_model
from ltm import Memory, Settings, Turn


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write a small set, and keep vectors and variables of this machine away."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "data" / "mine"
    folder.mkdir(parents=True)
    corpus = [
        {"id": "m1", "user": "u", "text": "plays badminton on Sundays", "at": "2026-03-01T10:00:00Z"},
        {"id": "m2", "user": "u", "text": "allergic to peanuts", "at": "2026-03-02T10:00:00Z"},
    ]
    queries = [{"id": "q1", "user": "u", "intent": "a court for badminton", "relevant": ["m1"]}]
    for name, rows in (("corpus", corpus), ("queries", queries)):
        (folder / f"{name}.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    return tmp_path


def call(root: Path, *words: str) -> Result:
    """Run a command on the small set with the hashing embedder."""
    common = ["--data", str(root / "data"), "--set", "mine", "--embedder", "hash"]
    out = [] if words[0] == "tune" else ["--out", str(root / "out")]
    return CliRunner().invoke(app, [*words, *common, *out])


def test_run_prints_a_table_and_writes_a_report(data: Path) -> None:
    """Every system has its row; the page is there to be opened; a missing folder of stories is said."""
    done = call(data, "run", "--ablation", "--stories", str(data / "none"))
    assert done.exit_code == 0, done.output
    for word in ("recall@10", "default", "rrf", "dense", "bm25s", "Terms off", "is not there", "report.html"):
        assert word in done.output
    assert (data / "out/report.html").read_text().startswith("<!doctype html>")


def test_compare_prints_intervals(data: Path) -> None:
    """Two systems on the same queries."""
    done = call(data, "compare", "default", "bm25s")
    assert done.exit_code == 0, done.output
    assert "default minus bm25s" in done.output


@pytest.mark.parametrize(("bound", "status"), [("at_least = 0.5", 0), ("at_most = 0.5", 1)])
def test_gate_exits_by_its_bounds(data: Path, bound: str, status: int) -> None:
    """CI reads the status; a set that is not there is passed over."""
    gates = data / "gates.toml"
    gates.write_text(
        f'[[gate]]\nset = "mine"\nmetric = "recall@10"\n{bound}\n'
        '[[gate]]\nset = "gone"\nmetric = "MRR"\nat_least = 1.0\n'
    )
    done = call(data, "gate", "--gates", str(gates), "--stories", str(data / "none"))
    assert done.exit_code == status, done.output
    assert "passed over" in done.output


def test_unknown_set_is_an_error_of_its_own(data: Path) -> None:
    """Status 2, in one line that lists what there is."""
    done = CliRunner().invoke(app, ["run", "--data", str(data / "data"), "--set", "nope", "--embedder", "hash"])
    assert done.exit_code == 2
    assert "no set nope; there are mine, own" in done.output


def test_tuning_refuses_a_set_with_one_user(data: Path) -> None:
    """A weight that was proven on the users it was tuned on is not proven."""
    done = call(data, "tune")
    assert done.exit_code == 2
    assert "no users to hold out" in done.output
    assert "its only user is 'u': add a second one" in done.output


def test_tuning_says_what_a_set_of_one_split_lacks(data: Path) -> None:
    """Users there are, and every one of them is used for the search."""
    rows = [{"id": user, "user": user, "text": "plays badminton", "split": "train"} for user in ("ann", "bob")]
    (data / "data/mine/corpus.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    done = call(data, "tune")
    assert done.exit_code == 2
    assert "none of its 2 users is of split test" in done.output


@pytest.fixture
def exported(data: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an exported store in which one memory has the user's words."""
    monkeypatch.setenv("LTM_EMBEDDER", "hash")
    monkeypatch.setenv("LTM_PACKS", "job_search")
    with Memory.open(data / "store", settings=Settings()) as memory:
        memory.observe("u", [Turn(role="user", text="只考虑杭州", id="t1")], session_id="s")
        memory.remember("u", "likes window seats")
    done = CliRunner().invoke(app, ["export", str(data / "set"), "--store", str(data / "store")])
    assert done.exit_code == 0, done.output
    return data / "set"


def test_an_exported_and_labelled_store_is_a_set(exported: Path) -> None:
    """A store's memories become a corpus, the users' words proposed intents, marked as proposals."""
    done = CliRunner().invoke(app, ["label", str(exported)])
    assert done.exit_code == 0, done.output
    assert "1 proposed intents beside 0 that were there, 1 memories without" in " ".join(done.output.split())
    found = read_dataset(exported)
    assert {memory.text for memory in found.memories} >= {"likes window seats"}
    assert found.packs == ("job_search",)
    assert [query.intent for query in found.queries] == ["只考虑杭州"]
    assert json.loads((exported / "queries.jsonl").read_text())["proposed"] is True


def test_labelling_goes_on_where_it_stopped(exported: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a person has judged stays as it is, and a model proposes only for memories that have no intent yet."""
    CliRunner().invoke(app, ["label", str(exported)])
    judged = {**json.loads((exported / "queries.jsonl").read_text()), "intent": "去哪儿工作", "proposed": False}
    (exported / "queries.jsonl").write_text(json.dumps(judged) + "\n")
    with scripted_model([{"intent": "where would I like to sit?"}, "no JSON"]) as server:
        monkeypatch.setenv("LTM_LLM_MODEL", "m")
        monkeypatch.setenv("LTM_LLM_BASE_URL", server.url)
        CliRunner().invoke(app, ["label", str(exported)])
        assert len(server.requests) == 1
    assert [query.intent for query in read_dataset(exported).queries] == ["去哪儿工作", "where would I like to sit?"]


def test_only_an_exported_set_can_be_labelled(data: Path) -> None:
    """The error says which command writes one."""
    done = CliRunner().invoke(app, ["label", str(data)])
    assert done.exit_code == 2
    assert "python -m eval export" in done.output
