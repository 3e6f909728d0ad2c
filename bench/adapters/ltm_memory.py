"""The library itself, embedded, as `Memory.open` on a folder puts it together."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from bench.adapters import OURS, versions
from bench.peer import About, Opening, Peer
from eval.datasets import CorpusMemory, Query
from eval.metrics.outcomes import Ingest
from eval.runner.ingest import Stored, settle, write_batch
from ltm._version import __version__
from ltm.memory import Memory
from ltm.models import MemoryVersion
from ltm.recall import DEFAULT
from ltm.settings import Settings
from ltm.wiring import open_house


class LtmPeer:
    """`remember_many` and `recall`; ids are those of the heads, as in the evaluation."""

    about = About(
        system=OURS,
        packages=f"ltm {__version__}, {versions('qdrant-edge-py', 'sqlalchemy')}",
        settings="SQLite and Qdrant Edge in a folder, profile default; remember_many, "
        "recall(limit=10, token_budget=None, min_relevance=0)",
        limits="takes key, value and context of a memory where the set has them",
    )

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._written: list[tuple[CorpusMemory, MemoryVersion]] = []
        self._refused: dict[str, str] = {}
        self._settled: Stored | None = None

    @property
    def aliases(self) -> Mapping[str, str]:
        """Return superseded and merged corpus ids with the head's."""
        return self._stored().aliases

    def add(self, memories: Sequence[CorpusMemory]) -> None:
        """Remember a batch; what the library refuses is left out."""
        self._written.extend(write_batch(self._memory, list(memories), self._refused))
        self._settled = None

    def search(self, query: Query, limit: int) -> list[str]:
        """Recall without floor and budget."""
        found = self._memory.recall(
            query.user,
            query.intent,
            history=query.history,
            now=query.now,
            limit=limit,
            token_budget=None,
            min_relevance=0.0,
        )
        corpus_ids = self._stored().corpus_ids
        return [corpus_ids[item.memory.memory_id] for item in found.items]

    def _stored(self) -> Stored:
        if self._settled is None:
            ingest = Ingest(count=len(self._written), seconds=0.0, refused=self._refused)
            self._settled = settle(self._written, ingest)
        return self._settled


@contextmanager
def open_peer(opening: Opening) -> Iterator[Peer]:
    """Open a store in the folder."""
    settings = Settings(embedder=opening.embedder.spec.name, packs=opening.packs)
    with Memory(open_house(opening.folder, settings, embedder=opening.embedder, profile=DEFAULT)) as memory:
        yield LtmPeer(memory)
