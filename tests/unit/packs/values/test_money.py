"""Amounts as they are said."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ltm.models import Json, Lang
from ltm.packs.values.money import accept_money, read_money, show_money


@pytest.mark.parametrize(
    ("words", "low", "high", "currency", "period"),
    [
        ("15-20k", 15000, 20000, "CNY", "month"),
        ("１５－２０Ｋ", 15000, 20000, "CNY", "month"),
        ("15k到20k", 15000, 20000, "CNY", "month"),
        ("15k~20k", 15000, 20000, "CNY", "month"),
        ("15,000-20,000", 15000, 20000, "CNY", "month"),
        ("15000至20000元", 15000, 20000, "CNY", "month"),
        ("1.5万到2万", 15000, 20000, "CNY", "month"),
        ("1.5-2万", 15000, 20000, "CNY", "month"),
        ("1w5-2w", 15000, 20000, "CNY", "month"),
        ("一万五到两万", 15000, 20000, "CNY", "month"),
        ("十五到二十万", 150000, 200000, "CNY", "year"),
        ("8千到1.2万", 8000, 12000, "CNY", "month"),
        ("两三万", 20000, 30000, "CNY", "month"),
        ("2万5", 25000, 25000, "CNY", "month"),
        ("月薪两万二", 22000, 22000, "CNY", "month"),
        ("年薪30万", 300000, 300000, "CNY", "year"),
        ("30万一年", 300000, 300000, "CNY", "year"),
        ("年薪10万美元", 100000, 100000, "USD", "year"),
        ("不低于2w", 20000, None, "CNY", "month"),
        ("至少18k", 18000, None, "CNY", "month"),
        ("起码要1万5", 15000, None, "CNY", "month"),
        ("20k以上", 20000, None, "CNY", "month"),
        ("2万起", 20000, None, "CNY", "month"),
        ("20k以下不考虑", 20000, None, "CNY", "month"),
        ("低于20k的免谈", 20000, None, "CNY", "month"),
        ("3万以内", None, 30000, "CNY", "month"),
        ("不超过3万", None, 30000, "CNY", "month"),
        ("不高于3万", None, 30000, "CNY", "month"),
        ("日薪500", 500, 500, "CNY", "day"),
        ("$90k", 90000, 90000, "USD", "year"),
        ("at least $90k a year", 90000, None, "USD", "year"),
        ("60 to 70k EUR", 60000, 70000, "EUR", "year"),
        ("between 60 and 70k EUR per year", 60000, 70000, "EUR", "year"),
        ("€60k–€70k", 60000, 70000, "EUR", "year"),
        ("£45k", 45000, 45000, "GBP", "year"),
        ("$95k-105k a year", 95000, 105000, "USD", "year"),
        ("$90,000 or more", 90000, None, "USD", "year"),
        ("up to 70k EUR", None, 70000, "EUR", "year"),
        ("no more than 70k EUR", None, 70000, "EUR", "year"),
        ("3k EUR", 3000, 3000, "EUR", None),
        ("3k EUR a month", 3000, 3000, "EUR", "month"),
        ("$25 an hour", 25, 25, "USD", "hour"),
        ("HK$30k a month", 30000, 30000, "HKD", "month"),
        ("at least 90k a year", 90000, None, None, "year"),
        ("at least 90k please", 90000, None, None, None),
    ],
)
def test_what_is_said_outright_is_read(
    words: str, low: int | None, high: int | None, currency: str | None, period: str | None
) -> None:
    """Ranges, open ends, units, currencies and periods of both languages."""
    expected = {"min": low, "max": high, "currency": currency, "period": period}
    assert read_money(words, currency="CNY", period="month") == expected


@pytest.mark.parametrize(
    "words",
    [
        "",
        "面议",
        "15",
        "15-20",
        "低于20k",
        "less than 20k",
        "20k-15k",
        "年薪30万一个月",
        "第一千",
        "万",
        "千万",
        "1" * 40,
        "一" * 40,
        "500",
    ],
)
def test_what_is_not_clear_is_not_read(words: str) -> None:
    """Without a unit, upside down, or with two periods."""
    assert read_money(words, currency="CNY", period="month") is None


@pytest.mark.parametrize(
    ("value", "accepted"),
    [
        ({"min": 15000, "max": 20000}, {"min": 15000, "max": 20000, "currency": "CNY", "period": "month"}),
        ({"min": 300000}, {"min": 300000, "max": None, "currency": "CNY", "period": "year"}),
        (
            {"max": 9.5, "currency": "USD", "period": "hour"},
            {"min": None, "max": 9.5, "currency": "USD", "period": "hour"},
        ),
        (20000, {"min": 20000, "max": 20000, "currency": "CNY", "period": "month"}),
        ("15-20k", {"min": 15000, "max": 20000, "currency": "CNY", "period": "month"}),
    ],
)
def test_a_trusted_value_is_completed(value: Json, accepted: Json) -> None:
    """What a caller leaves out is what the slot counts in."""
    assert accept_money(value, currency="CNY", period="month") == accepted


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"min": None, "max": None},
        {"min": 3, "max": 2},
        {"min": -1},
        {"min": float("nan")},
        {"min": True},
        {"min": "15k"},
        {"min": 1, "unit": "k"},
        {"min": 1, "currency": "yuan"},
        {"min": 1, "period": "decade"},
        [1],
        "soon",
        None,
    ],
)
def test_a_malformed_value_is_not_accepted(value: Json) -> None:
    """The caller is told what is expected."""
    assert accept_money(value, currency="CNY", period="month") is None


@pytest.mark.parametrize(
    ("words", "zh", "en"),
    [
        ("15-20k", "15-20k/月", "15-20k CNY/month"),
        ("年薪30万以上", "30万+/年", "300k CNY+/year"),
        ("at least 65k EUR a year", "65k EUR+/年", "65k EUR+/year"),
        ("3万以内", "30k/月以内", "up to 30k CNY/month"),
        ("日薪500", "500/天", "500 CNY/day"),
        ("12.5k", "12.5k/月", "12.5k CNY/month"),
    ],
)
def test_an_amount_is_shown_as_people_write_it(words: str, zh: str, en: str) -> None:
    """In the language of the sentence around it."""
    amount = read_money(words, currency="CNY", period="month")
    assert (show_money(amount, Lang.ZH), show_money(amount, Lang.EN)) == (zh, en)


@given(st.text(alphabet="15-20kw万千至到一二两.,$€ 年月薪以上下不低于", max_size=30))
def test_no_words_raise_and_ends_are_ordered(words: str) -> None:
    """Whatever is said, min is not above max."""
    amount = read_money(words, currency="CNY", period="month")
    if amount is not None:
        low, high = amount["min"], amount["max"]
        assert (
            low is None
            or high is None
            or (isinstance(low, int | float) and isinstance(high, int | float) and low <= high)
        )
