"""The hot cache and the turns of dialogues in one process, without a server."""

import time
from collections.abc import Callable, Sequence

from ltm.cache.lru import LruCache
from ltm.cache.turn_log import ProcessTurnLog


class ProcessCache:
    """`Cache` and `TurnLog` in the process: values may be evicted, turns only expire."""

    def __init__(self, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._values = LruCache(monotonic=monotonic)
        self._turns = ProcessTurnLog(monotonic=monotonic)

    def get(self, key: str) -> bytes | None:
        """Return a value."""
        return self._values.get(key)

    def set(self, key: str, value: bytes, *, ttl_s: float) -> None:
        """Keep a value."""
        self._values.set(key, value, ttl_s=ttl_s)

    def append(self, owner_key: str, session_id: str, entry: bytes, *, ttl_s: float) -> None:
        """Put a turn at the end of a dialogue."""
        self._turns.append(owner_key, session_id, entry, ttl_s=ttl_s)

    def entries(self, owner_key: str, session_id: str) -> list[bytes]:
        """Return the turns of a dialogue, oldest first."""
        return self._turns.entries(owner_key, session_id)

    def remove(self, owner_key: str, session_id: str, entries: Sequence[bytes]) -> None:
        """Remove turns of a dialogue."""
        self._turns.remove(owner_key, session_id, entries)

    def delete_owner(self, owner_key: str) -> int:
        """Remove an owner's values and dialogues and return how many there were."""
        return self._values.delete_owner(owner_key) + self._turns.delete_owner(owner_key)

    def count_owner(self, owner_key: str) -> int:
        """Count an owner's values and dialogues."""
        return self._values.count_owner(owner_key) + self._turns.count_owner(owner_key)

    def close(self) -> None:
        """Forget everything."""
        self._values.close()
        self._turns.close()
