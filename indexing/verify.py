"""Verify: compare SQL and one generation of the index, both ways."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Event
from zlib import crc32

from indexing.difference import Difference, Fault, payload_faults, vector_faults
from indexing.progress import Advance
from indexing.walk import Pair, in_batches, walk
from ltm.apply import embed_heads, is_searchable
from ltm.ports import Locked, OwnedHead, Space, Store, StoredPoint, Vector

PAGE = 512
"""Heads and points that are held, and locked, at a time."""
SHOWN = 1_000
"""Differences that a report names one by one; all are counted."""
Dense = Mapping[tuple[str, str | None], Vector]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """Which memories are embedded again: the same ones as long as `salt` is the same.

    Attributes:
        every: About one of so many; 0 takes none, 1 all.
    """

    every: int
    salt: int = 0

    def takes(self, memory_id: str) -> bool:
        """Tell whether a memory is in the sample."""
        return self.every > 0 and crc32(memory_id.encode(), self.salt) % self.every == 0


@dataclass(slots=True, kw_only=True)
class Report:
    """What a comparison found.

    Attributes:
        generation: Its name.
        heads: Memories that were looked at, of every status.
        points: Points that were looked at.
        sampled: Points whose text was embedded again.
        in_flight: Points that differ and have a row in the outbox: not a difference, but a relay's work.
        unusable: Why the generation cannot be compared at all, else None.
        is_complete: False where the job was stopped.
        faults: How many points differ in what.
        shown: The first differences, by memory id.
        sample: Memories whose points were compared with their vectors, the first ones by id.
    """

    generation: str
    heads: int = 0
    points: int = 0
    sampled: int = 0
    in_flight: int = 0
    different: int = 0
    unusable: str | None = None
    is_complete: bool = True
    faults: dict[Fault, int] = field(default_factory=dict)
    shown: list[Difference] = field(default_factory=list)
    sample: list[OwnedHead] = field(default_factory=list)

    @property
    def is_clean(self) -> bool:
        """Tell whether everything was compared and nothing differs."""
        return self.is_complete and self.unusable is None and self.different == 0

    def add(self, differences: Sequence[Difference]) -> None:
        """Count differences."""
        self.different += len(differences)
        self.shown += differences[: SHOWN - len(self.shown)]
        for fault in (fault for difference in differences for fault in difference.faults):
            self.faults[fault] = self.faults.get(fault, 0) + 1


class Comparison:
    """Walks one generation; what differs at first sight is looked at again under the heads' locks."""

    def __init__(
        self, store: Store, space: Space, *, sampling: Sampling, advance: Advance = lambda count: None
    ) -> None:
        self._store = store
        self._space = space
        self._sampling = sampling if space.embedder is not None else Sampling(every=0)
        self._advance = advance
        self.report = Report(generation=space.generation.name)

    def run(self, stop: Event | None = None) -> Report:
        """Compare everything and return the report."""
        for _ in self.differences(stop):
            pass
        return self.report

    def differences(self, stop: Event | None = None) -> Iterator[list[Difference]]:
        """Yield what differs, a page at a time, by memory id; pages without a difference are left out.

        Raises:
            ModelError: The embedder did not answer.
            VectorIndexError: The index did not answer.
            StoreUnavailableError: The store did not answer.
        """
        for pairs in in_batches(walk(self._store.read, self._space.index, page=PAGE), PAGE):
            if stop is not None and stop.is_set():
                self.report.is_complete = False
                return
            found = self._examine(pairs)
            self._count(pairs, found)
            if found:
                yield found

    def _examine(self, pairs: Sequence[Pair]) -> list[Difference]:
        sampled = [
            pair.owned
            for pair in pairs
            if pair.owned is not None
            and pair.point is not None
            and is_searchable(pair.owned.head)
            and self._sampling.takes(pair.memory_id)
        ]
        dense = embed_heads(self._space.embedder, [owned.head for owned in sampled])
        self.report.sampled += len(sampled)
        self.report.sample += sampled[: SHOWN - len(self.report.sample)]
        suspects = {pair.memory_id for pair in pairs if payload_faults(pair.owned, pair.point)}
        suspects.update(self._wrong_vectors(sampled, dense))
        return self._look_again(sorted(suspects), dense) if suspects else []

    def _wrong_vectors(self, sampled: Sequence[OwnedHead], dense: Dense) -> Iterator[str]:
        owned = {one.head.memory_id: one for one in sampled}
        for point in self._space.index.retrieve(list(owned), with_vectors=True) if owned else ():
            head = owned[point.memory_id].head
            if vector_faults(owned[point.memory_id], point, dense[head.text, head.context]):
                yield point.memory_id

    def _look_again(self, memory_ids: Sequence[str], dense: Dense) -> list[Difference]:
        found: list[Difference] = []
        in_flight = 0

        def look(locked: Locked) -> None:
            # The outbox first: a row that is gone by now has left its point behind, as it should be.
            nonlocal found, in_flight
            waiting = self._store.outbox.waiting(self._space.generation.generation_id, memory_ids)
            points = self._space.index.retrieve(memory_ids, with_vectors=bool(dense))
            stored = {point.memory_id: point for point in points}
            faults = {one: _faults(locked, one, stored.get(one), dense) for one in memory_ids}
            in_flight = sum(bool(faults[one]) for one in waiting)
            found = [
                Difference(memory_id=one, faults=faults[one])
                for one in memory_ids
                if faults[one] and one not in waiting
            ]

        self._store.outbox.locked(memory_ids, look)
        self.report.in_flight += in_flight
        return found

    def _count(self, pairs: Sequence[Pair], found: Sequence[Difference]) -> None:
        heads = sum(pair.owned is not None for pair in pairs)
        self.report.heads += heads
        self.report.points += sum(pair.point is not None for pair in pairs)
        self.report.add(found)
        self._advance(heads)


def _faults(locked: Locked, memory_id: str, point: StoredPoint | None, dense: Dense) -> tuple[Fault, ...]:
    owned = locked.heads.get(memory_id)
    faults = payload_faults(owned, point)
    if owned is None or point is None or not is_searchable(owned.head):
        return faults
    expected = dense.get((owned.head.text, owned.head.context))
    return faults if expected is None else faults + vector_faults(owned, point, expected)
