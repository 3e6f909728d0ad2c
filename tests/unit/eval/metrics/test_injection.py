"""Figures of what is injected."""

from datetime import UTC, datetime

from eval.datasets import Query
from eval.metrics.injection import injection_metrics
from eval.metrics.outcomes import Injection, Outcome

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def test_each_figure_is_taken_over_the_queries_it_applies_to() -> None:
    """False injection over queries that need nothing, budgets over the others, stale and leak over all."""
    queries = [
        Query(query_id="q", user="u", intent="?", now=NOW, relevant={"a": 1, "b": 1}),
        Query(query_id="n", user="u", intent="hi", now=NOW, needs_nothing=True),
    ]
    outcomes = [
        Outcome(
            query_id="q", category="all", ranking=("a",), scores=(1.0,), stale=2,
            injection=Injection(memory_ids=("a",), tokens=30, within={100: 1, 300: 2}),
        ),
        Outcome(
            query_id="n", category="all", ranking=("a",), scores=(1.0,), foreign=1,
            injection=Injection(memory_ids=("a",), tokens=20, within={100: 0, 300: 0}),
        ),
    ]  # fmt: skip
    found = injection_metrics(queries, outcomes, {})
    assert found["false_injection"] == {"n": 1.0}
    assert found["within@100"] == {"q": 0.5}
    assert found["within@300"] == {"q": 1.0}
    assert found["stale"] == {"q": 1.0, "n": 0.0}
    assert found["leak"] == {"q": 0.0, "n": 1.0}
    assert found["tokens"] == {"q": 30.0, "n": 20.0}


def test_system_that_only_ranks_has_no_figures() -> None:
    """A baseline without a block is not said to inject nothing falsely."""
    query = Query(query_id="q", user="u", intent="?", now=NOW, needs_nothing=True)
    assert injection_metrics([query], [Outcome(query_id="q", category="all", ranking=(), scores=())], {}) == {}
