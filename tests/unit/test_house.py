"""What the repository promises about itself: targets, servers, reference pages, glossary, the form of tests."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic_core import PydanticUndefined

from ltm import Memory, errors
from ltm.models import Action, Channel, Kind, Lang, Op, Outcome, Reason, Role, SpeechAct, Status
from ltm.settings import Settings

ROOT = Path(__file__).parents[2]
VOCABULARIES = (Action, Channel, Kind, Lang, Op, Outcome, Reason, Role, SpeechAct, Status)
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
TESTS = sorted((ROOT / "tests").rglob("test_*.py"))


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def _documented_defaults() -> dict[str, str]:
    page = (ROOT / "docs/reference/settings.md").read_text(encoding="utf-8")
    return dict(re.findall(r"^\| `(LTM_\w+)` \| (.+?) \|", page, flags=re.MULTILINE))


def _default_as_documented(name: str) -> str:
    default = Settings.model_fields[name].default
    if default is None or default == ():
        return "none"
    return "the platform's user data folder" if default is PydanticUndefined else f"`{default}`"


def test_settings_page_names_every_variable_with_its_default() -> None:
    """The reference of settings lists exactly the fields of Settings, with their defaults."""
    expected = {f"LTM_{name.upper()}": _default_as_documented(name) for name in Settings.model_fields}
    assert _documented_defaults() == expected


def test_errors_page_names_every_error() -> None:
    """Every class of the error tree has a row in the reference of errors, and nothing else has one."""
    page = (ROOT / "docs/reference/errors.md").read_text(encoding="utf-8")
    documented = set(re.findall(r"^\| `(\w+Error)` \|", page, flags=re.MULTILINE))
    classes = {name for name, item in vars(errors).items() if isinstance(item, type)}
    assert documented == classes - {"LtmError"}


def test_api_page_names_every_method() -> None:
    """Every public method of Memory has its place in the reference."""
    page = (ROOT / "docs/reference/api.md").read_text(encoding="utf-8")
    methods = {name for name, item in vars(Memory).items() if not name.startswith("_") and callable(item)}
    assert [name for name in sorted(methods) if not re.search(rf"`(?:memory\.)?{name}\(", page)] == []


@pytest.mark.parametrize("vocabulary", VOCABULARIES, ids=lambda vocabulary: vocabulary.__name__)
def test_glossary_explains_every_word_of_the_vocabularies(vocabulary: type[Status]) -> None:
    """A stable word that is stored or logged can be looked up."""
    glossary = (ROOT / "docs/glossary.md").read_text(encoding="utf-8")
    assert [word.value for word in vocabulary if f"`{word.value}`" not in glossary] == []


def test_glossary_gives_a_word_one_meaning() -> None:
    """No word has two rows in one table of the glossary's first part."""
    words_part = (ROOT / "docs/glossary.md").read_text(encoding="utf-8").split("## Closed vocabularies")[0]
    words = re.findall(r"^\| ([^|]+) \|", words_part, flags=re.MULTILINE)
    words = [word for word in words if word not in {"word", "---"}]
    assert len(words) == len(set(words))


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    """A relative link of a page names a file or folder that exists."""
    targets = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    missing = [target for target in targets if "://" not in target and not (page.parent / target).exists()]
    assert missing == []


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_links_into_a_page_lead_to_a_heading(page: Path) -> None:
    """What stands behind # is a heading of the page that the link names, written as GitHub writes it."""
    links = re.findall(r"\]\(([^)#\s:]*)#([^)\s]+)\)", page.read_text(encoding="utf-8"))
    missing = [link for link in links if link[1] not in _anchors(page.parent / link[0] if link[0] else page)]
    assert missing == []


def _anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_decisions_are_numbered_without_holes() -> None:
    """Decision records count up from 0001, and each states context, decision and consequences."""
    records = sorted((ROOT / "docs/adr").glob("*.md"))
    assert [path.name[:4] for path in records] == [f"{number:04}" for number in range(1, len(records) + 1)]
    for record in records:
        text = record.read_text(encoding="utf-8")
        assert all(f"**{part}.**" in text for part in ("Context", "Decision", "Consequences")), record.name


def _compose() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
    return loaded


@pytest.mark.parametrize("name", ["mysql", "qdrant", "redis"])
def test_each_server_is_pinned_local_checked_and_kept(name: str) -> None:
    """A server has a pinned image, a health check, ports on 127.0.0.1 only, and a named volume."""
    compose = _compose()
    service = compose["services"][name]
    assert re.search(r":v?\d+\.\d+", service["image"])
    assert service["healthcheck"]["test"]
    assert all(port.startswith("127.0.0.1:") for port in service["ports"])
    assert all(volume.split(":")[0] in compose["volumes"] for volume in service["volumes"])


def test_qdrant_server_is_new_enough() -> None:
    """The index needs features of Qdrant 1.19."""
    major, minor = re.findall(r"\d+", _compose()["services"]["qdrant"]["image"])[:2]
    assert (int(major), int(minor)) >= (1, 19)


def test_makefile_has_the_targets_that_the_pages_name() -> None:
    """Each `make x` in README and CONTRIBUTING is a target, and each target says what it is for."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    described = set(re.findall(r"^([a-z-]+):.*## \w", makefile, flags=re.MULTILINE))
    pages = "".join((ROOT / page).read_text(encoding="utf-8") for page in ("README.md", "CONTRIBUTING.md"))
    commands = re.findall(r"(?:`|^)make ([a-z -]+?)(?:`| {2,}#| [A-Z]|$)", pages, flags=re.MULTILINE)
    named = {word for command in commands for word in command.split()}
    assert named <= described
    assert {"demo", "test", "check"} <= named
    phony = set(" ".join(re.findall(r"^\.PHONY: (.+)$", makefile, flags=re.MULTILINE)).split())
    assert phony == described


def test_ci_runs_check_and_requires_services() -> None:
    """CI is the script that anybody can run: make check, with a skip for want of a server counted as a failure."""
    script = (ROOT / ".ci/run").read_text(encoding="utf-8")
    assert "set -euo pipefail" in script
    assert "LTM_TEST_REQUIRE_SERVICES=1" in script
    assert script.rstrip().endswith("make check")


def _test_functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            yield node


@pytest.mark.parametrize("path", TESTS, ids=_name)
def test_every_test_says_in_a_sentence_what_must_hold(path: Path) -> None:
    """A test function has a docstring of one sentence."""
    faults = [node.name for node in _test_functions(path) if not (ast.get_docstring(node) or "").endswith(".")]
    assert faults == []
