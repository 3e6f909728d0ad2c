"""The commands that the documentation shows exist, with the options it gives them."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.main import get_command

from eval.cli import app as eval_app
from indexing.cli import app as indexing_app
from ltm.cli import app as ltm_app

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
PROGRAMS: dict[str, typer.Typer] = {
    "ltm": ltm_app,
    "ltm index": indexing_app,
    "ltm eval": eval_app,
    "python -m indexing": indexing_app,
    "python -m eval": eval_app,
}
LINE = re.compile(
    rf"(?<![\w./])({'|'.join(sorted(PROGRAMS, key=len, reverse=True))}) ((?:--\w+ \S+ )*)([a-z]+)\b([^`\n|#]*)"
)


def _shown(page: Path) -> Iterator[re.Match[str]]:
    text = page.read_text(encoding="utf-8").replace("\\|", "/")
    for code in re.findall(r"```sh\n(.*?)```|`([^`\n]+)`", text, flags=re.DOTALL):
        yield from LINE.finditer("".join(code))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_command_of_a_page_exists_with_its_options(page: Path) -> None:
    """Whoever copies a command from a page is not told that there is no such thing."""
    for shown in _shown(page):
        program, _, name, rest = shown.groups()
        commands: dict[str, Any] = get_command(PROGRAMS[program]).commands  # type: ignore[attr-defined]
        assert name in commands, shown[0]
        known = {option for parameter in commands[name].params for option in parameter.opts}
        given = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", rest))
        assert given <= known | {"--help"}, shown[0]
