"""The reference of the evaluation names what its files and commands may hold."""

import re
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel
from typer.main import get_command

from eval.bench.__main__ import app as bench_app
from eval.cli import app
from eval.gates import Gate
from eval.scenarios import story
from eval.scenarios.__main__ import app as scenarios_app

PAGE = (Path(__file__).parents[2] / "docs/reference/eval.md").read_text(encoding="utf-8")


def _words(section: str) -> set[str]:
    text = re.findall(rf"^## {section}\n(.*?)(?=^## |\Z)", PAGE, flags=re.MULTILINE | re.DOTALL)[0]
    return {word for code in re.findall(r"`([^`]+)`", text) for word in re.findall(r"\w+", code)}


@pytest.mark.parametrize(
    ("section", "model"),
    [
        *(("Stories", each) for each in vars(story).values() if isinstance(each, type) and issubclass(each, BaseModel)),
        ("Gates", Gate),
    ],
)
def test_every_field_of_a_file_is_told(section: str, model: type[BaseModel]) -> None:
    """Whoever writes a story or a gate finds each field in the section about it."""
    assert set(model.model_fields) - _words(section) == set()


def test_every_command_and_its_options_are_told() -> None:
    """Each command has its row; each option stands somewhere on the page."""
    commands: dict[str, Any] = get_command(app).commands  # type: ignore[attr-defined]
    assert set(re.findall(r"^\| `python -m eval ([a-z]+)", PAGE, flags=re.MULTILINE)) == set(commands)
    programs = [*commands.values(), get_command(scenarios_app), get_command(bench_app)]
    options = {option for each in programs for parameter in each.params for option in parameter.opts}
    assert {option for option in options if option.startswith("--")} - set(re.findall(r"--[a-z-]+", PAGE)) == set()
