"""Find the named times of an intent: days, and conversations."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from ltm.packs.folding import fold_text
from ltm.recall.dates import conversation_en, conversation_zh, en, zh
from ltm.recall.dates import day_range as cal
from ltm.recall.dates.day_range import DayRange
from ltm.recall.dates.rule import Rule

_MAX_CHARS = 2_000
_MAX_NAMED = 8
_MAY_NAME_A_DAY = re.compile(
    r"[年月周天日晚号春夏秋冬]|星期|礼拜|day|week|month|year|night|morning|lately|spring|summer|autumn|fall|winter"
    r"|january|february|march|april|may|june|july|august|september|october|november|december"
    r"|\b(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b|[12][0-9]{3}|[0-9](?:[-/.][0-9]|st|nd|rd|th)"
)
"""What every rule needs; a text without it, numbers or not, is not looked at any closer."""
_MAY_NAME_A_CONVERSATION = re.compile(r"session|conversation|chat|talk|dialog|spoke|discuss|会话|对话|谈话|交流|聊")


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedTimes:
    """What an intent names, in the order of the rules.

    Attributes:
        days: Spans of days.
        conversations: Places in the order of the user's conversations: 1 is the first of all, -1 the one before this.
    """

    days: tuple[DayRange, ...] = ()
    conversations: tuple[int, ...] = ()


def named_times(intent: str, today: date) -> NamedTimes:
    """Return the days and conversations that an intent names; most intents name none.

    A date without a year is the latest one that is not in the future; the same days of some earlier years follow, with
    a smaller boost. Beside a date with its year, what is relative to today is left out: "What did he do last weekend,
    as he said on May 24, 2023?" Each word is used once, by the most specific rule. Dates that no calendar has are left
    out.

    Args:
        intent: As the user wrote it; of a long one the last 2,000 characters are read.
        today: In the user's time zone.
    """
    return _named_times(intent[-_MAX_CHARS:], today)


@lru_cache(maxsize=1024)
def _named_times(intent: str, today: date) -> NamedTimes:
    text = fold_text(intent)
    conversations: list[int] = []
    if _MAY_NAME_A_CONVERSATION.search(text) is not None:
        text = _read_conversations(text, conversations)
    days: list[DayRange] = []
    if _MAY_NAME_A_DAY.search(text) is not None:
        text = _read_days(text, (*zh.CALENDAR, *en.CALENDAR), today, days)
        if not any(map(cal.is_dated, days)):
            _read_days(text, (*zh.RELATIVE, *en.RELATIVE), today, days)
    named = list(dict.fromkeys(days))[:_MAX_NAMED]
    return NamedTimes(
        days=(*named, *(earlier for span in named for earlier in cal.former(span))),
        conversations=tuple(dict.fromkeys(conversations))[:_MAX_NAMED],
    )


def _read_days(text: str, rules: Sequence[Rule], today: date, found: list[DayRange]) -> str:
    """Add what the rules read to `found`, and return the text without its words."""
    for pattern, read in rules:
        spans = [read(match, today) for match in pattern.finditer(text)]
        if spans:
            found.extend(span for span in spans if span is not None)
            text = pattern.sub(_blank, text)
    return text


def _read_conversations(text: str, found: list[int]) -> str:
    """Add the named conversations to `found`, and return the text without their words: `on the 5th chat` is no day."""
    for pattern, read in (*conversation_zh.RULES, *conversation_en.RULES):
        for match in pattern.finditer(text):
            found.extend(place for place in read(match) if place != 0)
        text = pattern.sub(_blank, text)
    return text


def _blank(match: re.Match[str]) -> str:
    # A word that one rule has read is not read by a wider one: "October" of "8 October".
    return "\0" * len(match.group())
