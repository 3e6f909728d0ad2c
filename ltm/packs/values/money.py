"""Amounts of money: ranges, open ends, units, currencies and periods, as they are said in Chinese and English."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from ltm.models import Json, Lang
from ltm.models.check import is_finite
from ltm.packs.folding import fold_text
from ltm.packs.language import detect_lang
from ltm.packs.values import money_words as said_with
from ltm.packs.values.numerals import parse_han_span, parse_number, tidy_number

_CLAUSE_BREAK = re.compile(r"[,;。!?\n]")
_CURRENCIES = ("mark", "mark2", "name2", "name", "name3", "name4")
_FIELDS = ("min", "max", "currency", "period")
_LEAST_MONTHLY_CNY = 1_000
_YEARLY_FROM = 100_000
_YEARLY_ABROAD_FROM = 12_000
_MOST = 1e10


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    """What the words say outright; None where they say nothing."""

    low: float | None
    high: float | None
    currency: str | None
    period: str | None


def read_money(
    words: str, *, currency: str | None, period: str | None = None, lang: Lang | None = None
) -> dict[str, Json] | None:
    """Return the amount that some words state, or None where they state none, or none that is clear.

    A single figure sets both ends; `至少`, `以上`, `以下不考虑`, `at least` only `min`; `以内`, `不超过`, `up to` only
    `max`.
    For a rate, an amount without a period counts for the usual one: in the slot's own currency for `period`, or for a
    year from 100,000; in other currencies for a year from 12,000, and is left open below.

    Args:
        words: The words, folded or not, with the amount's surroundings (`年薪`, `a year`).
        currency: What an amount without a mark is counted in; used for Chinese words and for words of no language.
        period: The usual period of a rate, or None for what is no rate.
        lang: Language of the sentence; None takes that of the words.
    """
    folded = fold_text(words)
    said = _parse(folded)
    if said is None:
        return None
    lang = lang or detect_lang(re.sub(said_with.UNIT, " ", folded), default=Lang.ZH)
    mark = said.currency or (currency if lang == Lang.ZH else None)
    every = said.period or _usual_period(said, mark, currency, period)
    if every == "month" and mark == "CNY" and _largest(said) < _LEAST_MONTHLY_CNY:
        return None
    return _value(said.low, said.high, mark, every)


def accept_money(value: Json, *, currency: str | None, period: str | None = None) -> dict[str, Json] | None:
    """Return the canonical amount for a mapping, a number, or words; None for anything else."""
    if isinstance(value, str):
        return read_money(value, currency=currency, period=period)
    if isinstance(value, int | float):
        return accept_money({"min": value, "max": value}, currency=currency, period=period)
    if not isinstance(value, Mapping) or not set(value) <= set(_FIELDS):
        return None
    ends = [value.get(name) for name in ("min", "max")]
    code, every = value.get("currency", currency), value.get("period")
    if not all(end is None or _is_figure(end) for end in ends) or ends == [None, None]:
        return None
    if not (code is None or (isinstance(code, str) and re.fullmatch("[A-Z]{3}", code))):
        return None
    if not (every is None or every in said_with.PERIODS):
        return None
    said = _Said(low=_number(ends[0]), high=_number(ends[1]), currency=code, period=str(every) if every else None)
    if not _is_ordered(said.low, said.high):
        return None
    return _value(said.low, said.high, code, said.period or _usual_period(said, code, currency, period))


def show_money(value: Json, lang: Lang) -> str:
    """Return an amount as a reader sees it: `15-20k/月`, `30万+/年`, `65k EUR+/year`, `up to 2k EUR/month`."""
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
    periods = [period for period, words in said_with.PERIOD_WORDS.items() if words.search(folded)]
    is_small = any(period in said_with.SMALL_PERIODS for period in periods)
    match = next((found for found in said_with.FULL.finditer(folded) if is_small or _is_amount(found)), None)
    if match is None:
        return None
    span = parse_han_span(match["low"]) if match["high"] is None else None
    low, high = span or _ends(match)
    if low is None or not _is_ordered(low, high):
        return None
    bounds = _bounds(match, folded, low, high)
    if bounds is None:
        return None
    code = next((said_with.CURRENCY_OF[match[g]] for g in _CURRENCIES if match[g]), None)
    if len(periods) > 1:
        return None
    return _Said(low=bounds[0], high=bounds[1], currency=code, period=periods[0] if periods else None)


def _is_amount(match: re.Match[str]) -> bool:
    """Tell money from any digit: it has a unit, a mark, or at least three digits."""
    marked = any(match[group] for group in ("unit", "unit2", *_CURRENCIES))
    figures = [match["low"], match["high"] or ""]
    return marked or any("万" in figure or "千" in figure for figure in figures) or len(match["low"]) >= 3


def _ends(match: re.Match[str]) -> tuple[float | None, float | None]:
    low = _figure(match["low"], match["unit"], match["tail"])
    if match["high"] is None:
        return low, low
    high = _figure(match["high"], match["unit2"], match["tail2"])
    if low is None or high is None:
        return None, None
    scale = said_with.UNITS.get(match["unit2"] or match["high"][-1], 1.0)
    if match["unit"] is None and low < high / scale:
        low *= scale
    elif match["unit2"] is None and match["unit"] and high < low:
        high *= said_with.UNITS[match["unit"]]
    return low, high


def _figure(number: str, unit: str | None, tail: str | None) -> float | None:
    value = parse_number(number)
    if value is None:
        return None
    scale = said_with.UNITS[unit] if unit else 1.0
    return value * scale + (int(tail) * scale / 10 if tail else 0.0)


def _bounds(
    match: re.Match[str], folded: str, low: float, high: float | None
) -> tuple[float | None, float | None] | None:
    before, behind = match["before"] or "", match["behind"] or ""
    is_range = high is not None and high != low
    if said_with.MIN_BEHIND.search(behind) or said_with.MIN_BEFORE.search(before):
        return (low, high) if is_range else (low, None)
    if said_with.UNCLEAR_BEFORE.search(before) and not said_with.MAX_BEFORE.search(before):
        return (low, None) if said_with.REFUSING.search(folded) else None
    if said_with.REFUSED_BEHIND.search(behind) and said_with.REFUSING.search(folded[: match.start()]):
        return (low, high) if is_range else (low, None)
    if said_with.MAX_BEFORE.search(before) or said_with.MAX_BEHIND.search(behind):
        return (low, high) if is_range else (None, low)
    named = _CLAUSE_BREAK.split(folded[: match.start()])[-1]
    if not is_range and not before and said_with.NAMED_MIN.search(named):
        return low, None
    if not is_range and not before and said_with.NAMED_MAX.search(named):
        return None, low
    return low, high


def _usual_period(said: _Said, mark: str | None, currency: str | None, period: str | None) -> str | None:
    if period is None or mark is None:
        return None
    if mark == currency:
        return "year" if _largest(said) >= _YEARLY_FROM else period
    return "year" if _largest(said) >= _YEARLY_ABROAD_FROM else None


def _largest(said: _Said) -> float:
    return said.high if said.high is not None else (said.low or 0.0)


def _is_figure(value: object) -> bool:
    return is_finite(value) and 0 <= value <= _MOST


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
        return "-".join(f"{tidy_number(figure):,}" for figure in distinct)
    return "-".join(f"{tidy_number(figure / scale)}" for figure in distinct) + unit
