from hypothesis import given
from hypothesis import strategies as st

from ltm.apply.backoff import Backoff


def test_waits_double_up_to_the_longest() -> None:
    """Without jitter each wait is half of its whole length, which doubles."""
    backoff = Backoff(first_s=1.0, longest_s=10.0)
    waits = [backoff.wait_s(failures, lambda: 0.0) for failures in range(1, 7)]
    assert waits == [0.5, 1.0, 2.0, 4.0, 5.0, 5.0]


@given(st.integers(min_value=1, max_value=10_000), st.floats(min_value=0, max_value=1, exclude_max=True))
def test_a_wait_lies_between_a_half_and_the_whole(failures: int, random: float) -> None:
    """However often something failed, and whatever the jitter."""
    backoff = Backoff(first_s=1.0, longest_s=300.0)
    whole = min(300.0, 2.0 ** (failures - 1)) if failures < 20 else 300.0
    assert whole / 2 <= backoff.wait_s(failures, lambda: random) <= whole


def test_the_last_attempt() -> None:
    """A row is dead when it has failed as often as it may."""
    backoff = Backoff(attempts=3)
    assert [backoff.is_dead(failures) for failures in (1, 2, 3, 4)] == [False, False, True, True]
