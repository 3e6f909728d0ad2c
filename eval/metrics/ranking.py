"""Metrics of a ranking, by ir-measures: one figure a query."""

from collections.abc import Iterable, Mapping, Sequence

import ir_measures
from ir_measures import RR, R, Success, nDCG

from eval.datasets import Query
from eval.metrics.outcomes import Outcome

CUTOFFS = (1, 3, 5, 10, 20, 50)
_MEASURES = [*(R @ k for k in CUTOFFS), *(Success @ k for k in (5, 10)), RR, nDCG @ 10]
_NAMES = {
    **{str(R @ k): f"recall@{k}" for k in CUTOFFS},
    **{str(Success @ k): f"any@{k}" for k in (5, 10)},
    str(RR): "MRR",
    str(nDCG @ 10): "nDCG@10",
}
ALL_OF = (5, 10)
"""Cut-offs of `all@k`: 1 where every relevant memory is among the first k, else 0."""

PerQuery = dict[str, dict[str, float]]
"""Metric to query id to figure."""


def rank_metrics(queries: Sequence[Query], outcomes: Iterable[Outcome], aliases: Mapping[str, str]) -> PerQuery:
    """Return every ranking metric of every query that has relevant memories; one without an answer scores 0.

    The order of `Outcome.ranking` counts, not the scores: equal scores keep the order in which they were returned.
    """
    judged = {
        query.query_id: {aliases.get(name, name): grade for name, grade in query.relevant.items()}
        for query in queries
        if query.relevant
    }
    run = {
        outcome.query_id: {name: float(-place) for place, name in enumerate(outcome.ranking)}
        for outcome in outcomes
        if outcome.query_id in judged and outcome.ranking
    }
    figures: PerQuery = {name: dict.fromkeys(judged, 0.0) for name in _NAMES.values()}
    if run:
        for found in ir_measures.iter_calc(_MEASURES, judged, run):
            figures[_NAMES[str(found.measure)]][found.query_id] = float(found.value)
    for k in ALL_OF:
        figures[f"all@{k}"] = {name: float(value >= 1.0) for name, value in figures[f"recall@{k}"].items()}
    return figures


def count_ties(outcomes: Iterable[Outcome], cutoff: int = 10) -> int:
    """Count the rankings in which the scores on both sides of the cut-off are equal: there, order decides a figure."""
    return sum(
        len(outcome.scores) > cutoff and outcome.scores[cutoff - 1] == outcome.scores[cutoff] for outcome in outcomes
    )
