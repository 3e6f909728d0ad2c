"""Stories told to a real store, with a scripted model behind real HTTP."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from eval.scenarios.__main__ import app
from eval.scenarios.results import Result
from eval.scenarios.run import Options, RealModel, run_stories
from eval.scenarios.story import Story
from eval.scripted_model import scripted_model
from ltm.models import Action


def story(steps: Sequence[dict[str, Any]], expect: dict[str, Any]) -> Story:
    """Make a story of the job-search pack."""
    fields = {"id": "s", "kind": "k", "packs": ["job_search"], "steps": steps, "expect": expect}
    return Story.model_validate(fields)


def said(text: str, turn: str = "t1", at: str = "2026-03-02T10:00:00+08:00") -> dict[str, Any]:
    """Make the step of one user turn in a session of its own."""
    turns = [{"id": turn, "role": "user", "text": text, "at": at}]
    return {"observe": {"user": "u", "session": f"session-{turn}", "turns": turns}}


def tell(one: Story) -> Result:
    """Tell one story."""
    (result,) = run_stories([one], Options(embedder="hash"))
    return result


CITIES = {"user": "u", "key": "job.target_cities"}


def test_story_that_holds_has_no_failures() -> None:
    """Active, chain, as-of, recall and decisions are all checked against the store."""
    result = tell(
        story(
            [
                said("只考虑杭州"),
                said("上海也可以", "t2", "2026-04-02T10:00:00+08:00"),
                {"as_of": {"user": "u", "when": "2026-03-20T10:00:00+08:00", "active": [CITIES | {"value": ["杭州"]}]}},
                {"recall": {"user": "u", "intent": "推荐意向城市的岗位", "must_include": ["上海"]}},
            ],
            {
                "active": [CITIES | {"value": ["上海", "杭州"]}],
                "chain": [CITIES | {"values": [["杭州"], ["杭州", "上海"]]}],
                "decisions": [{"user": "u", "turn_id": "t2", "action_in": ["UPDATE"]}],
            },
        )
    )
    assert result.failures == ()
    assert (result.turns, result.wanted, result.missed, result.polluting) == (2, 1, 0, 0)
    assert result.actions[0].expected == result.actions[0].actual == Action.UPDATE


def test_every_broken_expectation_is_reported() -> None:
    """What is missing, what pollutes, a wrong chain, a wrong decision and a wrong recall are told apart."""
    result = tell(
        story(
            [
                said("只考虑杭州"),
                {"recall": {"user": "u", "intent": "推荐意向城市的岗位", "must_exclude": ["杭州"], "empty": True}},
                {"as_of": {"user": "u", "when": "2026-01-01T00:00:00Z", "active": [CITIES]}},
                {"transition": {"user": "u", "machine": "job_search", "to": "nowhere"}},
            ],
            {
                "active": [CITIES | {"value": ["北京"]}],
                "not_active": [CITIES | {"value_contains": "杭州"}, CITIES],
                "pending": [CITIES],
                "chain": [CITIES | {"values": []}],
                "decisions": [{"user": "u", "turn_id": "t1", "reason_in": ["joke"]}],
            },
        )
    )
    words = "\n".join(result.failures)
    for part in (
        "must not say '杭州'",
        "must be empty",
        "as of 2026-01-01",
        "not active: {'key': 'job.target_cities', 'value': ['北京']}",
        "must not be active",
        "not pending",
        "chain of job.target_cities is [['杭州']], not []",
        "none of ['joke']",
        "step 4: ",
    ):
        assert part in words
    assert (result.missed, result.polluting) == (1, 1)


def test_scripted_replies_reach_the_next_observe_only() -> None:
    """A reply is for the step after it; later calls get no candidates."""
    candidate = {
        "turn_id": "t1", "quote": "看重团队氛围", "key": None, "text": "用户看重团队氛围", "value": None,
        "kind": "preference", "speech_act": "statement", "confidence": 0.95,
    }  # fmt: skip
    result = tell(
        story(
            [
                {"llm": [{"candidates": [candidate]}, {"raw": "left over"}]},
                said("我看重团队氛围"),
                said("我是硕士", "t2"),
            ],
            {"active": [{"user": "u", "text_contains": "团队氛围"}, {"user": "u", "key": "job.education"}]},
        )
    )
    assert result.failures == ()
    assert result.model_calls >= 1


@pytest.mark.parametrize(("city", "status"), [("杭州", 0), ("北京", 1)])
def test_exit_status_tells_whether_all_hold(tmp_path: Path, city: str, status: int) -> None:
    """A script can trust the status; the table and the reason are printed."""
    one = story([said("只考虑杭州")], {"active": [CITIES | {"value": [city]}]})
    (tmp_path / "a.jsonl").write_text(json.dumps(one.model_dump(mode="json", exclude_unset=True)))
    done = CliRunner().invoke(app, [str(tmp_path), "--embedder", "hash"])
    assert done.exit_code == status, done.output
    assert ("not active" in done.output) == bool(status)


def test_malformed_story_has_a_status_of_its_own(tmp_path: Path) -> None:
    """2 is an error of the file, not of the library."""
    (tmp_path / "a.jsonl").write_text('{"id": "x"}')
    done = CliRunner().invoke(app, [str(tmp_path), "--embedder", "hash"])
    assert done.exit_code == 2
    assert "a.jsonl:1" in done.output


def test_another_model_is_asked_instead_of_the_scripts() -> None:
    """With a model of one's own every story asks it, and what the story scripts is not used."""
    with scripted_model() as server:
        options = Options(embedder="hash", model=RealModel(url=server.url, name="mine"))
        one = story([{"llm": [{"raw": "never said"}]}, said("我看重团队氛围")], {})
        (result,) = run_stories([one], options)
    assert result.failures == ()
    assert [request.body["model"] for request in server.requests] == ["mine"]
