from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, timedelta
from uuid import UUID

from ltm.clock import SystemClock


def test_time_is_aware_and_in_utc() -> None:
    """The wall clock tells its zone."""
    now = SystemClock().now()

    assert now.tzinfo is UTC
    assert now.utcoffset() == timedelta(0)


def test_ids_are_version_7_and_strictly_increasing_over_threads() -> None:
    """No two ids are equal, and each thread sees its own ids grow, as strings too."""
    clock = SystemClock()

    with ThreadPoolExecutor(8) as pool:
        runs = list(pool.map(lambda _: [clock.new_id() for _ in range(2000)], range(8)))

    assert all(run == sorted(run) for run in runs)
    every = [one for run in runs for one in run]
    assert len(set(every)) == len(every)
    assert {UUID(one).version for one in every} == {7}
    assert every[0] == every[0].lower()
    assert len(every[0]) == 36


def test_durations_never_go_back() -> None:
    """The monotonic clock grows or stands still."""
    clock = SystemClock()

    assert clock.monotonic() <= clock.monotonic()
