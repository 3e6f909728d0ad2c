"""The reference pages say what the code says: signatures, fields, errors, options."""

import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

import ltm
from indexing.cli import app as indexing_app
from ltm import LtmError, Memory, errors
from ltm.cache.window import ChatWindow
from ltm.cli import app
from ltm.models import Reverted, Suppressed, Terms

FOLDER = Path(__file__).parents[2] / "docs/reference"
API = (FOLDER / "api.md").read_text(encoding="utf-8")
EVERYWHERE = {"--json", "--path", "--packs", "--namespace", "--embedder"}
"""Options that the page tells once for all commands."""
VALUES = [each for name in ltm.__all__ if is_dataclass(each := getattr(ltm, name)) and isinstance(each, type)]


def _calls(kind: type, receiver: str) -> Iterator[Any]:
    for name, item in vars(kind).items():
        if not name.startswith("_") and callable(getattr(kind, name)) and not isinstance(item, property):
            yield pytest.param(getattr(kind, name), receiver, id=f"{kind.__name__}.{name}")


def _written(call: Callable[..., object]) -> str:
    found = inspect.signature(call)
    plain = [each.replace(annotation=inspect.Parameter.empty) for each in found.parameters.values()]
    words = [each.replace(default=str(each.default)) if isinstance(each.default, StrEnum) else each for each in plain]
    mine = [each for each in words if each.name != "self"]
    return f"{call.__name__}{found.replace(parameters=mine, return_annotation=inspect.Signature.empty)}".replace(
        "'", '"'
    )


@pytest.mark.parametrize(("call", "receiver"), [*_calls(Memory, "memory."), *_calls(ChatWindow, "window.")])
def test_a_method_is_told_with_its_arguments_and_defaults(call: Callable[..., object], receiver: str) -> None:
    """The page shows the signature that a caller meets."""
    told = {code.split(" -> ")[0] for code in re.findall(r"`([^`\n]+)`", API)}
    written = _written(call)
    assert told & {written, receiver + written, f"Memory.{written}"}, written


@pytest.mark.parametrize("value", [*VALUES, Reverted, Suppressed, Terms], ids=lambda value: value.__name__)
def test_a_value_is_told_with_its_fields(value: Any) -> None:
    """Whoever holds one looks up its fields in the order in which it prints them."""
    assert f"`{value.__name__}({', '.join(each.name for each in fields(value))})`" in API


def test_the_tree_of_errors_is_that_of_the_classes() -> None:
    """Each error stands under the one that it is a kind of, with whether it may be retried."""
    page = (FOLDER / "errors.md").read_text(encoding="utf-8")
    told: dict[str, tuple[str, bool]] = {}
    above: list[str] = []
    for bars, name, rest in re.findall(r"^([│├└─ ]*)(\w+Error)\b(.*)$", page, flags=re.MULTILINE):
        del above[len(bars) // 4 :]
        told[name] = (above[-1] if above else "Exception", "retryable" in rest)
        above.append(name)
    classes = {
        name: item for name, item in vars(errors).items() if isinstance(item, type) and issubclass(item, LtmError)
    }
    assert told == {name: (item.__bases__[0].__name__, item.retryable) for name, item in classes.items()}


@pytest.mark.parametrize(("program", "prefix"), [(app, "ltm "), (indexing_app, "ltm index ")])
def test_a_command_is_told_with_all_its_options(program: Any, prefix: str) -> None:
    """Each row of the page has the arguments and the options of its command, and no others."""
    page = (FOLDER / "cli.md").read_text(encoding="utf-8").replace("\\|", "/")
    rows = dict(re.findall(rf"^\| `{prefix}([a-z]+)([^`\n]*)` \|", page, flags=re.MULTILINE))
    commands: dict[str, Any] = get_command(program).commands  # type: ignore[attr-defined]
    for name, command in commands.items():
        options = {option for each in command.params for option in each.opts if option.startswith("--")}
        assert set(re.findall(r"--[a-z-]+", rows[name])) | EVERYWHERE == options | EVERYWHERE, name
