"""Spans of days, and the arithmetic of calendars that naming them needs."""

from calendar import monthrange
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from ltm.ports import TimeSpan

EXACT = 4.0
WEEK = 2.5
MONTH = 2.0
VAGUE = 1.0
"""Boosts in z (docs/adr/0013 has the table); the shorter and surer the span, the more it says."""
FORMER = 0.6
"""Share of the boost for the same days of an earlier year, where none was named."""

_FORMER_YEARS = 4
_LONGEST_SPAN_DAYS = 62


@dataclass(frozen=True, slots=True, kw_only=True)
class DayRange:
    """Days from `start` up to, not including, `end`, and the boost of a memory that falls into them.

    Attributes:
        recurs: No year was named: an earlier one may be meant.
    """

    start: date
    end: date
    boost: float
    recurs: bool = False

    def span(self, zone: tzinfo) -> TimeSpan:
        """Return when these days begin and end for somebody in this zone, UTC: midnight to midnight."""
        start, end = (datetime.combine(edge, time(), zone).astimezone(UTC) for edge in (self.start, self.end))
        return TimeSpan(start=start, end=end)


def day(on: date, *, recurs: bool = False) -> DayRange:
    """Return one day."""
    return days(on, 1, EXACT, recurs=recurs)


def find_day(on: date | None, *, recurs: bool = False) -> DayRange | None:
    """Return one day, or None where no day was found."""
    return None if on is None else day(on, recurs=recurs)


def days(start: date, count: int, boost: float, *, recurs: bool = False) -> DayRange:
    """Return `count` days."""
    return DayRange(start=start, end=start + timedelta(days=count), boost=boost, recurs=recurs)


def is_dated(span: DayRange) -> bool:
    """Tell days of a known year, some few of them, from months, years and days of any year."""
    return not span.recurs and span.boost >= WEEK


def former(span: DayRange) -> list[DayRange]:
    """Return the same days of some earlier years, the latest first; none of a span that does not recur."""
    starts = [
        find_date(span.start.year - back, span.start.month, span.start.day) for back in range(1, _FORMER_YEARS + 1)
    ]
    length = (span.end - span.start).days
    return [days(start, length, FORMER * span.boost) for start in starts if span.recurs and start is not None]


def month(year: int, number: int, boost: float = MONTH, *, recurs: bool = False) -> DayRange | None:
    """Return a month; None outside the years 1 to 9998 and the months 1 to 12."""
    if not (1 <= year <= 9998 and 1 <= number <= 12):
        return None
    return days(date(year, number, 1), monthrange(year, number)[1], boost, recurs=recurs)


def third_of(span: DayRange | None, third: int) -> DayRange | None:
    """Return the first ten days of a month (0), the next ten (1) or the rest (2)."""
    if span is None:
        return None
    start = span.start + timedelta(days=10 * third)
    return replace(span, start=start, end=span.end if third == 2 else start + timedelta(days=10), boost=WEEK)


def season(year: int, quarter: int, *, recurs: bool = False) -> DayRange | None:
    """Return three months: spring (0) begins in March, winter (3) ends in the next year's February."""
    first, last = month(year, 3 * quarter + 3), month(year + quarter // 3, (3 * quarter + 4) % 12 + 1)
    if first is None or last is None:
        return None
    return DayRange(start=first.start, end=last.end, boost=VAGUE, recurs=recurs)


def latest_season(today: date, quarter: int) -> DayRange | None:
    """Return the latest such season that has begun."""
    found = season(today.year, quarter, recurs=True)
    return found if found is None or found.start <= today else season(today.year - 1, quarter, recurs=True)


def between(first: date | None, last: date | None, *, recurs: bool) -> DayRange | None:
    """Return the days from one day to another, both included; None where one is missing or they are no short span."""
    if first is None or last is None or not 0 <= (last - first).days <= _LONGEST_SPAN_DAYS:
        return None
    return days(first, (last - first).days + 1, WEEK, recurs=recurs)


def year(number: int) -> DayRange | None:
    """Return a year; None outside 1 to 9998."""
    return DayRange(start=date(number, 1, 1), end=date(number + 1, 1, 1), boost=VAGUE) if 1 <= number <= 9998 else None


def find_date(year_number: int, month_number: int, day_number: int) -> date | None:
    """Return the date, or None where the calendar has no such day."""
    try:
        return date(year_number, month_number, day_number)
    except ValueError:
        return None


def latest_date(today: date, month_number: int, day_number: int) -> date | None:
    """Return the latest such date that is not in the future; the 29th of February goes back to a leap year."""
    candidates = (find_date(today.year - back, month_number, day_number) for back in range(9) if today.year > back)
    return next((found for found in candidates if found is not None and found <= today), None)


def latest_month(today: date, month_number: int) -> DayRange | None:
    """Return the latest such month that has begun."""
    return month(today.year if month_number <= today.month else today.year - 1, month_number, recurs=True)


def next_date(first: date, month_number: int, day_number: int) -> date | None:
    """Return such a date in the same year, or the next one where it would lie before `first`."""
    found = find_date(first.year, month_number, day_number)
    return found if found is None or found >= first else find_date(first.year + 1, month_number, day_number)


def latest_day_of_month(today: date, day_number: int) -> date | None:
    """Return the latest such day of any month that is not in the future."""
    if not 1 <= day_number <= 31:
        return None
    for back in range(3):
        first = shift_month(today, -back)
        found = find_date(first.year, first.month, day_number)
        if found is not None and found <= today:
            return found
    return None


def latest_weekday(today: date, weekday: int, *, before: bool) -> date:
    """Return the latest such weekday (Monday is 0): today or earlier, with `before` earlier than today."""
    back = (today.weekday() - weekday) % 7
    return today - timedelta(days=back or (7 if before else 0))


def week_of(today: date, weeks_back: int) -> date:
    """Return the Monday of the week that lies so many weeks back."""
    return today - timedelta(days=today.weekday() + 7 * weeks_back)


def shift_month(today: date, by: int) -> date:
    """Return the first day of the month that lies `by` months from today's."""
    index = today.year * 12 + today.month - 1 + by
    return date(index // 12, index % 12 + 1, 1)


def ago(today: date, count: float, unit: str) -> DayRange | None:
    """Return the span meant by "count units ago"; the longer ago, the wider. Units: day, week, month, year."""
    if not 0 < count <= 1_000:
        return None
    if unit == "day":
        return days(today - timedelta(days=round(count)), 1, EXACT)
    if unit == "week":
        return days(today - timedelta(days=round(7 * count) + 3), 7, WEEK)
    if unit == "month" and count < 12:
        return days(today - timedelta(days=round(30.4 * count) + 15), 31, VAGUE)
    if unit == "month":
        return ago(today, count / 12, "year")
    return year(today.year - round(count)) if count >= 1 else ago(today, 12 * count, "month")
