"""Prompts as data."""

import pytest

from ltm.errors import InvalidRequestError, PackError
from ltm.packs.reading import parse_prompt

HEAD = "---\nname: extract\nversion: 1.0.0\nvariables: slots, turns\n---\n"


def test_a_prompt_is_filled() -> None:
    """A doubled dollar sign is one."""
    prompt = parse_prompt(f"{HEAD}$slots and $turns for $$5\n".encode(), where="x.md")
    assert prompt.render(slots="S", turns="T") == "S and T for $5\n"


@pytest.mark.parametrize("values", [{"slots": "S"}, {"slots": "S", "turns": "T", "more": "M"}])
def test_a_missing_or_unknown_variable_is_an_error(values: dict[str, str]) -> None:
    """A prompt with a hole is never sent."""
    prompt = parse_prompt(f"{HEAD}$slots $turns".encode(), where="x.md")
    with pytest.raises(InvalidRequestError, match="extract"):
        prompt.render(**values)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("no front matter", "x.md:1: must begin"),
        ("---\nname: extract\nversion: 1.0.0\nauthor: me\n---\n", "x.md:4: unknown key 'author'"),
        ("---\nname: extract\n---\nbody", "key 'version'"),
        ("---\nname: extract\nversion: one\n---\nbody", "x.md:3: key 'version'"),
        (f"{HEAD}only $slots", "variables"),
        (f"{HEAD}$slots $turns $5", "write '\\$\\$'"),
    ],
)
def test_a_malformed_prompt_names_file_and_line(content: str, message: str) -> None:
    """Nobody has to search."""
    with pytest.raises(PackError, match=message):
        parse_prompt(content.encode(), where="x.md")
