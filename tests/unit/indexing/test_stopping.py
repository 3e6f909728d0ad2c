import os
import signal

import pytest

from indexing.stopping import stop_on_signals


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_asks_to_stop(number: signal.Signals) -> None:
    """The event is set, and the handlers are as before; a second signal would act as it always did."""
    before = signal.getsignal(number)
    with stop_on_signals() as stop:
        assert not stop.is_set()
        os.kill(os.getpid(), number)
        assert stop.wait(5)
        assert signal.getsignal(number) == before
    assert signal.getsignal(number) == before
