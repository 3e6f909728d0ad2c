"""Spans of days, and the arithmetic of calendars that naming them needs."""

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta

EXACT = 2.0
WEEK = 1.5
MONTH = 1.25
VAGUE = 1.0
"""Boosts in z. docs/adr/0009 measured +1..2 z for a named day; the shorter and surer the span, the more it says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DayRange:
    """Days from `start` up to, not including, `end`, and the boost of a memory that falls into them."""

    start: date
    end: date
    boost: float


def day(on: date) -> DayRange:
    """Return one day."""
    return DayRange(start=on, end=on + timedelta(days=1), boost=EXACT)


def find_day(on: date | None) -> DayRange | None:
    """Return one day, or None where no day was found."""
    return None if on is None else day(on)


def days(start: date, count: int, boost: float) -> DayRange:
    """Return `count` days."""
    return DayRange(start=start, end=start + timedelta(days=count), boost=boost)


def month(year: int, number: int, boost: float = MONTH) -> DayRange | None:
    """Return a month; None outside the years 1 to 9998 and the months 1 to 12."""
    if not (1 <= year <= 9998 and 1 <= number <= 12):
        return None
    return days(date(year, number, 1), monthrange(year, number)[1], boost)


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
    return month(today.year if month_number <= today.month else today.year - 1, month_number)


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
