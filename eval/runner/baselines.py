"""BM25 by another library, over the same heads and terms: what recall is put beside.

Dense alone and reciprocal-rank fusion are profiles of recall (`dense`, `rrf`), so that they see the same index.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from time import perf_counter

import bm25s
import numpy as np
import numpy.typing as npt

from eval.datasets import CorpusMemory, Dataset, Query
from eval.metrics.outcomes import DEPTH, Outcome, SystemRun
from eval.runner.ingest import Advance, Stored
from ltm.lexical import tokenize

BM25 = "bm25s"
"""Name of the baseline among the systems."""

Scores = npt.NDArray[np.float64]


class Bm25:
    """Ranks one user's memories, with IDF over them alone; texts without their context."""

    def __init__(self, memories: Iterable[CorpusMemory]) -> None:
        self._own: defaultdict[str, list[CorpusMemory]] = defaultdict(list)
        for memory in memories:
            self._own[memory.user].append(memory)
        self._indexes = {user: _index(own) for user, own in self._own.items()}

    def rank(self, query: Query) -> tuple[tuple[str, ...], tuple[float, ...]]:
        """Return corpus ids and scores, best first, ties by id; nothing for an unknown user or without terms."""
        terms, own = tokenize(query.intent), self._own.get(query.user)
        if not terms or own is None:
            return (), ()
        scores: Scores = np.asarray(self._indexes[query.user].get_scores(terms), dtype=np.float64)
        best = sorted(range(len(own)), key=lambda at: (-scores[at], own[at].memory_id))[:DEPTH]
        found = [at for at in best if scores[at] > 0]
        return tuple(own[at].memory_id for at in found), tuple(float(scores[at]) for at in found)


def run_bm25(dataset: Dataset, stored: Stored, advance: Advance = lambda count: None) -> SystemRun:
    """Rank every query."""
    ranker, outcomes = Bm25(stored.heads), []
    for query in dataset.queries:
        started = perf_counter()
        ranking, scores = ranker.rank(query)
        seconds = perf_counter() - started
        outcomes.append(
            Outcome(query_id=query.query_id, category=query.category, ranking=ranking, scores=scores, seconds=seconds)
        )
        advance(1)
    return SystemRun(dataset=dataset.name, system=BM25, setup={}, outcomes=tuple(outcomes), aliases=stored.aliases)


def _index(own: Sequence[CorpusMemory]) -> bm25s.BM25:
    """Index in Lucene's variant with k1 1.2 and b 0.75; a text without terms is indexed as one that nothing matches."""
    index = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
    index.index([tokenize(memory.text) or [""] for memory in own], show_progress=False)
    return index
