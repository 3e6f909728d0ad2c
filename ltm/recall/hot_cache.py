"""The cache as one recall sees it: a failure is a miss, and the first one ends its use."""

from collections.abc import Callable
from typing import TypeVar

from ltm.errors import CacheError
from ltm.ports import Cache

_Value = TypeVar("_Value")


class HotCache:
    """One recall's view of the cache. A dead cache costs one bounded wait, not one for each key."""

    def __init__(self, cache: Cache, *, ttl_s: float) -> None:
        self._cache = cache
        self._ttl_s = ttl_s
        self.has_failed = False

    def get(self, key: str, read: Callable[[bytes], _Value | None]) -> _Value | None:
        """Return what `read` makes of the cached bytes; None for a miss, a failure or unreadable bytes."""
        if self.has_failed:
            return None
        try:
            data = self._cache.get(key)
        except CacheError:
            self.has_failed = True
            return None
        return None if data is None else read(data)

    def set(self, key: str, value: bytes) -> None:
        """Store a value, if the cache works."""
        if self.has_failed:
            return
        try:
            self._cache.set(key, value, ttl_s=self._ttl_s)
        except CacheError:
            self.has_failed = True
