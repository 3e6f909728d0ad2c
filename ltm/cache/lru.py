"""A bounded cache in the process."""

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

from ltm.ports import owner_cache_prefix


@dataclass(frozen=True, slots=True)
class _Entry:
    value: bytes
    expires_at: float

    def size(self, key: str) -> int:
        return len(key) + len(self.value)


class LruCache:
    """Forgets the entry that was asked for longest ago as soon as there are too many, or too many bytes.

    Args:
        max_entries: At most so many entries.
        max_bytes: Of keys and values together; a larger value is not kept at all.
        monotonic: Seconds on a clock that never goes back.
    """

    def __init__(
        self,
        *,
        max_entries: int = 20_000,
        max_bytes: int = 64 * 2**20,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._max_entries = max_entries
        self._max_bytes = max_bytes
        self._monotonic = monotonic
        self._entries: OrderedDict[str, _Entry] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def get(self, key: str) -> bytes | None:
        """Return the value, and count this as the latest use."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is None:
                return None
            if entry.expires_at <= self._monotonic():
                self._drop(key)
                return None
            self._entries.move_to_end(key)
            return entry.value

    def set(self, key: str, value: bytes, *, ttl_s: float) -> None:
        """Keep a value, at the cost of those unused for longest."""
        entry = _Entry(value, self._monotonic() + ttl_s)
        with self._lock:
            self._drop(key)
            if entry.size(key) > self._max_bytes:
                return
            self._entries[key] = entry
            self._bytes += entry.size(key)
            while len(self._entries) > self._max_entries or self._bytes > self._max_bytes:
                self._drop(next(iter(self._entries)))

    def delete_owner(self, owner_key: str) -> int:
        """Remove an owner's entries."""
        with self._lock:
            keys = self._live_keys(owner_key)
            for key in keys:
                self._drop(key)
        return len(keys)

    def count_owner(self, owner_key: str) -> int:
        """Count an owner's entries."""
        with self._lock:
            return len(self._live_keys(owner_key))

    def close(self) -> None:
        """Forget everything."""
        with self._lock:
            self._entries.clear()
            self._bytes = 0

    def _live_keys(self, owner_key: str) -> list[str]:
        prefix, now = owner_cache_prefix(owner_key), self._monotonic()
        return [key for key, entry in self._entries.items() if key.startswith(prefix) and entry.expires_at > now]

    def _drop(self, key: str) -> None:
        entry = self._entries.pop(key, None)
        if entry is not None:
            self._bytes -= entry.size(key)
