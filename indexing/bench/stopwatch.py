"""What a job's time went to: its stages, and the embedder within them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter

from indexing.progress import Advance
from ltm.ports import Embedder, EmbedderSpec, Matrix, Vector


@dataclass(frozen=True, slots=True, kw_only=True)
class Lap:
    """Seconds in all, and those of the embedder; with one thread at work the second is within the first."""

    seconds: float
    embedding_s: float

    @property
    def embedder_share(self) -> float:
        """Return the rate at which texts came through, as a share of the rate that the embedder had meanwhile."""
        return self.embedding_s / self.seconds


class Stopwatch:
    """An embedder that is timed, and a job's `Watch` over the stages in which it is used."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._embedding_s = 0.0
        self.mean = embedder.mean
        self.forms = embedder.forms
        self.laps: dict[str, Lap] = {}

    @property
    def spec(self) -> EmbedderSpec:
        """Return the embedder's."""
        return self._embedder.spec

    def embed_query(self, text: str) -> Vector:
        """Embed an intent."""
        with self._timed():
            return self._embedder.embed_query(text)

    def embed_passages(self, texts: Sequence[str]) -> Matrix:
        """Embed texts."""
        with self._timed():
            return self._embedder.embed_passages(texts)

    def close(self) -> None:
        """Close the embedder."""
        self._embedder.close()

    @contextmanager
    def stage(self, name: str, total: int) -> Iterator[Advance]:
        """Time a stage; one that comes again under its name takes the place of the one before."""
        begun_s, embedding_s = perf_counter(), self._embedding_s
        yield lambda count: None
        self.laps[name] = Lap(seconds=perf_counter() - begun_s, embedding_s=self._embedding_s - embedding_s)

    @contextmanager
    def _timed(self) -> Iterator[None]:
        begun_s = perf_counter()
        yield
        self._embedding_s += perf_counter() - begun_s
