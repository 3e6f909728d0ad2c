"""Times of the week, as people say when they like to do something: `周末晚上`, `Saturday mornings`."""

import re

from ltm.packs.folding import fold_text

_DAY_ZH = (
    r"工作日|周末|平日|每天|天天|双休日|节假日|"
    r"(?:每个?)?(?:周|星期|礼拜)[一二三四五六日天末](?:[、和]?(?:周|星期|礼拜)[一二三四五六日天](?!点)|、?[一二三四五六日天](?!点)){0,3}"
)
_PART_ZH = r"早上|早晨|清晨|一早|上午|中午|午休|下午|傍晚|晚上|夜里|深夜|凌晨|半夜|下班后|下班以后"
_DAY_EN = r"weekends?|weekdays?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_PART_EN = r"mornings?|noon|lunchtimes?|afternoons?|evenings?|nights?|after work"
PATTERN = (
    rf"(?:{_DAY_ZH})的?(?:{_PART_ZH})?|(?:{_PART_ZH})|(?:{_DAY_EN})(?:\s(?:{_PART_EN}))?|"
    rf"(?:{_PART_EN}|(?:early|late)\s(?:{_PART_EN}))(?:\son\s(?:{_DAY_EN}))?"
)
"""A folded time of the week as a fragment for rules; it has no groups."""

_FULL = re.compile(PATTERN)
_SPELLINGS = (
    (re.compile(r"每个?(?=周|星期|礼拜)"), ""),
    (re.compile(r"星期|礼拜"), "周"),
    (re.compile(r"周天"), "周日"),
    (re.compile(r"双休日"), "周末"),
    (re.compile(r"早晨|清晨|一早"), "早上"),
    (re.compile(r"夜里|深夜"), "晚上"),
    (re.compile(r"的|\s(?=[一-鿿])"), ""),
)
_EN_DAYS = re.compile(r"\b(mon|tues|wednes|thurs|fri|satur|sun)(day)")


def read_daytime(words: str) -> str | None:
    """Return the canonical time of the week, or None where the words are not one and nothing else."""
    text = fold_text(words).strip()
    if not _FULL.fullmatch(text):
        return None
    for pattern, spelling in _SPELLINGS:
        text = pattern.sub(spelling, text)
    return _EN_DAYS.sub(lambda match: match.group().capitalize(), text)
