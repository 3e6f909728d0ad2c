"""Keeps an index that this process holds alone in step with the store: no relay is needed beside it."""

import logging
import threading
from math import inf

from ltm.apply.backoff import OUTAGES
from ltm.apply.drain import Drain
from ltm.errors import IndexLockedError, LtmError
from ltm.models import Owner
from ltm.ports import Clock, Spaces, Store

_log = logging.getLogger(__name__)
_EVERY_S = 1.0
"""How often anybody's waiting rows are looked for: another process's, an erasure's, what a crash left."""
_BATCH = 64
"""Rows a step: about a second of a small model on a processor, in which a caller waits."""
_STEPS = 8
"""Steps for the owner who asks; what is left then is left to the next call."""


class Keeper:
    """Brings waiting outbox rows to the live generation on the calls of a `Memory`. Thread-safe; it never raises.

    Claims are not leased: whoever holds the index is the only one who can serve the rows, so what a killed process had
    begun must not wait for its lease.
    """

    def __init__(self, store: Store, spaces: Spaces, *, clock: Clock) -> None:
        self._store = store
        self._spaces = spaces
        self._clock = clock
        self._turn = threading.Lock()
        self._drain: tuple[int, Drain] | None = None
        self._looked_s = -inf
        self._failures = 0
        self._rests_until_s = -inf

    def settle(self, owner: Owner) -> bool:
        """Bring the rows of one owner to the index, as far as a caller may wait for it; tell whether any was done."""
        with self._turn:
            return self._work(owner, _STEPS) > 0

    def look_after(self) -> None:
        """Bring some of anybody's rows to the index, at most once a second, and never while another thread does."""
        if self._clock.monotonic() - self._looked_s < _EVERY_S or not self._turn.acquire(blocking=False):
            return
        try:
            self._looked_s = self._clock.monotonic()
            self._work(None, 1)
        finally:
            self._turn.release()

    def _work(self, owner: Owner | None, steps: int) -> int:
        if self._clock.monotonic() < self._rests_until_s:
            return 0
        settled = 0
        try:
            drain = self._find_drain(is_wanted=owner is not None)
            while drain is not None and steps > 0:
                done = drain.step(owner)
                settled += done.settled
                steps = steps - 1 if done.rows == _BATCH else 0
            self._failures = 0
        except IndexLockedError:
            # Asking again costs nothing, and as soon as the other process lets go, this one has to catch up.
            self._drain = None
        except LtmError as error:
            self._failures += 1
            self._drain = None
            self._rests_until_s = self._clock.monotonic() + OUTAGES.wait_s(self._failures, lambda: 1.0)
            _log.warning("rows wait in the outbox: %s", type(error).__name__)
        return settled

    def _find_drain(self, *, is_wanted: bool) -> Drain | None:
        """Return what serves the live generation, once it is known that the index answers; None where nothing waits."""
        live = self._store.generations.find_live()
        if live is None or not (is_wanted or self._store.outbox.lag(live.generation_id).rows):
            return None
        if self._drain is None or self._drain[0] != live.generation_id:
            space = self._spaces.get(live)
            # An embedded index is opened at its first use: a claim is of no use where another process has it.
            space.index.count()
            self._drain = (
                live.generation_id,
                Drain(self._store, space, clock=self._clock, jitter=lambda: 1.0, batch=_BATCH, lease_s=0.0),
            )
        return self._drain[1]
