"""The hot cache: disposable bytes under keys."""

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Protocol


@lru_cache(maxsize=4096)
def owner_cache_prefix(owner_key: str) -> str:
    """Return what every key of exactly this owner begins with: a hash, never the ids themselves."""
    return f"{_digest(owner_key)}:"


def owner_cache_key(owner_key: str, purpose: str, *parts: str | int) -> str:
    """Return the key of a cached value.

    Args:
        owner_key: `Owner.key`.
        purpose: A short word for what is cached, readable in the key: letters, digits, `-`.
        parts: All that the value depends on, in a fixed order: user's revision, generation, weights, a text. They are
            hashed with their boundaries, so neither texts nor ids show, and ("ab", "c") is not ("a", "bc").
    """
    return f"{owner_cache_prefix(owner_key)}{purpose}:{_digest(*parts)}"


def _digest(*parts: str | int) -> str:
    words = list(map(str, parts))
    told = "".join([f"{len(word)}:{word}" for word in words])
    return blake2b(told.encode(), digest_size=16).hexdigest()


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
    """Ordered turns of one dialogue, as bytes; what the chat window is kept in. Raises `CacheError`.

    Its entries are among those that `Cache.delete_owner` of the same backend removes and `count_owner` counts.
    """

    def append(self, owner_key: str, session_id: str, entry: bytes, *, ttl_s: float) -> None:
        """Put an entry at the end and renew the dialogue's time to live."""
        ...

    def entries(self, owner_key: str, session_id: str) -> list[bytes]:
        """Return the entries, oldest first."""
        ...

    def remove(self, owner_key: str, session_id: str, entries: Sequence[bytes]) -> None:
        """Remove these entries, each once; those that are gone already are no error.

        By content and not by number, so that two writers who trim the same dialogue never remove more than both meant.
        """
        ...
