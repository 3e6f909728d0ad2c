"""Turns of dialogues, kept in the process."""

import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import TypeAlias

_Name: TypeAlias = tuple[str, str]


@dataclass(slots=True)
class _Dialogue:
    entries: list[bytes] = field(default_factory=list)
    expires_at: float = 0.0


class ProcessTurnLog:
    """`TurnLog` in the process. It is bounded by the time to live alone: no turn is lost for want of room."""

    def __init__(self, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._dialogues: OrderedDict[_Name, _Dialogue] = OrderedDict()
        self._lock = Lock()

    def append(self, owner_key: str, session_id: str, entry: bytes, *, ttl_s: float) -> None:
        """Put an entry at the end, and free the room of dialogues that are over."""
        name = (owner_key, session_id)
        with self._lock:
            self._free_room()
            dialogue = self._find(name) or _Dialogue()
            dialogue.entries.append(entry)
            dialogue.expires_at = self._monotonic() + ttl_s
            self._dialogues[name] = dialogue
            self._dialogues.move_to_end(name)

    def entries(self, owner_key: str, session_id: str) -> list[bytes]:
        """Return the entries, oldest first."""
        with self._lock:
            dialogue = self._find((owner_key, session_id))
            return list(dialogue.entries) if dialogue else []

    def remove(self, owner_key: str, session_id: str, entries: Sequence[bytes]) -> None:
        """Remove these entries, each once."""
        name = (owner_key, session_id)
        with self._lock:
            kept = self._dialogues[name].entries if name in self._dialogues else []
            for entry in entries:
                if entry in kept:
                    kept.remove(entry)
            if not kept:
                self._dialogues.pop(name, None)

    def delete_owner(self, owner_key: str) -> int:
        """Remove an owner's dialogues and return how many."""
        with self._lock:
            names = self._names(owner_key)
            for name in names:
                del self._dialogues[name]
        return len(names)

    def count_owner(self, owner_key: str) -> int:
        """Count an owner's dialogues."""
        with self._lock:
            return len(self._names(owner_key))

    def close(self) -> None:
        """Forget everything."""
        with self._lock:
            self._dialogues.clear()

    def _find(self, name: _Name) -> _Dialogue | None:
        dialogue = self._dialogues.get(name)
        return dialogue if dialogue and dialogue.expires_at > self._monotonic() else None

    def _names(self, owner_key: str) -> list[_Name]:
        return [name for name in self._dialogues if name[0] == owner_key and self._find(name)]

    def _free_room(self) -> None:
        """Dialogues stand in the order of their last turn, so those that are over stand first."""
        while self._dialogues and self._find(name := next(iter(self._dialogues))) is None:
            del self._dialogues[name]
