"""Recall@10 of every system on one labelled set, with the same vectors for all of them."""

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from bench.adapters import OURS
from bench.process import open_process
from bench.values import Quality
from eval.datasets import CorpusMemory, Dataset
from eval.metrics.intervals import compare, estimate
from eval.metrics.outcomes import Outcome
from eval.metrics.ranking import rank_metrics
from eval.runner.ingest import batches
from eval.runner.opening import open_cached_embedder
from eval.runner.progress import Bars
from eval.session import rng
from ltm.settings import Settings

METRIC, CUTOFF = "recall@10", 10
_AT_ONCE = 64


def measure_quality(
    dataset: Dataset, systems: Sequence[str], embedder: str, show: Bars, *, joins_context: bool = False
) -> list[Quality]:
    """Return every system's figure, the library's first. Nothing is timed, so several systems run at once.

    Args:
        dataset: The labelled set, with judgements, which stay here: a system sees texts and intents.
        systems: Names that can be run, the library's among them.
        embedder: As in `Settings.embedder`.
        show: Where progress is shown.
        joins_context: Give the others the turn before in front of the text; the library takes it as `context`.
    """
    _embed(dataset, embedder, show)
    joined = replace(dataset, memories=tuple(map(_joined, dataset.memories))) if joins_context else dataset
    names = [OURS, *(name for name in systems if name != OURS)]

    def run(name: str) -> Mapping[str, float]:
        return _figures(dataset if name == OURS else joined, name, embedder, show)

    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        ours, *theirs = pool.map(run, names)
    return [
        Quality(
            dataset=dataset.name,
            system=name,
            recall=estimate(list(figures.values()), rng()),
            behind=None if name == OURS else compare(ours, figures, rng()),
        )
        for name, figures in zip(names, (ours, *theirs), strict=True)
    ]


def _figures(dataset: Dataset, system: str, embedder: str, show: Bars) -> Mapping[str, float]:
    """Return recall@10 of each query."""
    outcomes: list[Outcome] = []
    bar = show.bar(f"{dataset.name}: {system}", len(dataset.memories) + len(dataset.queries))
    running = open_process(system, embedder=embedder, packs=dataset.packs, has_cache=True)
    with bar as advance, running as (peer, _):
        for batch in batches(dataset.memories):
            peer.add(batch)
            advance(len(batch))
        aliases: Mapping[str, str] = {}
        for start in range(0, len(dataset.queries), _AT_ONCE):
            part = dataset.queries[start : start + _AT_ONCE]
            found = peer.search([replace(query, relevant={}, forbidden=frozenset()) for query in part], CUTOFF)
            outcomes += [
                Outcome(query_id=query.query_id, category=query.category, ranking=ranking, scores=())
                for query, ranking in zip(part, found.rankings, strict=True)
            ]
            aliases = found.aliases
            advance(len(part))
    return rank_metrics(dataset.queries, outcomes, aliases)[METRIC]


def _joined(memory: CorpusMemory) -> CorpusMemory:
    return replace(memory, text=f"{memory.context}\n{memory.text}") if memory.context else memory


def _embed(dataset: Dataset, name: str, show: Bars) -> None:
    """Bring every vector into the cache, so that no system has the model in its process."""
    forms = (*dataset.memories, *map(_joined, dataset.memories))
    texts = list(dict.fromkeys(memory.text for memory in forms))
    bar = show.bar(f"{dataset.name}: vectors", len(texts) + len(dataset.queries))
    with open_cached_embedder(Settings(embedder=name)) as embedder, bar as advance:
        for start in range(0, len(texts), _AT_ONCE):
            part = texts[start : start + _AT_ONCE]
            embedder.embed_passages(part)
            advance(len(part))
        for query in dataset.queries:
            embedder.embed_query(query.intent)
            advance(1)
