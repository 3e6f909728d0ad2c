"""Rules that read days and conversations from an intent, and the readings that both languages share."""

import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import TypeAlias

from ltm.recall.dates.day_range import VAGUE, DayRange, days

Rule: TypeAlias = tuple[re.Pattern[str], Callable[[re.Match[str], date], DayRange | None]]
"""A bounded pattern over folded text, and what a match of it means today; with None the words are used up."""
ConversationRule: TypeAlias = tuple[re.Pattern[str], Callable[[re.Match[str]], tuple[int, ...]]]
"""The same for conversations: places in their order, 1 the first of all, -1 the one before this, 0 none."""


def not_past(_match: re.Match[str], _today: date) -> DayRange | None:
    """Name nothing: what lies ahead was not said yet, and a habit is no day."""
    return None


def few_days(_match: re.Match[str], today: date) -> DayRange | None:
    """Name the week before today: `前几天`, `the other day`."""
    return days(today - timedelta(days=7), 7, VAGUE)
