"""Reindex: build a generation beside the live one, prove it, switch to it."""

import logging
from dataclasses import dataclass
from enum import StrEnum
from threading import Event

from indexing.build import Build
from indexing.naming import next_name
from indexing.opening import lease_of, open_generation
from indexing.probe import Probe, probe_embedder
from indexing.progress import Silent, Watch
from indexing.recall_check import RecallCheck, check_recall
from indexing.verify import Comparison, Report, Sampling
from ltm.apply.backoff import ROWS_OF_A_JOB, Jitter
from ltm.apply.drain import Drain
from ltm.errors import InvalidRequestError
from ltm.house import House
from ltm.ports import Embedder, Generation, Space, embedder_fingerprint

_log = logging.getLogger(__name__)


class Ending(StrEnum):
    """How a reindex ended."""

    SWITCHED = "switched"
    """The new generation is live."""
    REFUSED = "refused"
    """It did not pass; the live generation stays, and so does the new one, for `repair` or `gc`."""
    STOPPED = "stopped"
    """It was asked to stop; the next run goes on at the checkpoint."""
    UNNEEDED = "unneeded"
    """The live generation is of this embedder, and whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What became of a reindex.

    Attributes:
        generation: Name of the new generation, of the live one where nothing was needed.
        report: Comparison of every point with SQL, or None where it did not come to that.
        recall: Answers of the new generation beside the live one's, or None.
    """

    ending: Ending
    generation: str
    report: Report | None = None
    recall: RecallCheck | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReindexOptions:
    """How to build.

    Attributes:
        workers: Batches at a time, in threads.
        batch: Memories a batch; None takes about two seconds of the embedder.
        is_shared: Let every relay take its part; for servers.
        is_forced: Also where the live generation is whole and of this embedder.
        sample: About how many memories are embedded again, and asked for, before the switch.
    """

    workers: int = 1
    batch: int | None = None
    is_shared: bool = False
    is_forced: bool = False
    sample: int = 100


class Reindex:
    """A job for a process that holds the index: a command, or a thread of the application.

    Meanwhile the live generation answers; what is written raises an outbox row for both. Killed or stopped, the next
    run for the same embedder goes on where it was.
    """

    def __init__(
        self,
        house: House,
        embedder: Embedder,
        *,
        jitter: Jitter,
        options: ReindexOptions | None = None,
        watch: Watch | None = None,
    ) -> None:
        """Take the parts; nothing is asked yet.

        Args:
            house: The store to work on, e.g. the one a `Memory` is made of.
            embedder: Of the new generation; it stays the caller's to close.
            jitter: For waits between attempts.
            options: How to build.
            watch: Is told how far it is.
        """
        self._house = house
        self._store = house.store
        self._embedder = embedder
        self._jitter = jitter
        self._options = options or ReindexOptions()
        self._watch = watch or Silent()

    def estimate(self) -> Probe:
        """Return what a run would cost; changes nothing. Raises what `run` raises."""
        return probe_embedder(self._house, self._embedder)

    def run(self, stop: Event | None = None) -> Result:
        """Build, prove, switch.

        Raises:
            ModelError: The embedder did not answer; before the build begins this has changed nothing.
            IndexLockedError: Another process has the embedded index; nothing was changed.
            VectorIndexError: The index did not answer; before the build begins this has changed nothing.
            StoreUnavailableError: The store did not answer.
        """
        stop = stop or Event()
        probe = probe_embedder(self._house, self._embedder)
        live = self._store.generations.find_live()
        usable = None if live is None else open_generation(self._house, live).space
        taken = {*self._house.admin.names(), *(known.name for known in self._store.generations.list_all())}
        if live is not None and self._is_whole(live, usable, probe) and not self._options.is_forced:
            return Result(ending=Ending.UNNEEDED, generation=live.name)
        space = self._open_target(probe, next_name(taken, embedder_fingerprint(probe.spec)), is_first=live is None)
        if not self._fill(space, probe, stop) or not self._catch_up(space, stop):
            return Result(ending=Ending.STOPPED, generation=space.generation.name)
        return self._prove_and_switch(space, usable, probe, stop)

    def _is_whole(self, live: Generation, usable: Space | None, probe: Probe) -> bool:
        if usable is None or live.fingerprint != embedder_fingerprint(probe.spec):
            return False
        return self._find_unfinished(live.fingerprint) is None and usable.index.count() >= probe.memories

    def _find_unfinished(self, fingerprint: str) -> Generation | None:
        found = [known for known in self._store.generations.list_all() if known.state == "building"]
        return next((known for known in found if known.fingerprint == fingerprint), None)

    def _open_target(self, probe: Probe, name: str, *, is_first: bool) -> Space:
        """Return the generation to fill: an unfinished one of this embedder, or a new one."""
        fingerprint = embedder_fingerprint(probe.spec)
        generations = self._store.generations
        if is_first:
            generation = generations.ensure_live(name, fingerprint=fingerprint, spec=probe.spec)
        else:
            generation = self._find_unfinished(fingerprint) or self._register(name, probe)
        index = self._house.admin.create(generation.name, dim=generation.dim, fingerprint=generation.fingerprint)
        if generation.checkpoint and index.count() == 0:
            _log.warning("reindex: %s has lost its points: it begins again", generation.name)
            generations.checkpoint(generation.generation_id, "")
            generation = next(known for known in generations.list_all() if known.name == generation.name)
        return Space(generation=generation, index=index, embedder=self._embedder)

    def _register(self, name: str, probe: Probe) -> Generation:
        fingerprint = embedder_fingerprint(probe.spec)
        try:
            return self._store.generations.create(name, fingerprint=fingerprint, spec=probe.spec)
        except InvalidRequestError:
            # Another job for this embedder was a moment earlier: build with it.
            joined = self._find_unfinished(fingerprint)
            if joined is None:
                raise
            return joined

    def _fill(self, space: Space, probe: Probe, stop: Event) -> bool:
        options = self._options
        batch = options.batch or probe.batch
        build = Build(self._store, space, batch=batch, workers=options.workers, is_shared=options.is_shared)
        begun = space.index.count()
        with self._watch.stage("build", max(probe.memories - begun, 0)) as advance:
            return build.run(stop, advance)

    def _catch_up(self, space: Space, stop: Event) -> bool:
        """Apply what was written meanwhile until nothing waits; False where `stop` came first."""
        drain = Drain(
            self._store,
            space,
            clock=self._house.clock,
            jitter=self._jitter,
            backoff=ROWS_OF_A_JOB,
            lease_s=lease_of(self._house) if self._options.workers == 1 else None,
        )
        with self._watch.stage("catch up", self._store.outbox.lag(space.generation.generation_id).rows) as advance:
            return drain.catch_up(stop, workers=self._options.workers, advance=advance)

    def _prove_and_switch(self, space: Space, live: Space | None, probe: Probe, stop: Event) -> Result:
        name = space.generation.name
        space.index.flush()
        sampling = Sampling(every=max(1, probe.memories // max(self._options.sample, 1)))
        with self._watch.stage("verify", probe.memories) as advance:
            report = Comparison(self._store, space, sampling=sampling, advance=advance).run(stop)
        if not report.is_complete:
            return Result(ending=Ending.STOPPED, generation=name, report=report)
        recall = check_recall(self._store.read, space, live, report.sample)
        if not report.is_clean or not recall.is_sound:
            return Result(ending=Ending.REFUSED, generation=name, report=report, recall=recall)
        if not self._catch_up(space, stop):
            return Result(ending=Ending.STOPPED, generation=name, report=report, recall=recall)
        self._store.generations.switch(space.generation.generation_id)
        # Writers that read the pointer just before it moved have applied their rows to the generation before.
        self._catch_up(space, stop)
        return Result(ending=Ending.SWITCHED, generation=name, report=report, recall=recall)
