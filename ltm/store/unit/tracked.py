"""One memory while a unit of work has it in hand."""

from collections.abc import Sequence
from datetime import datetime

from ltm.models import Status
from ltm.ports import Head, NewVersion
from ltm.store.chain import Link, MadeBy, Placed, find_head, place, place_last, rank
from ltm.store.slots import Slots


class TrackedMemory:
    """A memory's chain, in its place, beside what is stored of it.

    Attributes:
        head: As it is now.
        placed: The chain as it is now; None until it is needed.
    """

    def __init__(self, memory_id: str, key: str | None, slots: Slots) -> None:
        self.memory_id = memory_id
        self.key = key
        self._slots = slots
        self._say = slots.say(key)
        self._head: Head | None = None
        self._saved_head: Head | None = None
        self._saved: tuple[Placed, ...] = ()
        self.placed: tuple[Placed, ...] | None = ()
        self._standing_head: Placed | None = None

    @classmethod
    def stored(cls, head: Head, slots: Slots) -> "TrackedMemory":
        """Return a memory that is stored; its chain is not loaded."""
        tracked = cls(head.memory_id, head.key, slots)
        tracked._head = tracked._saved_head = head
        tracked.placed = None
        return tracked

    @property
    def head(self) -> Head:
        """Return the head as it is now."""
        if self._head is None:
            self._head = self._make_head()
        return self._head

    @property
    def chain(self) -> tuple[Placed, ...]:
        """Return the chain, which must have been loaded."""
        if self.placed is None:
            raise RuntimeError("the chain was not loaded")
        return self.placed

    @property
    def links(self) -> tuple[Link, ...]:
        """Return the chain's links."""
        return tuple(item.link for item in self.chain)

    @property
    def standing_head(self) -> Placed:
        """Return the head in its place."""
        head = self._find_head()
        if head is None:
            raise RuntimeError("a chain has no standing link")
        return head

    def load(self, links: Sequence[Link]) -> None:
        """Take the stored chain."""
        self.placed = self._saved = place(links, self._say)
        self._standing_head = None

    def append(
        self, content: NewVersion, now: datetime, made_by: MadeBy = "statement", carries: int | None = None
    ) -> Placed:
        """Append a version and return it in its place."""
        chain = self.chain
        # A clock that was set back must not make a version known before the one it follows.
        recorded_at = max(now, chain[-1].link.recorded_at) if chain else now
        link = Link(
            version=len(chain) + 1,
            content=content,
            confidence=content.confidence,
            recorded_at=recorded_at,
            made_by=made_by,
            carries=carries,
        )
        head = self._find_head()
        self.placed = place_last(chain, head, link, self._say)
        added = self.placed[-1]
        is_head = head is None or rank(head.link) < rank(link)
        self._standing_head = added if is_head or head is None else self.placed[head.link.version - 1]
        self._head = None
        return added

    def replace(self, links: Sequence[Link]) -> None:
        """Take a changed chain."""
        self.placed = place(links, self._say)
        self._standing_head = self._head = None

    @property
    def is_changed(self) -> bool:
        """Tell whether anything has to be stored."""
        return self.placed is not None and self.placed is not self._saved

    @property
    def is_new(self) -> bool:
        """Tell whether the memory is not stored yet."""
        return self._saved_head is None

    @property
    def moves_point(self) -> bool:
        """Tell whether its point in the index has to be brought in line."""
        return self.is_new or _point(self.head) != _point(self._saved_head)

    @property
    def needs_embedding(self) -> bool:
        """Tell whether what is embedded is another, or may never have been written."""
        before = self._saved_head
        if before is None or (before.text, before.context) != (self.head.text, self.head.context):
            return True
        return self.head.status is Status.ACTIVE and before.status is not Status.ACTIVE

    @property
    def new_versions(self) -> tuple[Placed, ...]:
        """Return the versions that are not stored yet."""
        return self.chain[len(self._saved) :]

    @property
    def changed_versions(self) -> list[Placed]:
        """Return the stored versions whose place has changed."""
        return [
            now
            for before, now in zip(self._saved, self.chain, strict=False)
            if before is not now and _differ(before, now)
        ]

    def mark_saved(self) -> None:
        """Take what is now for what is stored."""
        self._saved, self._saved_head = self.chain, self.head

    def _find_head(self) -> Placed | None:
        if self._standing_head is None:
            self._standing_head = find_head(self.chain)
        return self._standing_head

    def _make_head(self) -> Head:
        item = self.standing_head
        content = item.source.content
        return Head(
            memory_id=self.memory_id,
            status=item.status,
            version=item.link.version,
            last_version=len(self.chain),
            kind=content.kind,
            key=self.key,
            pack=content.pack,
            text=item.text,
            value=item.value,
            context=content.context,
            confidence=item.source.confidence,
            valid_from=item.link.content.valid_from,
            fingerprint=self._slots.fingerprint(self.key, item.value, item.text),
        )


def _differ(before: Placed, now: Placed) -> bool:
    return (before.status, before.valid_to, before.link.reverted_at, before.link.confidence) != (
        now.status,
        now.valid_to,
        now.link.reverted_at,
        now.link.confidence,
    )


def _point(head: Head | None) -> tuple[object, ...] | None:
    if head is None:
        return None
    return head.status, head.kind, head.last_version, head.valid_from, head.text, head.context
