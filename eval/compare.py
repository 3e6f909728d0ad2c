"""Two systems on the same queries: how much better, how surely, and where."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from eval.datasets import Dataset
from eval.errors import EvaluationError
from eval.metrics.intervals import Difference, compare
from eval.metrics.outcomes import Outcome, SystemRun
from eval.metrics.summary import per_query

METRICS = ("recall@5", "recall@10", "all@10", "MRR", "nDCG@10", "within@300", "false_injection")
LOWER_IS_BETTER = frozenset({"false_injection", "stale", "leak", "tokens"})
_SHOWN = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A query on which the two differ: the first memories each returns, the relevant ones marked.

    Attributes:
        gap: Of the metric compared, A minus B.
        ours: Texts that A returns, best first, with whether each is relevant.
    """

    query_id: str
    intent: str
    gap: float
    ours: tuple[tuple[str, bool], ...]
    theirs: tuple[tuple[str, bool], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A against B on one set.

    Attributes:
        differences: Metric to A minus B, for the metrics that both have.
        wins: Queries with the largest gain by `metric`, largest first.
        losses: Queries with the largest loss, largest first.
    """

    dataset: str
    metric: str
    differences: Mapping[str, Difference]
    wins: tuple[Example, ...]
    losses: tuple[Example, ...]


def compare_runs(
    dataset: Dataset, ours: SystemRun, theirs: SystemRun, rng: np.random.Generator, *, metric: str = "recall@10"
) -> Comparison:
    """Compare two runs of one set, metric by metric, and show examples by `metric`.

    Raises:
        EvaluationError: The metric is not one that both runs have.
    """
    a, b = per_query(dataset, ours), per_query(dataset, theirs)
    shared = [name for name in dict.fromkeys((metric, *METRICS)) if a.get(name) and b.get(name)]
    if metric not in shared:
        raise EvaluationError(f"{metric!r} is not a metric of both runs; they share {', '.join(shared)}")
    gaps = {name: value - b[metric][name] for name, value in a[metric].items() if name in b[metric]}
    order = sorted(gaps, key=lambda name: (-gaps[name], name))
    return Comparison(
        dataset=dataset.name,
        metric=metric,
        differences={name: compare(a[name], b[name], rng) for name in shared},
        wins=_examples(dataset, ours, theirs, gaps, [name for name in order if gaps[name] > 0][:_SHOWN]),
        losses=_examples(dataset, ours, theirs, gaps, [name for name in order[::-1] if gaps[name] < 0][:_SHOWN]),
    )


def _examples(
    dataset: Dataset, ours: SystemRun, theirs: SystemRun, gaps: Mapping[str, float], names: Sequence[str]
) -> tuple[Example, ...]:
    queries = {query.query_id: query for query in dataset.queries}
    texts = {memory.memory_id: memory.text for memory in dataset.memories}
    a, b = ({outcome.query_id: outcome for outcome in run.outcomes} for run in (ours, theirs))
    return tuple(
        Example(
            query_id=name,
            intent=queries[name].intent,
            gap=gaps[name],
            ours=_first(a[name], texts, {ours.aliases.get(one, one) for one in queries[name].relevant}),
            theirs=_first(b[name], texts, {theirs.aliases.get(one, one) for one in queries[name].relevant}),
        )
        for name in names
    )


def _first(outcome: Outcome, texts: Mapping[str, str], relevant: set[str]) -> tuple[tuple[str, bool], ...]:
    return tuple((texts.get(name, name), name in relevant) for name in outcome.ranking[:5])
