"""The stories' file format."""

import json
from pathlib import Path

import pytest

from eval.errors import DatasetError
from eval.scenarios.story import Story, read_stories

STORY = {
    "id": "s",
    "kind": "update",
    "lang": "zh",
    "packs": ["job_search"],
    "steps": [
        {"llm": [{"candidates": []}, {"raw": "no json"}]},
        {"observe": {"user": "u", "turns": [{"role": "user", "text": "hi"}, {"role": "assistant", "text": "?"}]}},
        {"recall": {"user": "u", "intent": "x", "empty": True}},
    ],
    "expect": {"active": [{"user": "u", "key": "k", "value": None}]},
}


def test_story_is_read_with_what_it_needs(tmp_path: Path) -> None:
    """Steps, expectations, the count of user turns, and whether a model is scripted."""
    (tmp_path / "a.jsonl").write_text(json.dumps(STORY))
    (story,) = read_stories(tmp_path)
    assert story.needs_model
    assert story.user_turns == 1
    assert "value" in story.expect.active[0].model_fields_set


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"expect": {"activ": []}}, "expect.activ"),
        ({"steps": [{"observe": {"user": "u", "turns": []}, "erase": {"user": "u"}}]}, "a step does one thing"),
        ({"steps": []}, "steps"),
        ({"steps": [{"as_of": {"user": "u", "when": "2026-01-01T00:00:00"}}]}, "timezone"),
    ],
)
def test_malformed_story_is_named(tmp_path: Path, change: dict[str, object], words: str) -> None:
    """A misspelt field would be an expectation that is never checked, so it is an error with its place."""
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(STORY | change))
    with pytest.raises(DatasetError, match=words) as caught:
        read_stories(path)
    assert "a.jsonl:1" in str(caught.value)


def test_a_path_that_is_not_there_is_named(tmp_path: Path) -> None:
    """A slip in a path is told from an empty folder, with the folder from which it was looked for."""
    with pytest.raises(DatasetError, match=r"nowhere cannot be read as stories(.|\n)*no such file or folder in /"):
        read_stories(tmp_path / "nowhere")


def test_no_stories_is_an_error(tmp_path: Path) -> None:
    """An empty folder must not pass for success."""
    with pytest.raises(DatasetError, match=r"no file of JSON lines in it \(\*\.jsonl,"):
        read_stories(tmp_path)


def test_story_without_script_uses_rules_only() -> None:
    """Only a step `llm` brings the model in."""
    assert not Story.model_validate(STORY | {"steps": STORY["steps"][1:]}).needs_model  # type: ignore[index]
