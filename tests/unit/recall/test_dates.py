"""Named days in both languages, relative to Wednesday, 18 November 2026."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ltm.recall.dates import day_range as cal
from ltm.recall.dates import named_times

TODAY = date(2026, 11, 18)


def _spans(intent: str) -> list[tuple[str, str]]:
    """Return the spans that are named, without the same days of earlier years."""
    full = {cal.EXACT, cal.WEEK, cal.MONTH, cal.VAGUE}
    named = [span for span in named_times(intent, TODAY).days if span.boost in full]
    return [(span.start.isoformat(), span.end.isoformat()) for span in named]


@pytest.mark.parametrize(
    ("intent", "start", "end"),
    [
        ("10月8号我说了什么", "2026-10-08", "2026-10-09"),
        ("10 月 8 日那次", "2026-10-08", "2026-10-09"),
        ("十二月二十一日", "2025-12-21", "2025-12-22"),
        ("去年10月", "2025-10-01", "2025-11-01"),
        ("2025年3月", "2025-03-01", "2025-04-01"),
        ("前年五月三号", "2024-05-03", "2024-05-04"),
        ("今天说的", "2026-11-18", "2026-11-19"),
        ("昨天", "2026-11-17", "2026-11-18"),
        ("昨晚问的", "2026-11-17", "2026-11-18"),
        ("前天", "2026-11-16", "2026-11-17"),
        ("大前天", "2026-11-15", "2026-11-16"),
        ("我上周不是问过你吗", "2026-11-09", "2026-11-16"),
        ("上周三", "2026-11-11", "2026-11-12"),
        ("上上周日", "2026-11-08", "2026-11-09"),
        ("上个周末", "2026-11-14", "2026-11-16"),
        ("这周一", "2026-11-16", "2026-11-17"),
        ("周四", "2026-11-12", "2026-11-13"),
        ("上个月", "2026-10-01", "2026-11-01"),
        ("上个月8号", "2026-10-08", "2026-10-09"),
        ("三天前", "2026-11-15", "2026-11-16"),
        ("两周前", "2026-11-01", "2026-11-08"),
        ("前几天", "2026-11-11", "2026-11-18"),
        ("25号", "2026-10-25", "2026-10-26"),
        ("去年", "2025-01-01", "2026-01-01"),
        ("last Tuesday", "2026-11-17", "2026-11-18"),
        ("last Wednesday", "2026-11-11", "2026-11-12"),
        ("Tuesday last week", "2026-11-10", "2026-11-11"),
        ("on 8 May 2023", "2023-05-08", "2023-05-09"),
        ("May 8", "2026-05-08", "2026-05-09"),
        ("May 8th, 2023", "2023-05-08", "2023-05-09"),
        ("the 8th of May", "2026-05-08", "2026-05-09"),
        ("December 24", "2025-12-24", "2025-12-25"),
        ("29 February", "2024-02-29", "2024-03-01"),
        ("2023-05-08", "2023-05-08", "2023-05-09"),
        ("5/8/2023", "2023-05-08", "2023-05-09"),
        ("25/8/2023", "2023-08-25", "2023-08-26"),
        ("in October", "2026-10-01", "2026-11-01"),
        ("October 2023", "2023-10-01", "2023-11-01"),
        ("last November", "2025-11-01", "2025-12-01"),
        ("in March", "2026-03-01", "2026-04-01"),
        ("in oct", "2026-10-01", "2026-11-01"),
        ("two weeks ago", "2026-11-01", "2026-11-08"),
        ("3 days ago", "2026-11-15", "2026-11-16"),
        ("a year ago", "2025-01-01", "2026-01-01"),
        ("yesterday", "2026-11-17", "2026-11-18"),
        ("the day before yesterday", "2026-11-16", "2026-11-17"),
        ("last week", "2026-11-09", "2026-11-16"),
        ("last weekend", "2026-11-14", "2026-11-16"),
        ("last month", "2026-10-01", "2026-11-01"),
        ("on the 5th", "2026-11-05", "2026-11-06"),
        ("in 2022", "2022-01-01", "2023-01-01"),
        ("on Tuesday, May 9, 2023", "2023-05-09", "2023-05-10"),
        ("Friday the 8th of May", "2026-05-08", "2026-05-09"),
        ("the week of May 8, 2023", "2023-05-08", "2023-05-15"),
        ("in early May", "2026-05-01", "2026-05-11"),
        ("mid-June 2023", "2023-06-11", "2023-06-21"),
        ("at the end of February 2024", "2024-02-21", "2024-03-01"),
        ("between May 3 and May 10, 2023", "2023-05-03", "2023-05-11"),
        ("from December 28 to January 3", "2025-12-28", "2026-01-04"),
        ("3-5 July 2023", "2023-07-03", "2023-07-06"),
        ("last summer", "2026-06-01", "2026-09-01"),
        ("last autumn", "2025-09-01", "2025-12-01"),
        ("in the winter", "2025-12-01", "2026-03-01"),
        ("spring of 2023", "2023-03-01", "2023-06-01"),
        ("10月8号周四", "2026-10-08", "2026-10-09"),
        ("10月8日那周", "2026-10-05", "2026-10-12"),
        ("去年五月初", "2025-05-01", "2025-05-11"),
        ("9月下旬", "2026-09-21", "2026-10-01"),
        ("6月底", "2026-06-21", "2026-07-01"),
        ("10月3号到8号", "2026-10-03", "2026-10-09"),
        ("2023年12月28日到1月3日", "2023-12-28", "2024-01-04"),
        ("去年夏天", "2025-06-01", "2025-09-01"),
        ("冬天说的", "2025-12-01", "2026-03-01"),
    ],
)
def test_a_named_day_is_read(intent: str, start: str, end: str) -> None:
    """Each wording names exactly one span; without a year it is the latest that is not in the future."""
    assert _spans(intent) == [(start, end)]


@pytest.mark.parametrize(
    "intent",
    [
        "帮我推荐几个岗位",
        "may I ask you something",
        "march forward",
        "2月30号",
        "3号线怎么走",
        "12号场",
        "下周三有空吗",
        "下个月8号",
        "每周三打球",
        "明天的会议",
        "next Tuesday",
        "every Monday",
        "tomorrow",
        "期望薪资15-20k",
        "13月",
        "",
    ],
)
def test_what_names_no_past_day_is_left_alone(intent: str) -> None:
    """Habits, the future, numbers of other things and impossible dates give nothing."""
    assert _spans(intent) == []


def test_several_days_are_all_read() -> None:
    """Each word is used once: the year of one date is no year of its own."""
    assert sorted(_spans("compare March 3 2021 and 4 April")) == [
        ("2021-03-03", "2021-03-04"),
        ("2026-04-04", "2026-04-05"),
    ]


@pytest.mark.parametrize(
    ("intent", "start"),
    [
        ("What did Evan do last weekend according to his conversation on May 24, 2023?", "2023-05-24"),
        ("who was yesterday's guest, he said so on 2023-05-24", "2023-05-24"),
        ("two weeks ago on Monday, as of 5/24/2023", "2023-05-24"),
        ("2023年5月24日那次说的上周末和去年夏天", "2023-05-24"),
        ("去年5月24号我说昨天去了哪", "2025-05-24"),
    ],
)
def test_beside_a_date_with_its_year_nothing_is_relative_to_today(intent: str, start: str) -> None:
    """What was said on such a date of last weekend is not about the weekend before today."""
    assert [first for first, _ in _spans(intent)] == [start]


@pytest.mark.parametrize(
    "intent", ["compare May 24 with yesterday", "5月24号和昨天", "2024 and yesterday", "in May and yesterday"]
)
def test_beside_other_days_yesterday_is_the_day_before_today(intent: str) -> None:
    """Only a date that tells its year is a today of its own."""
    assert ("2026-11-17", "2026-11-18") in _spans(intent)


def test_explicit_dates_weigh_more_than_vague_ones() -> None:
    """A day weighs 4, a week 2.5, a month 2, "the other day" 1."""
    boosts = [named_times(intent, TODAY).days[0].boost for intent in ("10月8号", "上周", "in October", "the other day")]
    assert boosts == [4.0, 2.5, 2.0, 1.0]


@pytest.mark.parametrize("intent", ["on May 8th", "5月8号"])
def test_without_a_year_earlier_ones_are_meant_too(intent: str) -> None:
    """The latest such day weighs most, the same day of four years before it less; with a year it is that one alone."""
    found = named_times(intent, TODAY).days
    assert [span.start.year for span in found] == [2026, 2025, 2024, 2023, 2022]
    assert {(span.start.month, span.start.day) for span in found} == {(5, 8)}
    assert found[0].boost > found[1].boost == found[4].boost
    assert [span.start.year for span in named_times("8 May 2023", TODAY).days] == [2023]
    assert [span.start for span in named_times("29 February", TODAY).days] == [date(2024, 2, 29), date(2020, 2, 29)]


@given(
    st.text(alphabet=st.sampled_from("0123456789年月号日上下周天前今昨一二三十 /-mayoctlstdekgo,"), max_size=80),
    st.dates(min_value=date(1900, 1, 1), max_value=date(8999, 12, 31)),
)
def test_no_text_and_no_day_break_it(intent: str, today: date) -> None:
    """Whatever is written, every span is a span, and none begins after today's week."""
    for span in named_times(intent, today).days:
        assert span.start < span.end
        assert 0.6 <= span.boost <= 4.0
