"""Rolling back and undoing within a unit of work."""

from collections.abc import Collection, Mapping
from dataclasses import replace

from ltm.errors import MemoryNotFoundError
from ltm.models import MemoryVersion
from ltm.ports import IsEnough, NewVersion, Origin, Undone
from ltm.store.mending import rolled_back, undone
from ltm.store.quotes import QuoteRow, list_quotes, withdraw_quotes
from ltm.store.unit.memories import MemoryPart
from ltm.store.unit.taught import Quotes, Withdrawn, may_have_taught, sighting_of, versions_of
from ltm.store.unit.tracked import TrackedMemory


class UndoPart(MemoryPart):
    """Implements what `ltm.ports.ChainUnit` says about undoing."""

    def rollback(
        self, memory_id: str, to_version: int, *, reason: str, actor: str, expected_version: int | None = None
    ) -> MemoryVersion:
        """Undo every version behind `to_version` and append one that carries it."""
        tracked = self._tracking.get(memory_id)
        self._expect(tracked, expected_version)
        if not 1 <= to_version <= len(tracked.chain):
            raise MemoryNotFoundError(f"memory {memory_id!r} has no version {to_version}")
        if all(link.version <= to_version or link.reverted_at is not None for link in tracked.links):
            return self._record(tracked, tracked.standing_head)
        say = self._bench.slots.say(tracked.key)
        mended = rolled_back(tracked.links, to_version, now=self._bench.now, say=say, reason=reason, actor=actor)
        tracked.replace(mended.links)
        return self._record(tracked, self._append(tracked, mended.content, mended.made_by, mended.carries))

    def taught_by(self, origin: Origin, *, is_enough: IsEnough = bool) -> dict[str, tuple[int, ...]]:
        """Return the versions that do not stand without a session, or were recorded since a time, by memory id."""
        found = {
            tracked.memory_id: versions_of(origin, tracked.links, quotes, is_enough)
            for tracked, quotes in self._touched_by(origin)
        }
        return {memory_id: versions for memory_id, versions in found.items() if versions}

    def get_contents(self, memory_id: str, versions: Collection[int] | None = None) -> list[NewVersion]:
        """Return what some versions said, or all, each with its standing evidence as sightings."""
        self.flush()
        quotes = list_quotes(self._bench.session, [memory_id])
        return [
            replace(
                link.content,
                evidence=(),
                sightings=tuple(
                    sighting_of(row) for row in quotes.get((memory_id, link.version), ()) if row.reverted_at is None
                ),
            )
            for link in self._tracking.get(memory_id).links
            if versions is None or link.version in versions
        ]

    def undo(self, versions: Mapping[str, Collection[int]], *, reason: str, actor: str) -> list[Undone]:
        """Revert versions and append to each memory one that shows what remains; by memory id."""
        self.prefetch(memory_ids=list(versions))
        return [
            done
            for memory_id in sorted(versions)
            if (done := self._undo(self._tracking.get(memory_id), versions[memory_id], reason, actor))
        ]

    def withdraw_evidence(self, origin: Origin) -> int:
        """Take an origin's evidence from versions that stay, confidence included, and return how many rows."""
        row_ids: list[int] = []
        for tracked, quotes in self._touched_by(origin):
            for version, rows in sorted(quotes.items()):
                row_ids += self._withdraw(tracked, version, Withdrawn.of(rows, origin))
        withdraw_quotes(self._bench.session, row_ids, self._bench.now)
        return len(row_ids)

    def _touched_by(self, origin: Origin) -> list[tuple[TrackedMemory, Quotes]]:
        self.flush()
        bench = self._bench
        memory_ids = may_have_taught(bench.session, bench.owner, origin)
        self.prefetch(memory_ids=memory_ids)
        quotes: dict[str, dict[int, list[QuoteRow]]] = {memory_id: {} for memory_id in memory_ids}
        for (memory_id, version), rows in list_quotes(bench.session, memory_ids).items():
            quotes[memory_id][version] = rows
        return [(self._tracking.get(memory_id), quotes[memory_id]) for memory_id in memory_ids]

    def _withdraw(self, tracked: TrackedMemory, version: int, withdrawn: Withdrawn) -> tuple[int, ...]:
        link = tracked.chain[version - 1].link
        if link.reverted_at is not None or not withdrawn.row_ids:
            return ()
        lowered = replace(link, confidence=withdrawn.confidence(link.content.confidence))
        tracked.replace([lowered if old.version == version else old for old in tracked.links])
        return withdrawn.row_ids

    def _undo(self, tracked: TrackedMemory, versions: Collection[int], reason: str, actor: str) -> Undone | None:
        before, links = tracked.head, tracked.links
        gone = {link.version for link in links if link.version in versions and link.reverted_at is None}
        if not gone:
            return None
        say = self._bench.slots.say(tracked.key)
        mended = undone(links, gone, now=self._bench.now, say=say, reason=reason, actor=actor)
        tracked.replace(mended.links)
        self._append(tracked, mended.content, mended.made_by, mended.carries)
        changed = zip(links, mended.links, strict=True)
        reverted = tuple(old.version for old, new in changed if old.reverted_at != new.reverted_at)
        return Undone(before=before, after=tracked.head, versions=reverted)
