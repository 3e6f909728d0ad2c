"""What the comparison and a system's process say to each other, pickled over a pipe."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bench.peer import About
from eval.datasets import CorpusMemory, Query


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """Open a system; answered by `Ready` or `Unavailable`.

    Attributes:
        embedder: As in `Settings.embedder`.
        has_cache: Take vectors from the platform's cache folder, so that every system gets the same and none embeds.
    """

    system: str
    folder: Path
    embedder: str
    packs: tuple[str, ...] = ()
    has_cache: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """The system is open and empty."""

    about: About


@dataclass(frozen=True, slots=True, kw_only=True)
class Unavailable:
    """The system cannot be run here."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Add:
    """Store memories of one user; answered by `Added`."""

    memories: tuple[CorpusMemory, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """How long that call took."""

    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """Ask queries one after another; answered by `Found`."""

    queries: tuple[Query, ...]
    limit: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Corpus ids, best first, and the seconds of each call, in the order of the queries."""

    rankings: tuple[tuple[str, ...], ...]
    seconds: tuple[float, ...]
    aliases: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Weigh:
    """Say how large the process has been; answered by `Weight`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weight:
    """Largest resident size of the process so far: interpreter, packages and data."""

    peak_rss_mb: float


Command = Add | Search | Weigh
