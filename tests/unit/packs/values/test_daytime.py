"""Times of the week."""

import pytest

from ltm.packs.values.daytime import read_daytime


@pytest.mark.parametrize(
    ("words", "canonical"),
    [
        ("周末晚上", "周末晚上"),
        ("周末的晚上", "周末晚上"),
        ("星期六下午", "周六下午"),
        ("每周天早晨", "周日早上"),
        ("工作日", "工作日"),
        ("下班后", "下班后"),
        ("Weekend evenings", "weekend evenings"),
        ("saturday mornings", "Saturday mornings"),
    ],
)
def test_spellings_of_one_time_are_one(words: str, canonical: str) -> None:
    """Days and parts of the day have one name."""
    assert read_daytime(words) == canonical


@pytest.mark.parametrize("words", ["", "明年", "周末晚上打球", "soon", "6点"])
def test_anything_else_is_none(words: str) -> None:
    """Only a time and nothing beside it."""
    assert read_daytime(words) is None
