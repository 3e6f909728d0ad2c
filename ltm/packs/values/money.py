"""Amounts of money: ranges, open ends, units, currencies and periods, as they are said in Chinese and English."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite

from ltm.models import Json, Lang
from ltm.packs.folding import fold_text
from ltm.packs.language import detect_lang
from ltm.packs.values.numerals import DIGITS, HAN_NUMERAL, parse_han_span, parse_number, tidy_number

_UNITS = {"k": 1e3, "thousand": 1e3, "grand": 1e3, "千": 1e3, "w": 1e4, "万": 1e4, "m": 1e6, "million": 1e6}
_MARKS = {
    "hk$": "HKD",
    "s$": "SGD",
    "a$": "AUD",
    "c$": "CAD",
    "us$": "USD",
    "$": "USD",
    "€": "EUR",
    "£": "GBP",
    "¥": "CNY",
}
_NAMES = {
    "CNY": ("人民币", "块钱", "元", "块", "rmb", "cny", "yuan"),
    "USD": ("美元", "美金", "刀", "usd", "dollars", "us dollars", "bucks"),
    "EUR": ("欧元", "eur", "euros", "euro"),
    "GBP": ("英镑", "gbp", "pounds", "quid"),
    "HKD": ("港币", "港元", "hkd"),
    "SGD": ("新币", "新加坡元", "sgd"),
    "JPY": ("日元", "jpy", "yen"),
    "AUD": ("澳元", "aud"),
    "CAD": ("加元", "cad"),
    "CHF": ("瑞士法郎", "瑞郎", "chf", "francs"),
    "INR": ("卢比", "inr", "rupees"),
}
CURRENCIES = tuple(_NAMES)
_CURRENCY_OF = {**_MARKS, **{name: code for code, names in _NAMES.items() for name in names}}
_PERIODS = {
    "hour": r"时薪|[每一/]\s?(?:个)?小时|(?:an|per|each|every|/)\s?(?:hour|hr)\b|hourly",
    "day": r"日薪|[每一/]\s?天|(?:a|per|each|every|/)\s?day\b|daily",
    "week": r"周薪|[每一/]\s?周|(?:a|per|each|every|/)\s?(?:week|wk)\b|weekly",
    "month": r"月薪|月入|[每一/]\s?(?:个)?月|(?:a|per|each|every|/)\s?(?:month|mo)\b|monthly",
    "year": r"年薪|年包|年收入|[每一/]\s?年|(?:a|per|each|every|/)\s?(?:year|yr|annum)\b|annual(?:ly)?|yearly|p\.?a\b",
}
PERIODS = tuple(_PERIODS)

_MARK = r"(?:hk|us|[sac])?\$|[€£¥]"
_NAME = "|".join(
    sorted((n if not n.isascii() else rf"{n}(?![a-z])" for ns in _NAMES.values() for n in ns), key=len)[::-1]
)
_UNIT = r"k(?![a-z])|thousand|grand|million|w(?![a-z])|m(?![a-z])|千|万"
_NUMBER = rf"(?:(?:{DIGITS})|{HAN_NUMERAL})"
_AMOUNT = rf"(?:{_MARK})?\s?{_NUMBER}\s?(?:(?:{_UNIT})(?:\d(?![\d.%年个岁]))?)?(?:\s?(?:{_NAME}))?"
_JOIN = r"\s?(?:-{1,2}|~|至|到|to|and|or)\s?"
_EVERY = "|".join(_PERIODS.values())
_BEFORE = (
    r"至少|最少|最低|起码|不低于|不少于|不能低于|不能少于|别低于|不小于|低于|少于|高于|超过|大于|不超过|不高于|最多|最高|顶多|"
    r"at least|no less than|not less than|not below|not under|no lower than|minimum(?: of)?|min|more than|over|above|"
    r"nothing (?:below|under|less than)|up to|at most|no more than|not more than|maximum(?: of)?|max|below|under|"
    r"less than|lower than|between|from|around|about|大概|大约|差不多"
)
_REFUSED = r"(?:的)?(?:工作|岗位|岗)?(?:我)?(?:都|就|一律|一概)?(?:不|免谈|算了|没兴趣|别|勿扰|pass)"
_BEHIND = (
    rf"(?:或|及)?以下{_REFUSED}|以上|往上|起步|起|\+|或以上|or more|or above|and up|and above|minimum|or higher|plus|"
    r"以内|以下|封顶|max(?:imum)?|or less|tops|左右|上下"
)
PATTERN = (
    rf"(?:(?:{_BEFORE})\s?(?:是|为|of)?\s?)?(?:(?:{_EVERY})\s?)?{_AMOUNT}(?:{_JOIN}{_AMOUNT})?"
    rf"(?:\s?(?:{_EVERY}))?(?:\s?(?:{_BEHIND}))?(?:\s?(?:{_EVERY}))?"
)
"""A folded amount as a fragment for rules; it has no groups."""

_FULL = re.compile(
    rf"(?:(?P<before>{_BEFORE})\s?(?:是|为|of)?\s?)?(?:(?:{_EVERY})\s?)?"
    rf"(?P<mark>{_MARK})?\s?(?P<low>{_NUMBER})\s?(?:(?P<unit>{_UNIT})(?P<tail>\d(?![\d.%年个岁]))?)?(?:\s?(?P<name>{_NAME}))?"
    rf"(?:{_JOIN}(?P<mark2>{_MARK})?\s?(?P<high>{_NUMBER})\s?(?:(?P<unit2>{_UNIT})(?P<tail2>\d(?![\d.%年个岁]))?)?"
    rf"(?:\s?(?P<name2>{_NAME}))?)?(?:\s?(?:{_EVERY}))?(?:\s?(?P<behind>{_BEHIND}))?"
)
_PERIOD_WORDS = {period: re.compile(words) for period, words in _PERIODS.items()}
_MIN_BEFORE = re.compile(
    r"至少|最少|最低|起码|不低于|不少于|不能低于|不能少于|别低于|不小于|高于|超过|大于|at least|no less|not less|not below|not under|"
    r"no lower|min|more than|over|above|nothing"
)
_MAX_BEFORE = re.compile(r"不超过|不高于|最多|最高|顶多|up to|at most|no more|not more|max")
_UNCLEAR_BEFORE = re.compile(r"低于|少于|below|under|less than|lower than")
_MIN_BEHIND = re.compile(rf"以下{_REFUSED}|以上|往上|起|\+|or more|or above|and up|and above|min|or higher|plus")
_MAX_BEHIND = re.compile(r"以内|以下|封顶|max|or less|tops")
_REFUSING = re.compile(
    r"不考虑|不看|不谈|不去|不接|不要|免谈|算了|没兴趣|别找|勿扰|won't|wouldn't|will not|would not|don't|do not|can't|cannot|"
    r"not (?:consider|accept|take|interested)|no go|a no\b|never"
)
_FIELDS = ("min", "max", "currency", "period")
_LEAST_MONTHLY_CNY = 1_000
_YEARLY_CNY_FROM = 100_000
_YEARLY_OTHER_FROM = 12_000
_MOST = 1e10


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    """What the words say outright; None where they say nothing."""

    low: float | None
    high: float | None
    currency: str | None
    period: str | None


def read_money(words: str, *, currency: str | None, lang: Lang | None = None) -> dict[str, Json] | None:
    """Return the amount that some words state, or None where they state none, or none that is clear.

    A single figure sets both ends; `至少`, `以上`, `以下不考虑`, `at least` only `min`; `以内`, `不超过`, `up to` only `max`. An amount
    without a period is monthly in CNY from 1,000 and yearly from 100,000; in other currencies it is yearly from 12,000,
    and left open below.

    Args:
        words: The words, folded or not, with the amount's surroundings (`年薪`, `a year`).
        currency: What an amount without a mark is counted in; used for Chinese words and for words of no language.
        lang: Language of the sentence; None takes that of the words.
    """
    folded = fold_text(words)
    said = _parse(folded)
    if said is None:
        return None
    lang = lang or detect_lang(re.sub(_UNIT, " ", folded), default=Lang.ZH)
    mark = said.currency or (currency if lang == Lang.ZH else None)
    period = said.period or _usual_period(said, mark)
    largest = said.high if said.high is not None else said.low
    if period == "month" and mark == "CNY" and largest is not None and largest < _LEAST_MONTHLY_CNY:
        return None
    return _value(said.low, said.high, mark, period)


def accept_money(value: Json, *, currency: str | None) -> dict[str, Json] | None:
    """Return the canonical amount for a trusted write: a mapping, a number, or words; None where it is none of these."""
    if isinstance(value, str):
        return read_money(value, currency=currency)
    if isinstance(value, int | float):
        return accept_money({"min": value, "max": value}, currency=currency)
    if not isinstance(value, Mapping) or not set(value) <= set(_FIELDS):
        return None
    ends = [value.get(name) for name in ("min", "max")]
    code, period = value.get("currency", currency), value.get("period")
    if not all(end is None or _is_figure(end) for end in ends) or ends == [None, None]:
        return None
    if not (code is None or (isinstance(code, str) and re.fullmatch("[A-Z]{3}", code))):
        return None
    if not (period is None or period in PERIODS):
        return None
    said = _Said(low=_number(ends[0]), high=_number(ends[1]), currency=code, period=str(period) if period else None)
    if not _is_ordered(said.low, said.high):
        return None
    return _value(said.low, said.high, code, said.period or _usual_period(said, code))


def show_money(value: Json, lang: Lang) -> str:
    """Return a normalised amount as a reader sees it: `15-20k/月`, `30万+/年`, `65k EUR+/year`, `up to 2k EUR/month`."""
    if not isinstance(value, Mapping):
        return str(value)
    low, high = _number(value.get("min")), _number(value.get("max"))
    code, period = value.get("currency"), value.get("period")
    use_wan = lang == Lang.ZH and code == "CNY" and period == "year"
    figures = _show_range(low, high, use_wan=use_wan)
    mark = "" if code is None or (code == "CNY" and lang == Lang.ZH) else f" {code}"
    every = {"year": "年", "month": "月", "week": "周", "day": "天", "hour": "小时"} if lang == Lang.ZH else {}
    rate = f"/{every.get(str(period), period)}" if period else ""
    if high is None:
        return f"{figures}{mark}+{rate}"
    if low is None:
        return f"{figures}{mark}{rate}以内" if lang == Lang.ZH else f"up to {figures}{mark}{rate}"
    return f"{figures}{mark}{rate}"


def _parse(folded: str) -> _Said | None:
    match = next((found for found in _FULL.finditer(folded) if _is_amount(found)), None)
    if match is None:
        return None
    span = parse_han_span(match["low"]) if match["high"] is None else None
    low, high = span or _ends(match)
    if low is None or not _is_ordered(low, high):
        return None
    bounds = _bounds(match, folded, low, high)
    if bounds is None:
        return None
    code = next((_CURRENCY_OF[match[g]] for g in ("mark", "mark2", "name2", "name") if match[g]), None)
    periods = [period for period, words in _PERIOD_WORDS.items() if words.search(folded)]
    if len(periods) > 1:
        return None
    return _Said(low=bounds[0], high=bounds[1], currency=code, period=periods[0] if periods else None)


def _is_amount(match: re.Match[str]) -> bool:
    """Return whether it is a figure of money rather than any digit: it has a unit, a mark, or at least three digits."""
    marked = any(match[group] for group in ("unit", "unit2", "mark", "mark2", "name", "name2"))
    return marked or len(match["low"].replace(",", "")) >= 3 or "万" in match["low"] or "千" in match["low"]


def _ends(match: re.Match[str]) -> tuple[float | None, float | None]:
    low = _figure(match["low"], match["unit"], match["tail"])
    if match["high"] is None:
        return low, low
    high = _figure(match["high"], match["unit2"], match["tail2"])
    if low is None or high is None:
        return None, None
    if match["unit"] is None and match["unit2"] and low < high / _UNITS[match["unit2"]]:
        low *= _UNITS[match["unit2"]]
    elif match["unit"] is None and high >= 10_000 and match["high"][-1] in "千万" and low < 10:
        low *= 10_000 if match["high"].endswith("万") else 1_000
    elif match["unit2"] is None and match["unit"] and high < low:
        high *= _UNITS[match["unit"]]
    return low, high


def _figure(number: str, unit: str | None, tail: str | None) -> float | None:
    value = parse_number(number)
    if value is None:
        return None
    scale = _UNITS[unit] if unit else 1.0
    return value * scale + (int(tail) * scale / 10 if tail else 0.0)


def _bounds(
    match: re.Match[str], folded: str, low: float, high: float | None
) -> tuple[float | None, float | None] | None:
    before, behind = match["before"] or "", match["behind"] or ""
    is_range = high is not None and high != low
    if _MIN_BEHIND.search(behind) or _MIN_BEFORE.search(before):
        return (low, high) if is_range else (low, None)
    if _UNCLEAR_BEFORE.search(before) and not _MAX_BEFORE.search(before):
        return (low, None) if _REFUSING.search(folded) else None
    if _MAX_BEFORE.search(before) or _MAX_BEHIND.search(behind):
        return (low, high) if is_range else (None, low)
    return low, high


def _usual_period(said: _Said, currency: str | None) -> str | None:
    largest = said.high if said.high is not None else (said.low or 0.0)
    if currency == "CNY":
        return "year" if largest >= _YEARLY_CNY_FROM else "month"
    return "year" if currency and largest >= _YEARLY_OTHER_FROM else None


def _is_figure(value: object) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and isfinite(float(_number(value) or 0.0)) and 0 <= float(_number(value) or 0.0) <= _MOST


def _is_ordered(low: float | None, high: float | None) -> bool:
    return low is None or high is None or 0 <= low <= high <= _MOST


def _value(low: float | None, high: float | None, currency: str | None, period: str | None) -> dict[str, Json]:
    return {
        "min": None if low is None else tidy_number(low),
        "max": None if high is None else tidy_number(high),
        "currency": currency,
        "period": period,
    }


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def _show_range(low: float | None, high: float | None, *, use_wan: bool) -> str:
    figures = [figure for figure in (low, high) if figure is not None]
    distinct = figures[:1] if len(set(figures)) == 1 else figures
    scale, unit = (1e4, "万") if use_wan else (1e3, "k")
    if any(figure and figure < scale for figure in distinct):
        scale, unit = 1.0, ""
    return (
        "-".join(
            f"{tidy_number(figure / scale):,}" if not unit else f"{tidy_number(figure / scale)}" for figure in distinct
        )
        + unit
    )
