"""Named days in English. Patterns match folded text and are bounded."""

import re
from datetime import date, timedelta

from ltm.recall.dates import day_range as cal
from ltm.recall.dates.day_range import DayRange
from ltm.recall.dates.rule import Rule, few_days, not_past

_MONTH_NAMES = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october")
_MONTHS = {name: at + 1 for at, name in enumerate((*_MONTH_NAMES, "november", "december"))}
_MONTHS |= {name[:3]: at for name, at in list(_MONTHS.items())} | {"sept": 9}
_WEEKDAY_NAMES = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WEEKDAYS = {name: at for at, name in enumerate(_WEEKDAY_NAMES)}
_COUNTS: dict[str, float] = {
    "a": 1,
    "an": 1,
    "one": 1,
    "two": 2,
    "a couple of": 2,
    "couple of": 2,
    "three": 3,
    "a few": 3,
    "few": 3,
    "four": 4,
}
_COUNTS |= {
    "several": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "eleven": 11,
    "twelve": 12,
    "half a": 0.5,
}
_DAYS_BACK = {
    "today": 0,
    "tonight": 0,
    "this morning": 0,
    "yesterday": 1,
    "last night": 1,
    "the day before yesterday": 2,
}

_MONTH = "|".join(sorted(_MONTHS, key=lambda name: (-len(name), name)))
# Alone, without a day, a year or a preposition, these are also verbs, names or abbreviations.
_SURE_MONTH = "|".join(name for name in _MONTHS if len(name) > 4 and name != "march")
_WEEKDAY = "|".join(_WEEKDAY_NAMES)
_COUNT = "|".join(sorted(_COUNTS, key=lambda name: (-len(name), name)))
_NUMBER = r"[0-9]{1,2}"
_DAY = rf"(?P<day>{_NUMBER})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>[12][0-9]{3})"
_OF_WEEKDAY = rf"(?:\b(?:{_WEEKDAY}),?\s(?:the\s)?)?"
"""Before a date the name of its weekday names no day of its own."""
_OF_WEEK = r"(?:\b(?P<week>week)\s(?:of|from|starting|beginning)\s)?"
_SEASONS = {"spring": 0, "summer": 1, "autumn": 2, "fall": 2, "winter": 3}
_SEASON = "|".join(_SEASONS)
_THIRDS = {"early": 0, "beginning": 0, "start": 0, "mid": 1, "middle": 1, "late": 2, "end": 2}


def _on_date(match: re.Match[str], today: date) -> DayRange | None:
    """`8 May 2023`, `May 8th`, `the 8th of May`, `the week of May 8`."""
    found = _date(match["month"], match["day"], match["year"], today)
    if found is None or match["week"] is None:
        return cal.find_day(found, recurs=match["year"] is None)
    return cal.days(cal.week_of(found, 0), 7, cal.WEEK, recurs=match["year"] is None)


def _date(month_name: str, day_number: str, year: str | None, today: date) -> date | None:
    month, number = _MONTHS[month_name], int(day_number)
    return cal.latest_date(today, month, number) if year is None else cal.find_date(int(year), month, number)


def _from_day_to_day(match: re.Match[str], today: date) -> DayRange | None:
    """`between May 3 and May 10`, `from 3 to 10 May 2023`, `May 3-10`."""
    groups = match.groupdict()
    year, month = groups.get("year"), match["month"]
    month2 = groups.get("month2") or month
    if year is not None and _MONTHS[month] > _MONTHS[month2]:
        year = str(int(year) - 1)  # a year that is named behind both is that of the second
    first = _date(month, match["day"], year, today)
    last = None if first is None else cal.next_date(first, _MONTHS[month2], int(match["last"]))
    return cal.between(first, last, recurs=year is None)


def _part_of_month(match: re.Match[str], today: date) -> DayRange | None:
    """`early May`, `at the end of May 2023`."""
    month, year = _MONTHS[match["month"]], match["year"]
    whole = cal.latest_month(today, month) if year is None else cal.month(int(year), month)
    return cal.third_of(whole, _THIRDS[match["part"]])


def _season(match: re.Match[str], today: date) -> DayRange | None:
    """`last summer`, `in the winter`, `spring 2023`."""
    groups = match.groupdict()
    quarter, year = _SEASONS[match["season"]], groups.get("year")
    if year is not None:
        return cal.season(int(year), quarter)
    found = cal.latest_season(today, quarter)
    if groups.get("which") == "last" and found is not None and found.end > today:
        return cal.season(found.start.year - 1, quarter)
    return found


def _in_month(match: re.Match[str], today: date) -> DayRange | None:
    """`in October`, `October 2023`, `last May`."""
    groups = match.groupdict()
    month, year = _MONTHS[match["month"]], groups.get("year")
    if year is not None:
        return cal.month(int(year), month)
    if groups.get("which") == "last" and month == today.month:
        return cal.month(today.year - 1, month)
    return cal.latest_month(today, month)


def _numeric(match: re.Match[str], _today: date) -> DayRange | None:
    """`2023-05-08`."""
    found = cal.find_date(int(match["year"]), int(match["month"]), int(match["day"]))
    return cal.find_day(found)


def _slashed(match: re.Match[str], _today: date) -> DayRange | None:
    """`5/8/2023`: month first, unless only day first is a date."""
    first, second, year = int(match["first"]), int(match["second"]), int(match["year"])
    found = cal.find_date(year, first, second) or cal.find_date(year, second, first)
    return cal.find_day(found)


def _week(match: re.Match[str], today: date) -> DayRange | None:
    """`last week`, `this week`, `last weekend`."""
    monday = cal.week_of(today, 0 if match["which"] == "this" else 1)
    if match["end"]:
        return cal.days(monday + timedelta(days=5), 2, cal.EXACT)
    if match["which"] == "past":
        return cal.days(today - timedelta(days=7), 8, cal.WEEK)
    return cal.days(monday, 7, cal.WEEK)


def _weekday_last_week(match: re.Match[str], today: date) -> DayRange | None:
    return cal.day(cal.week_of(today, 1) + timedelta(days=_WEEKDAYS[match["weekday"]]))


def _weekday(match: re.Match[str], today: date) -> DayRange | None:
    """`last Tuesday` lies before today; `Tuesday` may be today."""
    return cal.day(cal.latest_weekday(today, _WEEKDAYS[match["weekday"]], before=match["which"] is not None))


def _long_span(match: re.Match[str], today: date) -> DayRange | None:
    """`last month`, `this year`."""
    back = 0 if match["which"] == "this" else 1
    if match["unit"] == "year":
        return cal.year(today.year - back)
    first = cal.shift_month(today, -back)
    return cal.month(first.year, first.month)


def _ago(match: re.Match[str], today: date) -> DayRange | None:
    """`two weeks ago`, `3 days ago`."""
    words = match["count"]
    return cal.ago(today, int(words) if words.isdigit() else _COUNTS[words], match["unit"])


def _day_back(match: re.Match[str], today: date) -> DayRange | None:
    return cal.day(today - timedelta(days=_DAYS_BACK[match["words"]]))


def _day_of_month(match: re.Match[str], today: date) -> DayRange | None:
    found = cal.latest_day_of_month(today, int(match["day"]))
    return cal.find_day(found)


def _in_year(match: re.Match[str], _today: date) -> DayRange | None:
    return cal.year(int(match["year"]))


CALENDAR: tuple[Rule, ...] = (
    # What lies ahead was not said yet, and a habit is no day.
    (re.compile(rf"\b(?:next|every|each)\s(?:{_WEEKDAY}|{_MONTH}|week(?:end)?|month|year)\b|\btomorrow\b"), not_past),
    (
        re.compile(r"(?<![0-9])(?P<year>[12][0-9]{3})[-/.](?P<month>[0-9]{1,2})[-/.](?P<day>[0-9]{1,2})(?![0-9])"),
        _numeric,
    ),
    (re.compile(rf"(?<![0-9])(?P<first>[0-9]{{1,2}})/(?P<second>[0-9]{{1,2}})/{_YEAR}(?![0-9])"), _slashed),
    (
        re.compile(
            rf"\b(?P<month>{_MONTH})\.?\s{_DAY}\s?(?:and|to|till|until|through|-|–)\s?"
            rf"(?:(?P<month2>{_MONTH})\.?\s)?(?P<last>{_NUMBER})(?:st|nd|rd|th)?(?![0-9])(?:,?\s{_YEAR}\b)?"
        ),
        _from_day_to_day,
    ),
    (
        re.compile(
            rf"\b{_DAY}\s?(?:and|to|till|until|through|-|–)\s?(?P<last>{_NUMBER})(?:st|nd|rd|th)?\s"
            rf"(?:of\s)?(?P<month>{_MONTH})\b\.?(?:,?\s{_YEAR}\b)?"
        ),
        _from_day_to_day,
    ),
    (
        re.compile(rf"{_OF_WEEKDAY}{_OF_WEEK}\b{_DAY}\s(?:of\s)?(?P<month>{_MONTH})\b\.?(?:,?\s{_YEAR}\b)?"),
        _on_date,
    ),
    (
        re.compile(rf"{_OF_WEEKDAY}{_OF_WEEK}\b(?P<month>{_MONTH})\.?\s(?:the\s)?{_DAY}(?![0-9])(?:,?\s{_YEAR}\b)?"),
        _on_date,
    ),
    (
        re.compile(
            rf"\b(?P<part>{'|'.join(_THIRDS)})(?:\sof)?[\s-](?P<month>{_MONTH})\b\.?(?:,?\s(?:of\s)?{_YEAR}\b)?"
        ),
        _part_of_month,
    ),
    (re.compile(rf"\b(?P<season>{_SEASON})\s(?:of\s)?{_YEAR}\b"), _season),
    (re.compile(rf"\b(?P<month>{_MONTH})\.?,?\s(?:of\s)?{_YEAR}\b"), _in_month),
    (
        re.compile(rf"\b(?P<which>in|during|last|this|since|of|back in)[\s-](?P<month>{_MONTH})\b"),
        _in_month,
    ),
    (re.compile(rf"\b(?P<month>{_SURE_MONTH})\b"), _in_month),
    (re.compile(rf"\b(?:in|during|of|since|back in)\s{_YEAR}\b"), _in_year),
)
RELATIVE: tuple[Rule, ...] = (
    (
        re.compile(rf"\b(?P<which>last|past|previous|this|in|during|over)\s(?:the\s|last\s)?(?P<season>{_SEASON})\b"),
        _season,
    ),
    (re.compile(rf"\b(?P<weekday>{_WEEKDAY})\s(?:of\s)?last\sweek\b"), _weekday_last_week),
    (re.compile(r"\b(?:the\s)?(?P<which>last|past|previous|this)\sweek(?P<end>end)?\b"), _week),
    (re.compile(r"\b(?:the\s)?(?P<which>last|past|previous|this)\s(?P<unit>month|year)\b"), _long_span),
    (re.compile(rf"\b(?:(?P<which>last|past|previous)\s)?(?P<weekday>{_WEEKDAY})\b"), _weekday),
    (re.compile(rf"\b(?P<count>[0-9]{{1,3}}|{_COUNT})\s(?P<unit>day|week|month|year)s?\s(?:ago|back|earlier)\b"), _ago),
    (re.compile(rf"\b(?P<words>{'|'.join(sorted(_DAYS_BACK, key=len, reverse=True))})\b"), _day_back),
    (re.compile(r"\b(?:the other day|(?:in )?the (?:last|past) few days|lately)\b"), few_days),
    (re.compile(r"\bon\sthe\s(?P<day>[0-9]{1,2})(?:st|nd|rd|th)\b"), _day_of_month),
)
