"""Whose memory it is."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """One user of one namespace. Two owners are equal only if both strings are equal code point by code point."""

    namespace: str
    user_id: str

    @property
    def key(self) -> str:
        """Return the unambiguous key used in index and cache.

        The namespace is length-prefixed, so (`a/b`, `c`) and (`a`, `b/c`) have different keys.
        """
        return f"{len(self.namespace)}:{self.namespace}:{self.user_id}"
