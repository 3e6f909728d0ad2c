"""Memories within a unit of work."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from ltm.errors import InvalidRequestError, MemoryNotFoundError, VersionConflictError
from ltm.models import Evidence, Kind, MemoryVersion, Status
from ltm.ports import Head, NewVersion, Undone
from ltm.store.chain import MadeBy, Placed, ended, rolled_back, undone
from ltm.store.external_ids import Named, find_external, insert_external
from ltm.store.memories import insert_heads, list_heads, update_heads
from ltm.store.quotes import NewQuote, insert_quotes, list_quotes, standing, withdraw_quotes
from ltm.store.records import to_record
from ltm.store.unit.part import Bench, Part
from ltm.store.unit.taught import Taught, find_taught, find_withdrawn
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
        placed = self._append(tracked, new)
        return to_record(self._bench.owner, tracked.memory_id, tracked.key, placed, new.evidence)

    def append_many(self, news: Sequence[NewVersion]) -> list[MemoryVersion]:
        """Append in order, loading the chains in bulk."""
        self.prefetch(
            memory_ids={new.memory_id for new in news if new.memory_id is not None},
            keys={new.key for new in news if new.key is not None},
        )
        return [self.append(new) for new in news]

    def reinforce(
        self, memory_id: str, *, confidence: float, evidence: Sequence[Evidence] = (), external_id: str | None = None
    ) -> MemoryVersion:
        """Add evidence to the head; its confidence becomes the greater one."""
        tracked = self._tracking.get(memory_id)
        head = tracked.standing_head
        number = head.link.version
        raised = replace(head.link, confidence=max(head.link.confidence, confidence))
        tracked.replace([raised if link.version == number else link for link in tracked.links])
        self._quotes += [NewQuote(memory_id, number, said, confidence, False) for said in evidence]
        if external_id is not None:
            self._external[external_id] = Named(memory_id, number)
            self._reinforced.append((external_id, Named(memory_id, number)))
        return self._record(tracked, tracked.chain[number - 1])

    def end(
        self,
        memory_ids: Iterable[str],
        status: Status,
        *,
        at: datetime,
        reason: str,
        actor: str,
        evidence: Sequence[Evidence] = (),
    ) -> list[MemoryVersion]:
        """End active memories by one version each, which keeps the value."""
        wanted = sorted(set(memory_ids))
        self.prefetch(memory_ids=wanted)
        memories = [self._tracking.get(memory_id) for memory_id in wanted]
        records = []
        for tracked in memories:
            if tracked.head.status is Status.ACTIVE:
                content = ended(tracked.standing_head, status, at=at, reason=reason, actor=actor)
                placed = self._append(tracked, replace(content, evidence=tuple(evidence)), "end")
                records.append(to_record(self._bench.owner, tracked.memory_id, tracked.key, placed, tuple(evidence)))
        return records

    def rollback(
        self, memory_id: str, to_version: int, *, reason: str, actor: str, expected_version: int | None = None
    ) -> MemoryVersion:
        """Undo every version behind `to_version` and append one that carries its value."""
        tracked = self._tracking.get(memory_id)
        self._expect(tracked, expected_version)
        if not 1 <= to_version <= len(tracked.chain):
            raise MemoryNotFoundError(f"memory {memory_id!r} has no version {to_version}")
        if all(link.version <= to_version or link.reverted_at is not None for link in tracked.links):
            return self._record(tracked, tracked.standing_head)
        say = self._bench.slots.say(tracked.key)
        links, content = rolled_back(
            tracked.links, to_version, now=self._bench.now, say=say, reason=reason, actor=actor
        )
        tracked.replace(links)
        return self._record(tracked, self._append(tracked, content, "rollback"))

    def taught_by(self, *, session_id: str | None = None, since: datetime | None = None) -> dict[str, tuple[int, ...]]:
        """Return the versions that a session taught, or that were recorded at or after `since`, by memory id."""
        self.flush()
        found = find_taught(self._bench.session, self._bench.owner, _taught(session_id, since))
        self.prefetch(memory_ids=list(found))
        left = {memory_id: self._standing(memory_id, versions) for memory_id, versions in found.items()}
        return {memory_id: versions for memory_id, versions in left.items() if versions}

    def undo(self, versions: Mapping[str, Collection[int]], *, reason: str, actor: str) -> list[Undone]:
        """Revert versions and append to each memory one that carries what remains; by memory id."""
        self.prefetch(memory_ids=list(versions))
        return [
            done
            for memory_id in sorted(versions)
            if (done := self._undo(self._tracking.get(memory_id), versions[memory_id], reason, actor))
        ]

    def withdraw_evidence(self, *, session_id: str | None = None, since: datetime | None = None) -> int:
        """Take a session's evidence from versions that stay, confidence included, and return how many rows."""
        self.flush()
        bench = self._bench
        found = find_withdrawn(bench.session, bench.owner, _taught(session_id, since))
        self.prefetch(memory_ids={memory_id for memory_id, _ in found})
        row_ids: list[int] = []
        for (memory_id, version), withdrawn in found.items():
            tracked = self._tracking.get(memory_id)
            link = tracked.chain[version - 1].link
            if link.reverted_at is None:
                row_ids += withdrawn.row_ids
                lowered = replace(link, confidence=withdrawn.confidence(link.content.confidence))
                tracked.replace([lowered if old.version == version else old for old in tracked.links])
        withdraw_quotes(bench.session, row_ids, bench.now)
        return len(row_ids)

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
        insert_quotes(bench.session, bench.owner_id, bench.now, self._quotes)
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

    def _append(self, tracked: TrackedMemory, content: NewVersion, made_by: MadeBy = "statement") -> Placed:
        placed = tracked.append(content, self._bench.now, made_by)
        number = placed.link.version
        self._quotes += [
            NewQuote(tracked.memory_id, number, said, content.confidence, True) for said in content.evidence
        ]
        if content.external_id is not None:
            self._external[content.external_id] = Named(tracked.memory_id, number)
        self._tracking.note_fingerprint(tracked)
        return placed

    def _undo(self, tracked: TrackedMemory, versions: Collection[int], reason: str, actor: str) -> Undone | None:
        before = tracked.head
        gone = self._standing(tracked.memory_id, sorted(set(versions) & set(range(1, len(tracked.chain) + 1))))
        if not gone:
            return None
        say = self._bench.slots.say(tracked.key)
        links, content = undone(tracked.links, gone, now=self._bench.now, say=say, reason=reason, actor=actor)
        tracked.replace(links)
        self._append(tracked, content, "undo")
        return Undone(before=before, after=tracked.head, versions=gone)

    def _standing(self, memory_id: str, versions: Iterable[int]) -> tuple[int, ...]:
        chain = self._tracking.get(memory_id).chain
        return tuple(version for version in versions if chain[version - 1].link.reverted_at is None)

    def _ask_external(self, external_ids: Collection[str]) -> None:
        missing = set(external_ids) - self._asked_external - self._external.keys()
        self._asked_external |= missing
        self._external |= find_external(self._bench.session, self._bench.owner, missing)

    def _record(self, tracked: TrackedMemory, placed: Placed) -> MemoryVersion:
        """Return a version as a record, with the evidence stored and to be stored."""
        place = tracked.memory_id, placed.link.version
        stored = () if tracked.is_new else list_quotes(self._bench.session, [place[0]]).get(place, ())
        added = [quote.evidence for quote in self._quotes if (quote.memory_id, quote.version) == place]
        return to_record(self._bench.owner, place[0], tracked.key, placed, (*standing(stored), *added))


def _head(tracked: TrackedMemory | None) -> Head | None:
    return None if tracked is None else tracked.head


def _taught(session_id: str | None, since: datetime | None) -> Taught:
    if (session_id is None) == (since is None):
        raise InvalidRequestError("give either a session_id or a time, not both")
    return Taught(session_id=session_id, since=since)


def _with_ids(memories: Iterable[TrackedMemory], what: str) -> list[tuple[str, Placed]]:
    return [(tracked.memory_id, placed) for tracked in memories for placed in getattr(tracked, what)]
