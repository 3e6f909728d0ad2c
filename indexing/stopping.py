"""A job that is asked to stop finishes its batch."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event
from types import FrameType

_SIGNALS = (signal.SIGTERM, signal.SIGINT)


@contextmanager
def stop_on_signals() -> Iterator[Event]:
    """Yield an event that SIGTERM or Ctrl-C sets; a second signal acts as it did before. Main thread only."""
    stop = Event()
    before = {number: signal.getsignal(number) for number in _SIGNALS}

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    def handle(number: int, frame: FrameType | None) -> None:
        stop.set()
        restore()

    for number in _SIGNALS:
        signal.signal(number, handle)
    try:
        yield stop
    finally:
        restore()
