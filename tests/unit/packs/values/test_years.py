"""Lengths of time in years."""

import pytest

from ltm.models import Json
from ltm.packs.values.years import accept_years, read_years


@pytest.mark.parametrize(
    ("words", "years"),
    [
        ("3年", 3),
        ("三年", 3),
        ("两年半", 2.5),
        ("半年", 0.5),
        ("十年", 10),
        ("18个月", 1.5),
        ("5 years", 5),
        ("five years", 5),
        ("2.5 yrs", 2.5),
        ("half a year", 0.5),
        ("two and a half years", 2.5),
        ("18 months", 1.5),
        ("a year", 1),
    ],
)
def test_what_is_said_outright_is_read(words: str, years: float) -> None:
    """In digits, numerals and words."""
    assert read_years(words) == years


@pytest.mark.parametrize(
    "words",
    [
        "快5年",
        "3年多",
        "3-5年",
        "三到五年",
        "5年以上",
        "不到一年",
        "好几年",
        "5+ years",
        "almost 5 years",
        "over 3 years",
        "100年",
        "经验",
        "",
    ],
)
def test_about_so_many_is_not_read(words: str) -> None:
    """Nearly five is not five."""
    assert read_years(words) is None


@pytest.mark.parametrize(("value", "years"), [(3, 3), (2.5, 2.5), ("3", 3), ("三年", 3), (0, 0)])
def test_trusted_values_are_accepted(value: Json, years: float) -> None:
    """A number, or the words."""
    assert accept_years(value) == years


@pytest.mark.parametrize("value", [-1, 81, True, float("inf"), "long", [3], None, {"years": 3}])
def test_other_values_are_not(value: Json) -> None:
    """A life of work has its bounds."""
    assert accept_years(value) is None
