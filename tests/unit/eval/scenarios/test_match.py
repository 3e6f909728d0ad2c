"""When a memory is the expected one."""

from dataclasses import dataclass

import pytest

from eval.scenarios.match import contains, matches, same_value
from eval.scenarios.story import Expected


@dataclass(frozen=True)
class Found:
    """A memory as far as matching looks at it."""

    key: str | None
    value: object
    text: str


@pytest.mark.parametrize(
    ("found", "expected", "same"),
    [
        ({"min": 1, "max": 2, "currency": "CNY"}, {"min": 1}, True),
        ({"min": 1, "max": None}, {"min": 1, "max": None}, True),
        ({"min": 1}, {"min": 1, "max": None}, False),
        (["a", "b"], ["b", "a"], True),
        (["a", "b"], ["a"], False),
        (("a",), ["a"], True),
        (3.0, 3, True),
        ("a", ["a"], False),
        (None, None, True),
        (None, {"min": 1}, False),
    ],
)
def test_same_value(found: object, expected: object, same: bool) -> None:
    """Given fields must be equal, sets ignore order, numbers compare by value."""
    assert same_value(found, expected) is same


@pytest.mark.parametrize(
    ("found", "part", "inside"),
    [
        (["上海", "杭州"], "上海", True),
        (["上海市"], "上海", False),
        ("周末晚上", "周末", True),
        (None, "x", False),
        (3, 3, False),
    ],
)
def test_contains(found: object, part: object, inside: bool) -> None:
    """A set has the member itself; a text has the words anywhere."""
    assert contains(found, part) is inside


def test_only_given_fields_are_asked() -> None:
    """`value: null` asks for no value; an absent value asks for nothing."""
    found = Found(key="k", value=["x"], text="likes x")
    assert matches(found, Expected(key="k"))
    assert matches(found, Expected(text_contains="likes"))
    assert matches(found, Expected(key="k", value_contains="x"))
    assert not matches(found, Expected(key="k", value=None))
    assert not matches(found, Expected(key="other", value_contains="x"))
