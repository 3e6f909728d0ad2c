"""A run's figures: means with intervals, in all and by category, and latency."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from eval.datasets import Dataset
from eval.metrics.injection import injection_metrics
from eval.metrics.intervals import Estimate, estimate
from eval.metrics.outcomes import SystemRun
from eval.metrics.ranking import PerQuery, count_ties, rank_metrics


@dataclass(frozen=True, slots=True, kw_only=True)
class Latency:
    """Milliseconds of the ranking calls without the embedder; `embed_p50` over vectors that were not cached."""

    p50: float
    p99: float
    embed_p50: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What one system reached on one set.

    Attributes:
        figures: Metric to its mean with interval.
        by_category: Category to metric to mean.
        skipped: Reason to number of queries of the set that could not be scored.
        ties: Rankings with equal scores across rank 10.
    """

    dataset: str
    system: str
    queries: int
    figures: Mapping[str, Estimate]
    by_category: Mapping[str, Mapping[str, float]]
    latency: Latency
    skipped: Mapping[str, int]
    ties: int


def per_query(dataset: Dataset, run: SystemRun) -> PerQuery:
    """Return every metric of every query it applies to."""
    return {
        **rank_metrics(dataset.queries, run.outcomes, run.aliases),
        **injection_metrics(dataset.queries, run.outcomes, run.aliases),
    }


def summarise(dataset: Dataset, run: SystemRun, rng: np.random.Generator) -> Summary:
    """Return the run's figures; metrics that apply to no query are left out."""
    figures = per_query(dataset, run)
    skipped: defaultdict[str, int] = defaultdict(int)
    for skip in dataset.skipped:
        skipped[skip.reason] += 1
    return Summary(
        dataset=dataset.name,
        system=run.system,
        queries=len(dataset.queries),
        figures={name: estimate(list(values.values()), rng) for name, values in figures.items() if values},
        by_category=_by_category(dataset, figures),
        latency=_latency(run),
        skipped=dict(skipped),
        ties=count_ties(run.outcomes),
    )


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which this share (0 to 1) of the values lies; 0 where there are none."""
    return float(np.quantile(values, share)) if values else 0.0


def _by_category(dataset: Dataset, figures: PerQuery) -> dict[str, dict[str, float]]:
    category = {query.query_id: query.category for query in dataset.queries}
    found: dict[str, dict[str, float]] = {name: {} for name in sorted(set(category.values()))}
    for metric, values in figures.items():
        grouped: defaultdict[str, list[float]] = defaultdict(list)
        for query_id, value in values.items():
            grouped[category[query_id]].append(value)
        for name, part in grouped.items():
            found[name][metric] = float(np.mean(part))
    return found


def _latency(run: SystemRun) -> Latency:
    library = [outcome.seconds * 1000 for outcome in run.outcomes]
    embedder = [outcome.embed_seconds * 1000 for outcome in run.outcomes if outcome.embed_seconds > 0]
    return Latency(p50=percentile(library, 0.5), p99=percentile(library, 0.99), embed_p50=percentile(embedder, 0.5))
