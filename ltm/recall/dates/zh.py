"""Named days in Chinese. Patterns match folded text and are bounded."""

import re
from datetime import date, timedelta

from ltm.recall.dates import day_range as cal
from ltm.recall.dates.day_range import DayRange
from ltm.recall.dates.rule import Rule, few_days, not_past

_DIGITS = {"零": 0, "〇": 0, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
_WEEKDAYS = {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6}
_DAYS_BACK = {"今": 0, "昨": 1, "前": 2, "大前": 3}
_UNITS = {"天": "day", "周": "week", "星期": "week", "礼拜": "week", "月": "month", "年": "year"}
_YEARS_BACK = {"今年": 0, "去年": 1, "前年": 2}
_NUMBER = "[0-9]{1,2}|[一二两三四五六七八九十]{1,3}"
_WEEK = "周|星期|礼拜"
_OF_WEEKDAY = rf"(?:\s{{0,2}}[(]?(?:{_WEEK})[一二三四五六日天][)]?)?"
"""Behind a date the name of its weekday names no day of its own."""
_SEASONS = {"春": 0, "夏": 1, "秋": 2, "冬": 3}
_THIRDS = {"初": 0, "上旬": 0, "中": 1, "中旬": 1, "下旬": 2, "底": 2, "末": 2}


def number(text: str) -> int:
    """Read a number up to 99 in digits or Chinese characters: `12`, `十二`, `二十一`, `两`."""
    if text.isdigit():
        return int(text)
    tens, ten, ones = text.rpartition("十")
    if not ten:
        return _DIGITS.get(text[-1], 0)
    return 10 * (_DIGITS.get(tens[-1:], 1) if tens else 1) + (_DIGITS.get(ones[-1:], 0) if ones else 0)


def _full_date(match: re.Match[str], today: date) -> DayRange | None:
    """`2025年10月8号`, `去年10月`, `十月八日`, `10月`."""
    month, day_number = number(match["month"]), match["day"]
    year = _year_of(match["year"], today)
    if day_number is None:
        whole = cal.latest_month(today, month) if year is None else cal.month(year, month)
        return whole if match["part"] is None else cal.third_of(whole, _THIRDS[match["part"]])
    found = _date(year, month, number(day_number), today)
    if match["week"] is not None and found is not None:
        return cal.days(cal.week_of(found, 0), 7, cal.WEEK, recurs=year is None)
    if match["last"] is None or found is None:
        return cal.find_day(found, recurs=year is None)
    last = cal.next_date(found, number(match["month2"] or match["month"]), number(match["last"]))
    return cal.between(found, last, recurs=year is None)


def _date(year: int | None, month: int, day: int, today: date) -> date | None:
    if not 1 <= month <= 12:
        return None
    return cal.latest_date(today, month, day) if year is None else cal.find_date(year, month, day)


def _season(match: re.Match[str], today: date) -> DayRange | None:
    """`去年夏天`, `今年春季`, `2023年冬天`, `夏天`."""
    quarter, year = _SEASONS[match["season"]], _year_of(match["year"], today)
    return cal.latest_season(today, quarter) if year is None else cal.season(year, quarter)


def _year_of(words: str | None, today: date) -> int | None:
    if words is None:
        return None
    return today.year - _YEARS_BACK[words] if words in _YEARS_BACK else int(words[:4])


def _year(match: re.Match[str], today: date) -> DayRange | None:
    year = _year_of(match["year"], today)
    return None if year is None else cal.year(year)


def _month_back(match: re.Match[str], today: date) -> DayRange | None:
    """`上个月`, `上个月8号`, `这个月`."""
    first = cal.shift_month(today, -match["back"].count("上"))
    if match["day"] is None:
        return cal.month(first.year, first.month)
    found = cal.find_date(first.year, first.month, number(match["day"]))
    return cal.find_day(found)


def _week_back(match: re.Match[str], today: date) -> DayRange | None:
    """`上周`, `上周三`, `上个周末`, `这周一`."""
    monday = cal.week_of(today, match["back"].count("上"))
    day = match["day"]
    if day is None:
        return cal.days(monday, 7, cal.WEEK)
    if day == "末":
        return cal.days(monday + timedelta(days=5), 2, cal.EXACT)
    return cal.day(monday + timedelta(days=_WEEKDAYS[day]))


def _weekday(match: re.Match[str], today: date) -> DayRange | None:
    return cal.day(cal.latest_weekday(today, _WEEKDAYS[match["day"]], before=False))


def _day_back(match: re.Match[str], today: date) -> DayRange | None:
    return cal.day(today - timedelta(days=_DAYS_BACK[match["back"]]))


def _ago(match: re.Match[str], today: date) -> DayRange | None:
    """`三天前`, `两个月前`, `半年前`."""
    count = 0.5 if match["count"] == "半" else number(match["count"])
    return cal.ago(today, count, _UNITS[match["unit"]])


def _day_of_month(match: re.Match[str], today: date) -> DayRange | None:
    found = cal.latest_day_of_month(today, number(match["day"]))
    return cal.find_day(found)


CALENDAR: tuple[Rule, ...] = (
    # What lies ahead was not said yet; read first, so that `下周三` is no `周三`. A habit (`每周三`) is no day either.
    (
        re.compile(
            rf"(?:下+个?|每个?)(?:{_WEEK}|月)(?:[一二三四五六日天末]|[0-9]{{1,2}}(?:号|日))?|明天|后天|明年|明晚"
        ),
        not_past,
    ),
    (
        re.compile(
            r"(?:(?P<year>[12][0-9]{3}年|今年|去年|前年)\s{0,2})?"
            rf"(?P<month>{_NUMBER})\s{{0,2}}月(?!前|后|内)(?:份|(?P<part>初|底|末|上旬|中旬?|下旬)"
            rf"|\s{{0,2}}(?P<day>{_NUMBER})\s{{0,2}}(?:号|日)?{_OF_WEEKDAY}"
            rf"(?:(?P<week>(?:的)?那(?:一)?(?:个)?(?:{_WEEK}))"
            rf"|(?:到|至|-)(?:(?P<month2>{_NUMBER})\s{{0,2}}月)?(?P<last>{_NUMBER})\s{{0,2}}(?:号|日))?)?"
        ),
        _full_date,
    ),
    (re.compile(r"(?P<year>[12][0-9]{3}年)的?(?P<season>[春夏秋冬])(?:天|季|日里)"), _season),
    (re.compile(r"(?P<year>[12][0-9]{3}年)"), _year),
)
RELATIVE: tuple[Rule, ...] = (
    (re.compile(r"(?:(?P<year>今年|去年|前年)的?)?(?P<season>[春夏秋冬])(?:天|季|日里)"), _season),
    (re.compile(rf"(?P<back>上上|上|这|本)个?月(?:份)?(?:的)?(?:(?P<day>{_NUMBER})(?:号|日))?"), _month_back),
    (re.compile(rf"(?P<back>上上|上|这|本)个?(?:{_WEEK})(?P<day>[一二三四五六日天末])?"), _week_back),
    (re.compile(rf"(?P<count>半|{_NUMBER})个?(?P<unit>天|周|星期|礼拜|月|年)(?:之前|以前|前)"), _ago),
    (re.compile(r"(?:前几天|前两天|前些天|几天前|这几天|这两天)"), few_days),
    (re.compile(r"(?P<back>大前|前|昨|今)(?:天|日|晚)"), _day_back),
    (re.compile(rf"(?:{_WEEK})(?P<day>[一二三四五六日天])"), _weekday),
    (re.compile(r"(?P<year>今年|去年|前年)"), _year),
    (re.compile(r"(?<![0-9a-z.月第])(?P<day>[0-9]{1,2})(?:号|日)(?![线楼馆场桌院口位机码])"), _day_of_month),
)
