"""Metrics of what goes into the prompt: one figure a query."""

from collections.abc import Iterable, Mapping, Sequence

from eval.datasets import Query
from eval.metrics.outcomes import Outcome
from eval.metrics.ranking import PerQuery

BUDGETS = (50, 100, 200, 300, 500, 1000)
"""Token budgets of the budget curve."""


def injection_metrics(queries: Sequence[Query], outcomes: Iterable[Outcome], aliases: Mapping[str, str]) -> PerQuery:
    """Return, where the system injects, a figure for every query the metric applies to.

    `false_injection` (1 or 0) for queries that need nothing; `stale` and `leak` (1 or 0) and `tokens` for all;
    `within@b`, the share of a query's relevant memories in the block of at most b tokens.
    """
    by_id = {query.query_id: query for query in queries}
    figures: PerQuery = {name: {} for name in ("false_injection", "stale", "leak", "tokens")}
    figures |= {f"within@{budget}": {} for budget in BUDGETS}
    for outcome in outcomes:
        if outcome.injection is None:
            continue
        query = by_id[outcome.query_id]
        figures["stale"][query.query_id] = float(outcome.stale > 0)
        figures["leak"][query.query_id] = float(outcome.foreign > 0)
        figures["tokens"][query.query_id] = float(outcome.injection.tokens)
        if query.needs_nothing:
            figures["false_injection"][query.query_id] = float(bool(outcome.injection.memory_ids))
        relevant = {aliases.get(name, name) for name in query.relevant}
        for budget, hits in outcome.injection.within.items():
            if relevant:
                figures[f"within@{budget}"][query.query_id] = hits / len(relevant)
    return {name: values for name, values in figures.items() if values}
