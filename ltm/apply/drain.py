"""Brings waiting outbox rows of one generation to its index, a batch at a time."""

import logging
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from threading import Event

from ltm.apply.apart import apply_apart
from ltm.apply.backoff import ROWS, Backoff, Jitter
from ltm.apply.heads import BATCH
from ltm.errors import LtmError
from ltm.models import Owner
from ltm.ports import Clock, Failure, OutboxRow, Space, Store

_log = logging.getLogger(__name__)
# A claim lasts ten times as long as the last batch took. A batch that takes longer is done twice, which does no harm;
# what a killed process had claimed comes back when its lease has run out, what failed at once.
_LEASES = 10.0
_POLL_S = 0.2
_FIRST_LEASE_S, _SHORTEST_LEASE_S, _LONGEST_LEASE_S = 60.0, 10.0, 600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What became of claimed rows; a row that is neither settled nor failed changed meanwhile and is claimed again.

    Attributes:
        dead: Of the failed ones, those that became dead letters.
    """

    rows: int = 0
    settled: int = 0
    failed: int = 0
    dead: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            rows=self.rows + other.rows,
            settled=self.settled + other.settled,
            failed=self.failed + other.failed,
            dead=self.dead + other.dead,
        )


class Drain:
    """Works on the rows of one generation. Several may work on the same one, in threads or on other machines."""

    def __init__(
        self,
        store: Store,
        space: Space,
        *,
        clock: Clock,
        jitter: Jitter,
        backoff: Backoff = ROWS,
        batch: int = BATCH,
        lease_s: float | None = None,
    ) -> None:
        """Take the parts; nothing is asked of them yet.

        Args:
            store: Its outbox is worked on.
            space: The generation.
            clock: For waits.
            jitter: Keeps those who failed at once from asking in step.
            backoff: Of a row that fails.
            batch: Rows a claim.
            lease_s: How long a claim lasts; None goes by what batches take. 0 where nobody else may work on the
                generation: then a claim dies with the process.
        """
        self._store = store
        self._space = space
        self._generation_id = space.generation.generation_id
        self._clock = clock
        self._jitter = jitter
        self._backoff = backoff
        self._batch = batch
        self._fixed_lease_s = lease_s
        self._lease_s = _FIRST_LEASE_S if lease_s is None else lease_s

    def step(self, owner: Owner | None = None) -> Tally:
        """Claim one batch of due rows, of one owner or of all, and apply it; where nothing is due, nothing is done.

        A row that fails while store, index and embedder answer is tried again later, a dead letter in the end.

        Raises:
            LtmError: Store, index or embedder do not answer. No attempt is counted, and what was claimed is due again.
        """
        rows = self._store.outbox.claim(self._generation_id, limit=self._batch, lease_s=self._lease_s, owner=owner)
        begun_s = self._clock.monotonic()
        try:
            done = self._apply(rows)
        except BaseException:
            self._release(rows)
            raise
        if rows and self._fixed_lease_s is None:
            took_s = self._clock.monotonic() - begun_s
            self._lease_s = min(max(took_s * _LEASES, _SHORTEST_LEASE_S), _LONGEST_LEASE_S)
        return done

    def empty(self, stop: Event, *, workers: int = 1) -> Tally:
        """Step, in so many threads, until nothing is due or `stop` is set; what it raises is what `step` raises."""
        if workers == 1:
            return self._empty(stop)
        with ThreadPoolExecutor(workers, thread_name_prefix="drain") as pool:
            return sum(pool.map(lambda _: self._empty(stop), range(workers)), Tally())

    def catch_up(self, stop: Event, *, workers: int = 1, advance: Callable[[int], None] = lambda count: None) -> bool:
        """Go on until nothing waits, not even what others have claimed; False where `stop` came first."""
        while not stop.is_set():
            done = self.empty(stop, workers=workers)
            advance(done.settled)
            if self._store.outbox.lag(self._generation_id).rows == 0:
                return True
            stop.wait(_POLL_S)
        return False

    def _empty(self, stop: Event) -> Tally:
        done = Tally()
        while not stop.is_set():
            step = self.step()
            done += step
            if step.rows == 0:
                break
        return done

    def _apply(self, rows: Sequence[OutboxRow]) -> Tally:
        # Removals and changes of status first: they go through while the embedder is down.
        light = apply_apart(self._store, self._space, [row.memory_id for row in rows if not row.needs_embedding])
        heavy = apply_apart(self._store, self._space, [row.memory_id for row in rows if row.needs_embedding])
        failed = light.failed | heavy.failed
        dead = self._fail(rows, failed) if failed else 0
        return Tally(rows=len(rows), settled=light.settled + heavy.settled, failed=len(failed), dead=dead)

    def _release(self, rows: Sequence[OutboxRow]) -> None:
        """Give claims back; while the store does not answer, their leases run out."""
        try:
            self._store.outbox.release(rows)
        except LtmError as error:
            _log.warning("%d claims wait for their leases: %s", len(rows), type(error).__name__)

    def _fail(self, rows: Sequence[OutboxRow], failed: Mapping[str, str]) -> int:
        failures = [self._failure(row, failed[row.memory_id]) for row in rows if row.memory_id in failed]
        self._store.outbox.fail(self._generation_id, failures)
        dead = [failure for failure in failures if failure.next_attempt_at is None]
        for failure in dead:
            _log.error("dead letter: memory %s, %s", failure.memory_id, failure.error)
        return len(dead)

    def _failure(self, row: OutboxRow, error: str) -> Failure:
        failures = row.attempts + 1
        if self._backoff.is_dead(failures):
            return Failure(memory_id=row.memory_id, error=error, next_attempt_at=None)
        wait = timedelta(seconds=self._backoff.wait_s(failures, self._jitter))
        return Failure(memory_id=row.memory_id, error=error, next_attempt_at=self._clock.now() + wait)
