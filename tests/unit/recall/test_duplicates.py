"""Near-duplicates."""

from datetime import UTC, datetime
from typing import Any

import pytest

from ltm.models import Kind
from ltm.recall.duplicates import Better, is_duplicate
from tests.unit.recall.fakes import head


def _is(candidate: str, better: str, **changes: Any) -> bool:
    first, second = head("a", better), head("b", candidate, **changes)
    chosen = Better(overlap=0.9)
    chosen.add(first)
    assert chosen.say(second) == is_duplicate(second, first, overlap=0.9)
    return chosen.say(second)


@pytest.mark.parametrize(
    ("candidate", "better"),
    [
        ("喜欢羽毛球", "喜欢羽毛球"),
        ("喜欢羽毛球。", "喜欢羽毛球"),
        ("喜欢羽毛球", "周末喜欢羽毛球和游泳"),
        ("User likes tea", "user likes  TEA!"),
        ("User likes tea", "User likes tea in the morning"),
    ],
)
def test_what_a_better_one_says_already_is_a_duplicate(candidate: str, better: str) -> None:
    """Equal but for case, space and punctuation, or contained in the better one."""
    assert _is(candidate, better)


@pytest.mark.parametrize(
    ("candidate", "better"),
    [
        ("周末喜欢羽毛球和游泳", "喜欢羽毛球"),
        ("喜欢香菜", "不喜欢香菜"),
        ("User likes tea", "User no longer likes tea"),
        ("期望薪资15k，杭州，双休，不加班，五险一金", "期望薪资16k，杭州，双休，不加班，五险一金"),
        ("杭州", "杭州和上海"),
        ("", "喜欢羽毛球"),
    ],
)
def test_what_says_more_or_other_is_none(candidate: str, better: str) -> None:
    """A longer text, a negation, another number: each is another statement."""
    assert not _is(candidate, better)


def test_two_slots_are_never_duplicates() -> None:
    """Two attributes may have the same value."""
    one, other = head("a", "杭州杭州", key="user.location"), head("b", "杭州杭州", key="job.target_cities")
    assert not is_duplicate(one, other, overlap=0.9)


def test_the_same_words_on_another_day_are_another_event() -> None:
    """Episodes are duplicates only within a day."""
    first = head("a", "用户询问停车", kind=Kind.EPISODE, valid_from=datetime(2026, 10, 1, 9, tzinfo=UTC))
    same_day = first._replace(memory_id="b", valid_from=datetime(2026, 10, 1, 20, tzinfo=UTC))
    next_day = first._replace(memory_id="c", valid_from=datetime(2026, 10, 2, 9, tzinfo=UTC))
    assert is_duplicate(same_day, first, overlap=0.9)
    assert not is_duplicate(next_day, first, overlap=0.9)


def test_long_texts_are_duplicates_only_where_equal() -> None:
    """The pairs of long texts say little."""
    long = "今天的会议记录" * 400
    assert _is(long, long)
    assert not _is(f"{long}甲", f"{long}乙")
