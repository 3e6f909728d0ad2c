"""Repair: mend exactly what verify finds, under the heads' locks, and verify again."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from threading import Event

from indexing.progress import Advance
from indexing.verify import Comparison, Dense, Report, Sampling
from ltm.apply import embed_heads, is_searchable, point_of
from ltm.ports import Locked, Point, Space, Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Repaired:
    """What a repair did.

    Attributes:
        found: What differed.
        mended: Points that were written or removed.
        proof: A second comparison, with the same sample.
    """

    found: Report
    mended: int
    proof: Report


class Repair:
    """Mends one generation. Points are overwritten whatever they say; outbox rows of what is mended are settled."""

    def __init__(
        self, store: Store, space: Space, *, sampling: Sampling, advance: Advance = lambda count: None
    ) -> None:
        self._store = store
        self._space = space
        self._sampling = sampling
        self._advance = advance

    def run(self, stop: Event | None = None) -> Repaired:
        """Mend what differs and prove it.

        Raises:
            ModelError: The embedder did not answer, or cannot be had here; what was mended before stays.
            VectorIndexError: The index did not answer.
            StoreUnavailableError: The store did not answer.
        """
        comparison = Comparison(self._store, self._space, sampling=self._sampling, advance=self._advance)
        mended = 0
        for page in comparison.differences(stop):
            mended += self._mend([difference.memory_id for difference in page])
        self._space.index.flush()
        proof = Comparison(self._store, self._space, sampling=self._sampling).run(stop)
        return Repaired(found=comparison.report, mended=mended, proof=proof)

    def _mend(self, memory_ids: Sequence[str]) -> int:
        heads = [owned.head for owned in self._store.read.owned(memory_ids).values()]
        dense = embed_heads(self._space.embedder, [head for head in heads if is_searchable(head)])
        mended = 0

        def write(locked: Locked) -> Collection[str]:
            nonlocal mended
            done = self._write(locked, dense)
            mended = len(done)
            return done

        self._store.outbox.apply(self._space.generation.generation_id, memory_ids, write)
        return mended

    def _write(self, locked: Locked, dense: Dense) -> Collection[str]:
        """Write the points of active heads, remove all others: what no search may find needs no point.

        A head that changed since it was embedded has a row in the outbox, and is left to it.
        """
        points: list[Point] = []
        removed = list(locked.gone)
        for owned in locked.heads.values():
            head = owned.head
            if not is_searchable(head):
                removed.append(head.memory_id)
            elif (vector := dense.get((head.text, head.context))) is not None:
                points.append(point_of(owned, vector))
        if points:
            self._space.index.replace(points)
        if removed:
            self._space.index.delete(removed)
        return [*(point.memory_id for point in points), *removed]
