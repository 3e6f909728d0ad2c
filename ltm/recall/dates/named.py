"""Find the named days of an intent."""

import re
from collections.abc import Sequence
from datetime import date
from functools import lru_cache

from ltm.packs.folding import fold_text
from ltm.recall.dates import day_range as cal
from ltm.recall.dates import en, zh
from ltm.recall.dates.day_range import DayRange
from ltm.recall.dates.rule import Rule

_MAX_CHARS = 2_000
_MAX_RANGES = 8
_MAY_NAME_A_DAY = re.compile(
    r"[年月周天日晚号春夏秋冬]|星期|礼拜|day|week|month|year|night|morning|lately|spring|summer|autumn|fall|winter"
    r"|january|february|march|april|may|june|july|august|september|october|november|december"
    r"|\b(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b|[12][0-9]{3}|[0-9](?:[-/.][0-9]|st|nd|rd|th)"
)
"""What every rule needs; a text without it, numbers or not, is not looked at any closer."""


def named_days(intent: str, today: date) -> tuple[DayRange, ...]:
    """Return the spans of days that an intent names, in the order of the rules; most intents name none.

    A date without a year is the latest one that is not in the future; the same days of some earlier years follow, with
    a smaller boost. Beside a date with its year, what is relative to today is left out: "What did he do last weekend,
    as he said on May 24, 2023?" Each word is used once, by the most specific rule. Dates that no calendar has are left
    out.

    Args:
        intent: As the user wrote it; of a long one the last 2,000 characters are read.
        today: In the user's time zone.
    """
    return _named_days(intent[-_MAX_CHARS:], today)


@lru_cache(maxsize=1024)
def _named_days(intent: str, today: date) -> tuple[DayRange, ...]:
    text = fold_text(intent)
    if _MAY_NAME_A_DAY.search(text) is None:
        return ()
    found: list[DayRange] = []
    text = _read(text, (*zh.CALENDAR, *en.CALENDAR), today, found)
    if not any(map(cal.is_dated, found)):
        _read(text, (*zh.RELATIVE, *en.RELATIVE), today, found)
    named = list(dict.fromkeys(found))[:_MAX_RANGES]
    return (*named, *(earlier for span in named for earlier in cal.former(span)))


def _read(text: str, rules: Sequence[Rule], today: date, found: list[DayRange]) -> str:
    """Add what the rules read to `found`, and return the text without its words."""
    for pattern, read in rules:
        spans = [read(match, today) for match in pattern.finditer(text)]
        if spans:
            found.extend(span for span in spans if span is not None)
            text = pattern.sub(_blank, text)
    return text


def _blank(match: re.Match[str]) -> str:
    # A word that one rule has read is not read by a wider one: "October" of "8 October".
    return "\0" * len(match.group())
