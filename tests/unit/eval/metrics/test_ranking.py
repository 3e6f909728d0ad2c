"""Ranking metrics against figures worked out by hand."""

from datetime import UTC, datetime

import pytest

from eval.datasets import Query
from eval.metrics.outcomes import Outcome
from eval.metrics.ranking import count_ties, rank_metrics

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def query(query_id: str, *relevant: str) -> Query:
    """Make a query that these memories answer."""
    return Query(query_id=query_id, user="u", intent="?", now=NOW, relevant=dict.fromkeys(relevant, 1))


def outcome(query_id: str, *ranking: str, scores: tuple[float, ...] = ()) -> Outcome:
    """Make an answer with these memories, best first."""
    return Outcome(query_id=query_id, category="all", ranking=ranking, scores=scores)


def test_recall_any_and_all_at_k() -> None:
    """One of two relevant among the first five is recall .5, any 1, all 0."""
    found = rank_metrics([query("q", "a", "b")], [outcome("q", "x", "a", "y", "z", "w", "b")], {})
    assert found["recall@5"]["q"] == pytest.approx(0.5)
    assert found["any@5"]["q"] == 1.0
    assert found["all@5"]["q"] == 0.0
    assert found["all@10"]["q"] == 1.0
    assert found["MRR"]["q"] == pytest.approx(0.5)
    assert found["nDCG@10"]["q"] == pytest.approx((1 / 1.584963 + 1 / 2.807355) / (1 + 1 / 1.584963), abs=1e-4)


def test_query_without_answer_scores_zero() -> None:
    """An empty ranking counts, it is not left out of the mean."""
    found = rank_metrics([query("q", "a"), query("r", "a")], [outcome("q"), outcome("r", "a")], {})
    assert found["recall@10"] == {"q": 0.0, "r": 1.0}


def test_query_that_needs_nothing_is_not_ranked() -> None:
    """Recall has no meaning where nothing is relevant."""
    found = rank_metrics([query("q")], [outcome("q", "a")], {})
    assert found["recall@10"] == {}


def test_aliases_judge_a_merged_memory_under_its_ranked_id() -> None:
    """A memory that was merged into another is found when that other one is."""
    found = rank_metrics([query("q", "a", "b")], [outcome("q", "a")], {"b": "a"})
    assert found["recall@10"]["q"] == 1.0


def test_ties_across_the_cutoff_are_counted() -> None:
    """A tie matters only where it decides who is in."""
    outcomes = [outcome("q", *"abc", scores=(3.0, 2.0, 2.0)), outcome("r", *"abc", scores=(3.0, 3.0, 2.0))]
    assert count_ties(outcomes, cutoff=2) == 1
