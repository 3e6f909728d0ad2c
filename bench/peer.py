"""What a memory must be able to do to be compared: take memories, and rank them for a question."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

from eval.datasets import CorpusMemory, Query
from ltm.errors import LtmError
from ltm.ports import Embedder

NO_ALIASES: Mapping[str, str] = MappingProxyType({})
"""Of a system that keeps every memory as it came."""


class PeerUnavailableError(LtmError):
    """A system cannot be run here: a package is missing, or Python lacks what it needs. The others are compared."""


class PeerFailedError(LtmError):
    """A system's process ended in the middle of the comparison; the message has its last words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What was compared, in words for the tables.

    Attributes:
        packages: Distributions with their versions.
        settings: What was set, and which calls are measured.
        limits: What a reader must know before a figure is quoted.
    """

    system: str
    packages: str
    settings: str
    limits: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """What an adapter gets to open a system with.

    Attributes:
        folder: Empty, for whatever the system keeps on disk.
        embedder: The one all systems share.
        packs: Domain packs of the set; only the library knows what they are.
    """

    folder: Path
    embedder: Embedder
    packs: tuple[str, ...] = ()


class Peer(Protocol):
    """One system that is open."""

    @property
    def about(self) -> About:
        """Return what this is."""
        ...

    @property
    def aliases(self) -> Mapping[str, str]:
        """Return the ids that are ranked under another one, because the system merged or superseded their memory."""
        ...

    def add(self, memories: Sequence[CorpusMemory]) -> None:
        """Store memories of one user, oldest first, by the system's own call for many where it has one."""
        ...

    def search(self, query: Query, limit: int) -> Sequence[str]:
        """Return the corpus ids of at most `limit` memories of the query's user, best first, without a floor."""
        ...
