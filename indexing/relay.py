"""The relay: brings to the index what a writer could not."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Event

from ltm.apply import BATCH
from ltm.apply.backoff import OUTAGES, ROWS, Backoff, Jitter
from ltm.apply.drain import Drain, Tally
from ltm.errors import IndexLockedError, LtmError
from ltm.ports import Clock, Generation, Spaces, Store

_log = logging.getLogger(__name__)
_SERVED = ("live", "building")


@dataclass(frozen=True, slots=True, kw_only=True)
class RelayOptions:
    """How a relay works.

    Attributes:
        batch: Rows a claim.
        backoff: Of a row that fails.
        outages: Of a part that does not answer.
        lease_s: How long a claim lasts; None goes by what batches take, 0 is for an index that nobody else can serve.
        idle_s: Wait before the next look at an empty outbox.
        report_s: Seconds between two log lines.
    """

    batch: int = BATCH
    backoff: Backoff = ROWS
    outages: Backoff = OUTAGES
    lease_s: float | None = None
    idle_s: float = 1.0
    report_s: float = 30.0


@dataclass(slots=True, kw_only=True)
class _Served:
    """A generation in the relay's hands; `failures` in a row put it off until a moment of the monotonic clock."""

    drain: Drain | None = None
    failures: int = 0
    until_s: float = 0.0


class Relay:
    """Serves the live generation and those that are being built, as far as they can be opened here.

    A retired generation's rows wait for a rollback. Any number of relays may run on one database where the index is a
    server; an embedded index is held by one process.
    """

    def __init__(
        self, store: Store, spaces: Spaces, *, clock: Clock, jitter: Jitter, options: RelayOptions | None = None
    ) -> None:
        """Take the parts; nothing is opened yet."""
        self._store = store
        self._spaces = spaces
        self._clock = clock
        self._jitter = jitter
        self._options = options or RelayOptions()
        self._served: dict[int, _Served] = {}
        self._total = Tally()

    def once(self, stop: Event) -> Tally:
        """Work until nothing of the live generation is due, or `stop` is set.

        Raises:
            LtmError: Store, index or embedder did not answer; `IndexLockedError` where another process has the index.
        """
        live = self._store.generations.find_live()
        done = Tally() if live is None else self._make_drain(live).empty(stop)
        self._total += done
        self._report()
        return done

    def run(self, stop: Event) -> None:
        """Work until `stop` is set; a part that does not answer is asked again, ever less often.

        Raises:
            IndexLockedError: Another process has the embedded index.
        """
        reported_s = self._clock.monotonic()
        while not stop.is_set():
            done = self._round(stop)
            self._total += done
            if self._clock.monotonic() - reported_s >= self._options.report_s:
                self._report()
                reported_s = self._clock.monotonic()
            if done.rows == 0:
                stop.wait(self._options.idle_s * (0.5 + self._jitter()))
        self._report()

    def _round(self, stop: Event) -> Tally:
        """Give every generation that is not put off one step."""
        done = Tally()
        for generation in self._generations():
            served = self._served.setdefault(generation.generation_id, _Served())
            if stop.is_set() or served.until_s > self._clock.monotonic():
                continue
            try:
                served.drain = served.drain or self._make_drain(generation)
                done += served.drain.step()
                served.failures = 0
            except IndexLockedError:
                raise
            except Exception as error:  # noqa: BLE001 - the relay outlives whatever a part does
                self._put_off(generation, served, error)
        return done

    def _generations(self) -> Sequence[Generation]:
        """Return what is served, the live generation first; none while the store does not answer."""
        try:
            found = self._store.generations.list_all()
        except LtmError as error:
            _log.warning("relay: the store does not answer: %s", type(error).__name__)
            return ()
        served = [generation for generation in found if generation.state in _SERVED]
        return sorted(served, key=lambda generation: generation.state != "live")

    def _make_drain(self, generation: Generation) -> Drain:
        space = self._spaces.get(generation)
        # An embedded index is opened at its first use: find out now whether another process has it.
        space.index.count()
        return Drain(
            self._store,
            space,
            clock=self._clock,
            jitter=self._jitter,
            backoff=self._options.backoff,
            batch=self._options.batch,
            lease_s=self._options.lease_s,
        )

    def _put_off(self, generation: Generation, served: _Served, error: Exception) -> None:
        served.failures += 1
        wait_s = self._options.outages.wait_s(served.failures, self._jitter)
        served.until_s = self._clock.monotonic() + wait_s
        # Opened again next time: what was opened may be what is broken.
        served.drain = None
        _log.warning("relay: %s waits %.0f s: %s", generation.name, wait_s, type(error).__name__)

    def _report(self) -> None:
        """Log the counters since the start, and how far the live generation is behind."""
        try:
            live = self._store.generations.find_live()
            lag = None if live is None else self._store.outbox.lag(live.generation_id)
        except LtmError as error:
            _log.warning("relay: the lag is unknown: %s", type(error).__name__)
            return
        total = self._total
        _log.info(
            "relay generation=%s rows_total=%d settled_total=%d failed_total=%d dead_total=%d "
            "dead=%d lag_rows=%d lag_seconds=%.1f",
            live.name if live else "none",
            total.rows,
            total.settled,
            total.failed,
            total.dead,
            lag.dead if lag else 0,
            lag.rows if lag else 0,
            lag.seconds if lag else 0.0,
        )
