"""Memories within a unit of work."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from ltm.errors import VersionConflictError
from ltm.models import Evidence, Kind, MemoryVersion, Status
from ltm.ports import Head, NewVersion, Sighting
from ltm.store.chain import MadeBy, Placed
from ltm.store.external_ids import Named, find_external, insert_external
from ltm.store.memories import insert_heads, list_heads, update_heads
from ltm.store.mending import ended
from ltm.store.quotes import NewQuote, insert_quotes, list_quotes, standing
from ltm.store.records import to_record
from ltm.store.unit.part import Bench, Part
from ltm.store.unit.tracked import TrackedMemory
from ltm.store.unit.tracking import Tracking
from ltm.store.versions import insert_versions, update_versions


class MemoryPart(Part):
    """Implements `ltm.ports.ChainUnit`. Changes are collected and written in bulk by `flush`."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self._tracking = Tracking(bench.session, bench.owner, bench.slots)
        self._quotes: list[NewQuote] = []
        self._external: dict[str, Named] = {}
        self._reinforced: list[tuple[str, Named]] = []
        self._asked_external: set[str] = set()
        self._raised: dict[str, bool] = {}
        self._is_changed = False

    @property
    def raised(self) -> Mapping[str, bool]:
        """Return the memories whose points change, and whether they need an embedding; complete after `flush`."""
        return self._raised

    @property
    def is_changed(self) -> bool:
        """Tell whether a memory was changed; complete after `flush`."""
        return self._is_changed

    def prefetch(
        self,
        *,
        memory_ids: Collection[str] = (),
        keys: Collection[str] = (),
        fingerprints: Collection[str] = (),
        external_ids: Collection[str] = (),
    ) -> None:
        """Load chains in bulk."""
        self._ask_external(external_ids)
        named = [self._external[each].memory_id for each in external_ids if each in self._external]
        self._tracking.ask_ids([*memory_ids, *named])
        self._tracking.ask_keys(keys)
        self._tracking.ask_fingerprints(fingerprints)
        self._tracking.load_all()

    def find(self, memory_id: str) -> Head | None:
        """Return the head of a memory, or None."""
        return _head(self._tracking.find(memory_id))

    def get_head(self, memory_id: str) -> Head:
        """Return the head of a memory that is in hand."""
        return self._tracking.get(memory_id).head

    def find_by_key(self, key: str) -> Head | None:
        """Return the head of the one memory with this key, or None."""
        return _head(self._tracking.find_key(key))

    def find_by_fingerprint(self, kind: Kind, fingerprint: str) -> Head | None:
        """Return the oldest memory without a key of this kind whose head has the fingerprint, or None."""
        return _head(self._tracking.find_fingerprint(kind, fingerprint))

    def find_by_external_id(self, external_id: str) -> MemoryVersion | None:
        """Return the version that this id made or reinforced, as a full record, or None."""
        self._ask_external([external_id])
        if external_id not in self._external:
            return None
        memory_id, version = self._external[external_id]
        tracked = self._tracking.get(memory_id)
        return self._record(tracked, tracked.chain[version - 1])

    def list_heads(
        self,
        *,
        status: Status | None = Status.ACTIVE,
        keys: Collection[str] | None = None,
        kinds: Collection[Kind] = (),
    ) -> list[Head]:
        """Return heads by memory id."""
        self.flush()
        found = list_heads(self._bench.session, self._bench.owner, status=status, kinds=kinds)
        return [head for head in found if keys is None or head.key in keys]

    def append(self, new: NewVersion) -> MemoryVersion:
        """Append a version and return it as it stands now."""
        tracked = self._target(new)
        self._expect(tracked, new.expected_version)
        if tracked is None:
            tracked = self._tracking.start(self._bench.clock.new_id(), new.key)
        self._tracking.load([tracked])
        return self._new_record(tracked, self._append(tracked, new))

    def reinforce(
        self,
        memory_id: str,
        *,
        confidence: float,
        evidence: Sequence[Evidence] = (),
        sightings: Sequence[Sighting] = (),
        external_id: str | None = None,
    ) -> MemoryVersion:
        """Add evidence to what the head shows; its confidence becomes the greater one."""
        tracked = self._tracking.get(memory_id)
        head = tracked.standing_head
        number = head.source.version
        raised = replace(head.source, confidence=max(head.source.confidence, confidence))
        tracked.replace([raised if link.version == number else link for link in tracked.links])
        said = (*self._outright(evidence, confidence), *sightings)
        self._quotes += [NewQuote(memory_id, number, each, is_origin=False) for each in said]
        if external_id is not None:
            self._external[external_id] = Named(memory_id, number)
            self._reinforced.append((external_id, Named(memory_id, number)))
        return self._record(tracked, tracked.chain[head.link.version - 1])

    def end(
        self,
        memory_ids: Iterable[str],
        status: Status,
        *,
        at: datetime,
        reason: str,
        actor: str,
        evidence: Sequence[Evidence] = (),
        sightings: Sequence[Sighting] = (),
    ) -> list[MemoryVersion]:
        """End active memories by one version each, which keeps the value."""
        wanted = sorted(set(memory_ids))
        self.prefetch(memory_ids=wanted)
        memories = [self._tracking.get(memory_id) for memory_id in wanted]
        records = []
        for tracked in memories:
            if tracked.head.status is Status.ACTIVE:
                content = ended(tracked.standing_head, status, at=at, reason=reason, actor=actor)
                said = replace(content, evidence=tuple(evidence), sightings=tuple(sightings))
                records.append(self._new_record(tracked, self._append(tracked, said, "end")))
        return records

    def flush(self) -> None:
        """Write what was changed so far."""
        bench = self._bench
        changed = [tracked for tracked in self._tracking.all() if tracked.is_changed]
        self._raised.update(
            (tracked.memory_id, self._raised.get(tracked.memory_id, False) or tracked.needs_embedding)
            for tracked in changed
            if tracked.moves_point
        )
        insert_heads(bench.session, bench.owner_id, [tracked.head for tracked in changed if tracked.is_new])
        update_heads(bench.session, bench.owner_id, [tracked.head for tracked in changed if not tracked.is_new])
        update_versions(bench.session, _with_ids(changed, "changed_versions"))
        insert_versions(bench.session, bench.owner_id, _with_ids(changed, "new_versions"))
        insert_external(bench.session, bench.owner_id, self._reinforced)
        insert_quotes(bench.session, bench.owner_id, self._quotes)
        self._is_changed = self._is_changed or bool(changed) or bool(self._quotes)
        self._quotes, self._reinforced = [], []
        for tracked in changed:
            tracked.mark_saved()

    def _target(self, new: NewVersion) -> TrackedMemory | None:
        if new.memory_id is not None:
            return self._tracking.get(new.memory_id)
        return None if new.key is None else self._tracking.find_key(new.key)

    def _expect(self, tracked: TrackedMemory | None, expected_version: int | None) -> None:
        found = 0 if tracked is None else tracked.head.version
        if expected_version is not None and expected_version != found:
            raise VersionConflictError(f"the head is version {found}, not {expected_version}: read it again and decide")

    def _append(
        self, tracked: TrackedMemory, content: NewVersion, made_by: MadeBy = "statement", carries: int | None = None
    ) -> Placed:
        placed = tracked.append(content, self._bench.now, made_by, carries)
        memory_id, number = tracked.memory_id, placed.link.version
        outright = self._outright(content.evidence, content.confidence)
        self._quotes += [NewQuote(memory_id, number, each, is_origin=True) for each in outright]
        self._quotes += [NewQuote(memory_id, number, each, is_origin=not outright) for each in content.sightings]
        if content.external_id is not None:
            self._external[content.external_id] = Named(memory_id, number)
        self._tracking.note_fingerprint(tracked)
        return placed

    def _ask_external(self, external_ids: Collection[str]) -> None:
        missing = set(external_ids) - self._asked_external - self._external.keys()
        self._asked_external |= missing
        self._external |= find_external(self._bench.session, self._bench.owner, missing)

    def _outright(self, evidence: Iterable[Evidence], confidence: float) -> list[Sighting]:
        now = self._bench.now
        return [Sighting(evidence=said, confidence=confidence, seen_at=now, made_it=True) for said in evidence]

    def _new_record(self, tracked: TrackedMemory, placed: Placed) -> MemoryVersion:
        """Return a version that was just appended, as a record."""
        content = placed.link.content
        said = (*content.evidence, *(sighting.evidence for sighting in content.sightings))
        evidence = tuple(sorted(said, key=lambda item: item.said_at))
        return to_record(self._bench.owner, tracked.memory_id, tracked.key, placed, evidence)

    def _record(self, tracked: TrackedMemory, placed: Placed) -> MemoryVersion:
        """Return a version as a record, with the evidence stored and to be stored."""
        place = tracked.memory_id, placed.source.version
        stored = () if tracked.is_new else list_quotes(self._bench.session, [place[0]]).get(place, ())
        added = [quote.said.evidence for quote in self._quotes if (quote.memory_id, quote.version) == place]
        evidence = sorted((*standing(stored), *added), key=lambda item: item.said_at)
        return to_record(self._bench.owner, place[0], tracked.key, placed, tuple(evidence))


def _head(tracked: TrackedMemory | None) -> Head | None:
    return None if tracked is None else tracked.head


def _with_ids(memories: Iterable[TrackedMemory], what: str) -> list[tuple[str, Placed]]:
    return [(tracked.memory_id, placed) for tracked in memories for placed in getattr(tracked, what)]
