"""Relays in processes of their own, which share a stand-in index: their calls come through a pipe to the test."""

import os
import signal
from multiprocessing import get_context
from pathlib import Path
from threading import Thread
from typing import cast

from indexing.bench.pipe import Caller, Pipe, answer_calls
from indexing.relay import Relay, RelayOptions
from indexing.stopping import stop_on_signals
from tests.support.houses import house_of
from tests.support.stand_in_index import StandInAdmin, StandInIndex

_START_S = 60.0


class RelayProcess:
    """A relay that runs until it is ended or killed; `name` is that of the thread in which its calls arrive."""

    def __init__(self, url: str, folder: Path, index: StandInIndex, options: RelayOptions, *, name: str) -> None:
        """Start it and wait until it has looked at the index."""
        spawn = get_context("spawn")
        mine, others = spawn.Pipe()
        self._process = spawn.Process(target=_relay, args=(url, folder, others, options))
        self._process.start()
        others.close()
        self._is_asked = False
        # Its first call says that it has started; the thread that answers it is not needed for that.
        assert mine.poll(_START_S), "the relay did not start"
        self._server = Thread(target=answer_calls, args=(index, mine), name=name)
        self._server.start()

    def kill(self) -> None:
        """Kill it with SIGKILL; what it had called may still be going on here."""
        os.kill(self._pid, signal.SIGKILL)
        self._process.join()

    def stop(self) -> None:
        """Ask it to end after its batch, once: a second signal would end it at once."""
        if self._process.is_alive() and not self._is_asked:
            self._is_asked = True
            os.kill(self._pid, signal.SIGTERM)

    def end(self) -> int | None:
        """Ask it to end, wait until it is gone and nothing goes on here, and return its exit status."""
        self.stop()
        self._process.join()
        self._server.join()
        return self._process.exitcode

    @property
    def _pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid


class _RemoteAdmin(StandInAdmin):
    """Knows the one generation at the other end."""

    def __init__(self, calls: Pipe) -> None:
        super().__init__()
        self._index = cast(StandInIndex, Caller(calls))

    def create(self, name: str, *, dim: int, fingerprint: str) -> StandInIndex:
        """Open it."""
        return self._index

    open = create


def _relay(url: str, folder: Path, calls: Pipe, options: RelayOptions) -> None:
    """Run until SIGTERM; the main function of the process."""
    with stop_on_signals() as stop, house_of(url, folder, _RemoteAdmin(calls)) as house:
        Relay(house.store, house.spaces, clock=house.clock, jitter=lambda: 0.5, options=options).run(stop)
