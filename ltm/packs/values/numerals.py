"""Numbers as they are said: digits, Chinese numerals, English number words."""

import re
from functools import lru_cache

DIGITS = r"(?<!\d)(?:\d{1,3}(?:,\d{3}){1,3}(?!\d|,\d)(?:\.\d{1,2})?|\d{1,9}(?:\.\d{1,3})?)(?!\d)"
_HAN = "零〇一二两俩三四五六七八九十百千万"
HAN_NUMERAL = f"(?<![第{_HAN}])[{_HAN}]{{1,9}}(?![{_HAN}])"

_HAN_DIGITS = "一二三四五六七八九"
_HAN_UNITS = {"百": 100, "千": 1_000, "万": 10_000}
_SPAN = re.compile(r"([一二两三四五六七八])([二三四五六七八九])([百千万])")
_WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_WORDS += ["thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"]
_WORD_VALUES = {word: float(value) for value, word in enumerate(_WORDS)} | {"a": 1.0, "an": 1.0, "half": 0.5}
NUMBER_WORD = "|".join(_WORDS[1:])


@lru_cache(maxsize=4096)
def parse_number(text: str) -> float | None:
    """Return the number that a folded numeral says (`1,500`, `1.5`, `一万五`, `two`), or None."""
    text = text.strip()
    if text in _WORD_VALUES:
        return _WORD_VALUES[text]
    if re.fullmatch(DIGITS, text):
        return float(text.replace(",", ""))
    if re.fullmatch(HAN_NUMERAL, text):
        return _parse_han(text)
    return None


def parse_han_span(text: str) -> tuple[float, float] | None:
    """Return the two ends of `两三万` or `七八千`: two digits that follow each other before one unit; else None."""
    match = _SPAN.fullmatch(text)
    if match is None:
        return None
    low, high = (_HAN_DIGITS.index(digit.replace("两", "二")) + 1 for digit in match.group(1, 2))
    unit = _HAN_UNITS[match.group(3)]
    return (float(low * unit), float(high * unit)) if high == low + 1 else None


def tidy_number(value: float) -> int | float:
    """Return an int where the number is whole, else a float of at most four decimals."""
    return int(value) if value == int(value) else round(value, 4)


def _parse_han(text: str) -> float | None:
    import cn2an  # 0.25 s: only who meets a Chinese numeral pays for it

    try:
        return float(cn2an.cn2an(text.replace("俩", "两"), "smart"))
    except (ValueError, TypeError, KeyError, IndexError, ArithmeticError):
        return None
