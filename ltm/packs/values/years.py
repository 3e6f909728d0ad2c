"""A length of time in years."""

import re

from ltm.models import Json
from ltm.models.check import is_finite
from ltm.packs.folding import fold_text
from ltm.packs.values.numerals import DIGITS, HAN_NUMERAL, NUMBER_WORD, parse_number, tidy_number

MOST_YEARS = 80

PATTERN = (
    rf"(?:(?:{DIGITS})|{HAN_NUMERAL})\s?年(?:半)?|半年|(?:{DIGITS})\s?个月|"
    rf"(?:(?:{DIGITS})|{NUMBER_WORD}|a|half an?)(?:\s(?:and a half))?\s?-?(?:years?|yrs?|months?)"
)
"""A folded length as a fragment for rules; it has no groups."""

_FULL = re.compile(
    rf"(?P<half>半年|half an? year)|(?P<number>(?:{DIGITS})|{HAN_NUMERAL}|{NUMBER_WORD}|a)"
    r"(?P<and_half>\sand a half)?\s?-?(?P<unit>年半?|个月|years?|yrs?|months?)"
)
_UNCLEAR = re.compile(
    r"[年月]\s?(?:多|来|以上|\+|左右|不到)|[快近多几约满超]|多年|接近|差不多|大概|不到|\d\s?\+|\d\s?-\s?\d|[~到至]|"
    r"(?:years?|yrs?)\s?\+|\b(?:or|to|almost|nearly|about|around|over|more than|less than|under|at least|roughly)\b"
)


def read_years(words: str) -> int | float | None:
    """Return the years that some words state, or None where they state none or only about so many.

    `三年` is 3, `两年半` 2.5, `半年` 0.5, `18 months` 1.5; `快5年`, `3年多`, `3-5年` and `5+ years` are not clear.
    """
    folded = fold_text(words)
    match = _FULL.search(folded)
    if match is None or _UNCLEAR.search(folded):
        return None
    if match["half"]:
        return 0.5
    number = parse_number(match["number"])
    if number is None:
        return None
    if match["unit"] == "年半" or match["and_half"]:
        number += 0.5
    if match["unit"] in ("个月", "month", "months"):
        number /= 12
    return tidy_number(round(number, 2)) if number <= MOST_YEARS else None


def accept_years(value: Json) -> int | float | None:
    """Return the canonical number for a trusted write: a number of years or words; None where it is neither."""
    if isinstance(value, str):
        plain = parse_number(fold_text(value))
        return accept_years(plain) if plain is not None else read_years(value)
    if not is_finite(value):
        return None
    return tidy_number(float(value)) if 0 <= value <= MOST_YEARS else None
