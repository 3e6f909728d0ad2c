"""How sets write a moment."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from eval.datasets.times import parse_time


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("2023-05-08T13:56:00Z", datetime(2023, 5, 8, 13, 56, tzinfo=UTC)),
        ("2023-05-08 13:56", datetime(2023, 5, 8, 13, 56, tzinfo=UTC)),
        ("2023-05-08", datetime(2023, 5, 8, tzinfo=UTC)),
        ("2023/05/20 (Sat) 02:21", datetime(2023, 5, 20, 2, 21, tzinfo=UTC)),
        ("1:56 pm on 8 May, 2023", datetime(2023, 5, 8, 13, 56, tzinfo=UTC)),
        ("May 8, 2023", datetime(2023, 5, 8, tzinfo=UTC)),
        ("2024年10月8日", datetime(2024, 10, 8, tzinfo=UTC)),
        ("2024年10月8日 下午3:05", datetime(2024, 10, 8, 15, 5, tzinfo=UTC)),
        ("2024年07月21日星期日12:30", datetime(2024, 7, 21, 12, 30, tzinfo=UTC)),
        (1683554160, datetime(2023, 5, 8, 13, 56, tzinfo=UTC)),
        (1683554160000, datetime(2023, 5, 8, 13, 56, tzinfo=UTC)),
        ("1683554160", datetime(2023, 5, 8, 13, 56, tzinfo=UTC)),
        ("2026-10-08T10:00:00+08:00", datetime(2026, 10, 8, 10, tzinfo=timezone(timedelta(hours=8)))),
    ],
)
def test_known_notations_give_the_moment(raw: object, expected: datetime) -> None:
    """Each notation that a published set uses gives an aware datetime, UTC where no zone is written."""
    assert parse_time(raw) == expected


@pytest.mark.parametrize("raw", [None, True, "", "soon", "2023年13月40日"])
def test_what_is_no_moment_gives_none(raw: object) -> None:
    """Anything else is left to the caller to report."""
    assert parse_time(raw) is None
