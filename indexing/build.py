"""The build pass of a reindex: every active memory, by id, into a new generation."""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from threading import Event

from indexing.progress import Advance
from indexing.walk import scan_pages
from ltm.apply.apart import apply_apart
from ltm.models import Status
from ltm.ports import Head, Space, Store


@dataclass(frozen=True, slots=True, kw_only=True)
class _Batch:
    memory_ids: Sequence[str]
    work: Future[None]


class Build:
    """Fills a generation from its checkpoint on.

    A batch is applied under its heads' locks, like an outbox row: what is written is the head as it is then. The
    checkpoint is the last id of the batches that are done without a gap, so a killed build repeats some and loses none.
    """

    def __init__(self, store: Store, space: Space, *, batch: int, workers: int, is_shared: bool) -> None:
        """Take the parts.

        Args:
            store: Where the memories are.
            space: The generation that is being built.
            batch: Memories that are embedded and written together.
            workers: Batches at a time.
            is_shared: Hand the batches to the outbox, where every relay that serves this generation takes its part.
        """
        self._store = store
        self._space = space
        self._batch = batch
        self._workers = workers
        self._is_shared = is_shared

    def run(self, stop: Event, advance: Advance) -> bool:
        """Work until the last memory is done, and return False where `stop` came first.

        Raises:
            LtmError: Store, index or embedder did not answer; the next run begins at the checkpoint.
        """
        running: deque[_Batch] = deque()
        with ThreadPoolExecutor(self._workers, thread_name_prefix="reindex") as pool:
            try:
                for heads in self._batches():
                    if stop.is_set():
                        break
                    running.append(_Batch(memory_ids=list(heads), work=pool.submit(self._work, heads)))
                    if len(running) > self._workers:
                        self._finish(running.popleft(), advance)
                while running:
                    self._finish(running.popleft(), advance)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        return not stop.is_set()

    def _batches(self) -> Iterator[Mapping[str, Head]]:
        begun = self._space.generation.checkpoint
        for page in scan_pages(self._store.read, page=self._batch, after=begun, statuses=(Status.ACTIVE,)):
            yield {owned.head.memory_id: owned.head for owned in page}

    def _work(self, heads: Mapping[str, Head]) -> None:
        failed = list(heads)
        if not self._is_shared:
            # What changes from here on raises a row for this generation too, and is done again when it catches up.
            failed = list(apply_apart(self._store, self._space, failed, heads).failed)
        if failed:
            # Tried again with the other rows, and a dead letter in the end: then the switch is refused.
            self._store.outbox.enqueue(self._space.generation.generation_id, failed)

    def _finish(self, batch: _Batch, advance: Advance) -> None:
        batch.work.result()
        self._store.generations.checkpoint(self._space.generation.generation_id, batch.memory_ids[-1])
        advance(len(batch.memory_ids))
