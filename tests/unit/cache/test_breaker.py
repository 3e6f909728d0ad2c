from ltm.cache.breaker import CircuitBreaker
from tests.support.manual_clock import ManualClock


def make(clock: ManualClock) -> CircuitBreaker:
    """Return a closed one that opens at the third failure for five seconds."""
    return CircuitBreaker(max_failures=3, pause_s=5, monotonic=clock.monotonic)


def fail(breaker: CircuitBreaker, times: int) -> None:
    """Report failures of calls that were allowed."""
    for _ in range(times):
        assert breaker.allows()
        breaker.failed()


def test_it_opens_after_failures_in_a_row() -> None:
    """The third failure closes the way for the fourth call."""
    breaker = make(ManualClock())

    fail(breaker, 3)

    assert not breaker.allows()


def test_a_success_between_failures_starts_the_count_anew() -> None:
    """Only failures in a row count."""
    breaker = make(ManualClock())

    fail(breaker, 2)
    breaker.succeeded()
    fail(breaker, 2)

    assert breaker.allows()


def test_after_the_pause_one_call_tries_and_the_others_wait() -> None:
    """A dead server costs one wait a pause, not one a thread."""
    clock = ManualClock()
    breaker = make(clock)
    fail(breaker, 3)
    clock.advance(5)

    assert [breaker.allows(), breaker.allows()] == [True, False]
    breaker.failed()
    clock.advance(4.9)
    assert not breaker.allows()
    clock.advance(0.1)
    assert breaker.allows()
    breaker.succeeded()
    assert [breaker.allows(), breaker.allows()] == [True, True]


def test_a_trial_that_never_reports_back_is_followed_by_another() -> None:
    """A caller that was killed in its trial does not keep the circuit open for ever."""
    clock = ManualClock()
    breaker = make(clock)
    fail(breaker, 3)
    clock.advance(5)
    assert breaker.allows()
    clock.advance(5)

    assert breaker.allows()
