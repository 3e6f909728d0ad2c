"""Rankings that need no library: BM25 alone, dense vectors as they come, and reciprocal-rank fusion of the two."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from time import perf_counter

import bm25s
import numpy as np
import numpy.typing as npt

from eval.datasets import CorpusMemory, Dataset, Query
from eval.metrics.outcomes import DEPTH, Outcome, SystemRun
from eval.runner.ingest import Advance, Stored
from ltm.lexical import tokenize
from ltm.ports import Embedder, Matrix

RRF_K = 60
"""Cormack, Clarke and Büttcher, SIGIR 2009."""
BASELINES = ("bm25", "dense", "rrf")

Scores = npt.NDArray[np.float64]
_Rank = Callable[[Query], tuple[Sequence[CorpusMemory], Scores]]


class Baselines:
    """One user's memories at a time: BM25 with IDF over them, and exact cosine; texts without their context."""

    def __init__(self, memories: Iterable[CorpusMemory], embedder: Embedder) -> None:
        self._embedder = embedder
        self._own: defaultdict[str, list[CorpusMemory]] = defaultdict(list)
        for memory in memories:
            self._own[memory.user].append(memory)
        self._lexical: dict[str, bm25s.BM25] = {}
        self._dense: dict[str, Matrix] = {}

    def bm25(self, query: Query) -> tuple[Sequence[CorpusMemory], Scores]:
        """Score by BM25 (bm25s, Lucene's variant, k1 1.2, b 0.75) over the library's own terms."""
        own, terms = self._own[query.user], tokenize(query.intent)
        if query.user not in self._lexical:
            index = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
            index.index([tokenize(memory.text) or [""] for memory in own], show_progress=False)
            self._lexical[query.user] = index
        if not terms:
            return own, np.zeros(len(own))
        return own, np.asarray(self._lexical[query.user].get_scores(terms), dtype=np.float64)

    def dense(self, query: Query) -> tuple[Sequence[CorpusMemory], Scores]:
        """Score by the cosine of the vectors as they come."""
        own = self._own[query.user]
        if query.user not in self._dense:
            self._dense[query.user] = self._embedder.embed_passages([memory.text for memory in own])
        cosines = self._dense[query.user] @ self._embedder.embed_query(query.intent)
        return own, np.asarray(cosines, dtype=np.float64)

    def rrf(self, query: Query) -> tuple[Sequence[CorpusMemory], Scores]:
        """Fuse the two rankings by reciprocal rank; what BM25 scores 0 is not ranked by it."""
        own, lexical = self.bm25(query)
        fused = _reciprocal_ranks(own, self.dense(query)[1]) + _reciprocal_ranks(own, lexical) * (lexical > 0)
        return own, fused


def run_baseline(
    name: str, baselines: Baselines, dataset: Dataset, stored: Stored, advance: Advance = lambda count: None
) -> SystemRun:
    """Rank every query; users without memories give empty rankings."""
    rank: Mapping[str, _Rank] = {"bm25": baselines.bm25, "dense": baselines.dense, "rrf": baselines.rrf}
    owners = {memory.user for memory in stored.heads}
    outcomes = []
    for query in dataset.queries:
        started = perf_counter()
        ranking, scores = _best(*rank[name](query)) if query.user in owners else ((), ())
        outcomes.append(
            Outcome(
                query_id=query.query_id,
                category=query.category,
                ranking=ranking,
                scores=scores,
                seconds=perf_counter() - started,
            )
        )
        advance(1)
    return SystemRun(dataset=dataset.name, system=name, setup={}, outcomes=tuple(outcomes), aliases=stored.aliases)


def _order(own: Sequence[CorpusMemory], scores: Scores) -> list[int]:
    """Return positions, best first, ties by memory id."""
    return sorted(range(len(own)), key=lambda at: (-scores[at], own[at].memory_id))


def _best(own: Sequence[CorpusMemory], scores: Scores) -> tuple[tuple[str, ...], tuple[float, ...]]:
    first = _order(own, scores)[:DEPTH]
    return tuple(own[at].memory_id for at in first), tuple(float(scores[at]) for at in first)


def _reciprocal_ranks(own: Sequence[CorpusMemory], scores: Scores) -> Scores:
    parts = np.zeros(len(own))
    for place, at in enumerate(_order(own, scores), start=1):
        parts[at] = 1 / (RRF_K + place)
    return parts
