"""BM25 alone: the baseline of the evaluation, an index a user."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from bench.adapters import versions
from bench.peer import NO_ALIASES, About, Opening, Peer
from eval.datasets import CorpusMemory, Query
from eval.runner.baselines import BM25, Bm25


class Bm25Peer:
    """The terms are the library's own: stems, and pairs of Chinese characters."""

    about = About(
        system=BM25,
        packages=versions("bm25s"),
        settings="Lucene's variant, k1 1.2, b 0.75, an index a user with IDF over that user alone",
        limits="nothing is kept on disk; the library cannot add to an index, so each batch builds the user's again",
    )
    aliases = NO_ALIASES

    def __init__(self) -> None:
        self._own: defaultdict[str, list[CorpusMemory]] = defaultdict(list)
        self._indexes: dict[str, Bm25] = {}

    def add(self, memories: Sequence[CorpusMemory]) -> None:
        """Index everything of the user again."""
        user = memories[0].user
        self._own[user].extend(memories)
        self._indexes[user] = Bm25(self._own[user])

    def search(self, query: Query, limit: int) -> Sequence[str]:
        """Rank one user's memories; what shares no term is not returned."""
        index = self._indexes.get(query.user)
        return index.rank(query)[0][:limit] if index is not None else ()


@contextmanager
def open_peer(opening: Opening) -> Iterator[Peer]:
    """Make an empty set of indexes; neither folder nor embedder is used."""
    del opening
    yield Bm25Peer()
