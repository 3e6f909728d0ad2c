"""Bare ranges whose unit the question says."""

import pytest

from ltm.models import Lang
from ltm.packs import PackSet
from ltm.packs.values import VALUE_TYPES


@pytest.mark.parametrize(
    ("words", "ends"), [("12到15", (12_000, 15_000)), ("8-20", (8_000, 20_000)), ("15 ~ 18", (15_000, 18_000))]
)
def test_a_bare_range_counts_thousands(words: str, ends: tuple[int, int], packs: PackSet) -> None:
    """Per month, in the slot's currency."""
    read = VALUE_TYPES["thousands"].read(words, packs.find_slot("job.expected_salary"), Lang.ZH)
    assert read.members == ({"min": ends[0], "max": ends[1], "currency": "CNY", "period": "month"},)


@pytest.mark.parametrize("words", ["15到12", "1到20", "12", "12到15到18", "0-5"])
def test_what_is_no_range_of_pay_is_not_read(words: str, packs: PackSet) -> None:
    """Figures that fall, lie far apart, or are not two."""
    assert VALUE_TYPES["thousands"].read(words, packs.find_slot("job.expected_salary"), Lang.ZH).members == ()
