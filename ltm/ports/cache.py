"""The hot cache: disposable bytes under keys."""

from typing import Protocol


class Cache(Protocol):
    """A cache of bytes. Correctness never depends on it: keys hold whatever their value depends on.

    Every method may raise `CacheError` within the adapter's timeout; callers treat that as a miss.
    """

    def get(self, key: str) -> bytes | None:
        """Return the value, or None where there is none or it has expired."""
        ...

    def set(self, key: str, value: bytes, *, ttl_s: float) -> None:
        """Store a value for at most `ttl_s` seconds."""
        ...

    def delete_owner(self, owner_key: str) -> int:
        """Remove every entry of exactly this owner (keys made by `owner_cache_key`) and return how many."""
        ...

    def count_owner(self, owner_key: str) -> int:
        """Count the entries of exactly this owner; for the read-back after an erasure."""
        ...

    def close(self) -> None:
        """Release it; calling it again does nothing."""
        ...


class TurnLog(Protocol):
    """Ordered turns of one dialogue, as bytes; what the chat window is kept in. Raises `CacheError`."""

    def append(self, owner_key: str, session_id: str, entry: bytes, *, ttl_s: float) -> None:
        """Put an entry at the end and renew the dialogue's time to live."""
        ...

    def entries(self, owner_key: str, session_id: str) -> list[bytes]:
        """Return the entries, oldest first."""
        ...

    def drop_first(self, owner_key: str, session_id: str, count: int) -> None:
        """Remove the `count` oldest entries."""
        ...

    def clear(self, owner_key: str, session_id: str) -> None:
        """Remove the dialogue."""
        ...
