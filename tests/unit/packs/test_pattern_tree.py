"""What patterns are made of."""

import re

import pytest

from ltm.errors import PackError
from ltm.packs import pattern_tree
from ltm.packs.pattern_tree import Choice, Group, Literal, Other, Repeat, parse_pattern
from ltm.packs.patterns import check_pattern
from ltm.write.literals import needed_literals


def test_a_pattern_becomes_its_nodes() -> None:
    """Literals, repetitions with their bounds, groups, branches, and what is inside of looks ahead."""
    assert parse_pattern("a(?:b){1,3}(c)|d*[ef](?!g)") == (
        Choice(
            (
                (Literal("a"), Repeat(1, 3, (Literal("b"),)), Group((Literal("c"),))),
                (Repeat(0, None, (Literal("d"),)), Other(()), Other(((Literal("g"),),))),
            )
        ),
    )
    assert parse_pattern("(a)?(?(1)b|c)(?>d)") == (
        Repeat(0, 1, (Group((Literal("a"),)),)),
        Other(((Literal("b"),), (Literal("c"),))),
        Other(((Literal("d"),),)),
    )


@pytest.mark.parametrize("private", ["_parser", "_codes"])
def test_a_python_without_the_parser_is_safe(private: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Patterns of others are refused, since nobody can bound them, and no literal is relied on."""
    monkeypatch.setattr(pattern_tree, private, None)
    assert parse_pattern("abc") is None
    with pytest.raises(re.error):
        parse_pattern("(a")
    with pytest.raises(PackError, match="where: this Python"):
        check_pattern("abc", where="where")
    assert needed_literals("abc") == ()


def test_a_parser_that_answers_in_another_way_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """A node of another shape is not guessed at."""
    monkeypatch.setattr(pattern_tree, "_codes", re)
    assert parse_pattern("abc") is None
