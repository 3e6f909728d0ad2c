"""The memories that a unit of work has in hand, and what it knows to be absent."""

from collections.abc import Collection, Iterable

from ltm.errors import MemoryNotFoundError
from ltm.models import Kind, Owner
from ltm.ports import Head
from ltm.store.database import Session
from ltm.store.memories import find_heads, find_heads_by_fingerprint, find_heads_by_key
from ltm.store.slots import Slots
from ltm.store.unit.tracked import TrackedMemory
from ltm.store.versions import load_chains


class Tracking:
    """Every memory is in hand once, so that lookups see what the unit has changed."""

    def __init__(self, session: Session, owner: Owner, slots: Slots) -> None:
        self._session = session
        self._owner = owner
        self._slots = slots
        self._by_id: dict[str, TrackedMemory] = {}
        self._by_key: dict[str, str] = {}
        self._asked_keys: set[str] = set()
        self._by_fingerprint: dict[str, set[str]] = {}
        self._asked_fingerprints: set[str] = set()

    def start(self, memory_id: str, key: str | None) -> TrackedMemory:
        """Take a new memory in hand."""
        tracked = self._by_id[memory_id] = TrackedMemory(memory_id, key, self._slots)
        if key is not None:
            self._by_key[key] = memory_id
        return tracked

    def all(self) -> list[TrackedMemory]:
        """Return what is in hand, by memory id."""
        return [self._by_id[memory_id] for memory_id in sorted(self._by_id)]

    def find(self, memory_id: str) -> TrackedMemory | None:
        """Return a memory, or None."""
        if memory_id not in self._by_id:
            self.take(find_heads(self._session, self._owner, [memory_id]).values())
        return self._by_id.get(memory_id)

    def get(self, memory_id: str) -> TrackedMemory:
        """Return a memory with its chain."""
        tracked = self.find(memory_id)
        if tracked is None:
            raise MemoryNotFoundError(f"this user has no memory {memory_id!r}")
        self.load([tracked])
        return tracked

    def find_key(self, key: str) -> TrackedMemory | None:
        """Return the memory of a key, or None."""
        self.ask_keys([key])
        memory_id = self._by_key.get(key)
        return None if memory_id is None else self._by_id[memory_id]

    def find_fingerprint(self, kind: Kind, fingerprint: str) -> TrackedMemory | None:
        """Return the oldest memory without a key that says this, or None."""
        self.ask_fingerprints([fingerprint])
        found = (self._by_id[memory_id] for memory_id in sorted(self._by_fingerprint.get(fingerprint, ())))
        return next((item for item in found if item.head.fingerprint == fingerprint and item.head.kind is kind), None)

    def note_fingerprint(self, tracked: TrackedMemory) -> None:
        """Make a memory without a key be found by what it says now."""
        if tracked.key is None:
            self._by_fingerprint.setdefault(tracked.head.fingerprint, set()).add(tracked.memory_id)

    def ask_ids(self, memory_ids: Collection[str]) -> None:
        """Take memories in hand by id."""
        missing = [memory_id for memory_id in memory_ids if memory_id not in self._by_id]
        self.take(find_heads(self._session, self._owner, missing).values())

    def ask_keys(self, keys: Collection[str]) -> None:
        """Take memories in hand by key."""
        missing = set(keys) - self._asked_keys - self._by_key.keys()
        self._asked_keys |= missing
        self.take(find_heads_by_key(self._session, self._owner, missing).values())

    def ask_fingerprints(self, fingerprints: Collection[str]) -> None:
        """Take memories in hand by what they say."""
        missing = set(fingerprints) - self._asked_fingerprints
        self._asked_fingerprints |= missing
        self.take(find_heads_by_fingerprint(self._session, self._owner, missing).values())

    def take(self, heads: Iterable[Head]) -> list[TrackedMemory]:
        """Take stored memories in hand; one that is in hand already stays as it is."""
        taken = []
        for head in heads:
            if head.memory_id not in self._by_id:
                self._by_id[head.memory_id] = TrackedMemory.stored(head, self._slots)
                if head.key is None:
                    self._by_fingerprint.setdefault(head.fingerprint, set()).add(head.memory_id)
                else:
                    self._by_key[head.key] = head.memory_id
            taken.append(self._by_id[head.memory_id])
        return taken

    def load(self, memories: Iterable[TrackedMemory]) -> None:
        """Load the chains that are not loaded yet, in bulk."""
        bare = {item.memory_id: item for item in memories if item.placed is None}
        if bare:
            for memory_id, links in load_chains(self._session, self._owner, bare).items():
                bare[memory_id].load(links)

    def load_all(self) -> None:
        """Load the chains of everything in hand."""
        self.load(self._by_id.values())
