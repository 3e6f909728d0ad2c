"""Recency, and the boost of named days."""

from datetime import UTC, date, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

import numpy as np
import pytest

from ltm.recall.columns import Floats
from ltm.recall.dates import NamedSpan, NamedTimes, to_spans
from ltm.recall.dates.day_range import DayRange
from ltm.recall.score import day_boost, recency

NOW = datetime(2026, 11, 18, tzinfo=UTC)


def _seconds(*moments: datetime) -> Floats:
    return np.array([moment.timestamp() for moment in moments])


def _spans(days: tuple[DayRange, ...], zone: tzinfo) -> tuple[NamedSpan, ...]:
    return to_spans(NamedTimes(days=days), zone=zone, now=NOW)


def test_recency_halves_with_every_half_life() -> None:
    """1 now and in the future, 1/2 after one half-life, 1/4 after two; never a division by anything."""
    moments = _seconds(NOW + timedelta(days=9), NOW, NOW - timedelta(days=30), NOW - timedelta(days=60))
    assert recency(moments, np.full(4, 30.0), now=NOW).tolist() == pytest.approx([1.0, 1.0, 0.5, 0.25])
    assert recency(_seconds(datetime(1900, 1, 1, tzinfo=UTC)), np.array([0.5]), now=NOW)[0] == 0.0


def test_days_begin_and_end_in_the_users_zone() -> None:
    """17:00 UTC on the 7th is the 8th in Shanghai; the day's end is not in it; other days get nothing."""
    named = (DayRange(start=date(2026, 10, 8), end=date(2026, 10, 9), boost=2.0),)
    moments = _seconds(
        datetime(2026, 10, 7, 17, tzinfo=UTC), datetime(2026, 10, 8, 16, tzinfo=UTC), datetime(2026, 1, 1, tzinfo=UTC)
    )
    assert day_boost(moments, _spans(named, ZoneInfo("Asia/Shanghai")), weight=1.0).tolist() == [2.0, 0.0, 0.0]
    assert day_boost(moments, _spans(named, UTC), weight=1.0).tolist() == [0.0, 2.0, 0.0]


def test_the_highest_of_several_boosts_counts() -> None:
    """A day within a named month gets the day's boost, not the sum; a weight of 0 turns boosts off."""
    named = (
        DayRange(start=date(2026, 10, 1), end=date(2026, 11, 1), boost=1.25),
        DayRange(start=date(2026, 10, 8), end=date(2026, 10, 9), boost=2.0),
    )
    moments = _seconds(datetime(2026, 10, 8, 5, tzinfo=UTC), datetime(2026, 10, 20, tzinfo=UTC))
    assert day_boost(moments, _spans(named, UTC), weight=1.0).tolist() == [2.0, 1.25]
    assert day_boost(moments, _spans(named, UTC), weight=0.0).tolist() == [0.0, 0.0]
