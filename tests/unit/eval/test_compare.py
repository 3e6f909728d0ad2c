"""Two systems side by side."""

from datetime import UTC, datetime

import numpy as np
import pytest

from eval.compare import compare_runs
from eval.datasets import CorpusMemory, Dataset, Query
from eval.errors import EvaluationError
from eval.metrics.outcomes import Outcome, SystemRun

NOW = datetime(2026, 1, 1, tzinfo=UTC)
DATASET = Dataset(
    name="tiny",
    lang="en",
    memories=tuple(CorpusMemory(memory_id=name, user="u", text=f"text {name}", at=NOW) for name in "ab"),
    queries=tuple(Query(query_id=name, user="u", intent=f"about {name}", now=NOW, relevant={"a": 1}) for name in "xyz"),
)


def run(system: str, *first: str) -> SystemRun:
    """Return a run in which the n-th query's ranking is one memory."""
    outcomes = tuple(
        Outcome(query_id=query.query_id, category="all", ranking=(name,), scores=(1.0,))
        for query, name in zip(DATASET.queries, first, strict=True)
    )
    return SystemRun(dataset="tiny", system=system, setup={}, outcomes=outcomes, aliases={})


def test_differences_and_examples() -> None:
    """A wins two queries and loses one; the examples show what each returned."""
    found = compare_runs(DATASET, run("A", "a", "a", "b"), run("B", "b", "b", "a"), np.random.default_rng(1))
    gap = found.differences["recall@10"]
    assert (gap.wins, gap.losses) == (2, 1)
    assert gap.mean == pytest.approx(1 / 3)
    assert [example.query_id for example in found.wins] == ["x", "y"]
    assert found.losses[0].ours == (("text b", False),)
    assert found.losses[0].theirs == (("text a", True),)
    assert "false_injection" not in found.differences


def test_metric_that_one_lacks_is_refused() -> None:
    """A baseline has no block, so there is nothing to compare in it."""
    with pytest.raises(EvaluationError, match="not a metric of both runs"):
        compare_runs(DATASET, run("A", *"aaa"), run("B", *"aaa"), np.random.default_rng(1), metric="tokens")
