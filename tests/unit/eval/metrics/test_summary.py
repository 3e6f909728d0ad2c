"""A run's figures in all and by category."""

from datetime import UTC, datetime

import numpy as np
import pytest

from eval.datasets import CorpusMemory, Dataset, Query, SkippedQuery
from eval.metrics.outcomes import Outcome, SystemRun
from eval.metrics.summary import percentile, summarise

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def test_summary_counts_categories_skips_and_latency() -> None:
    """Means by category, skipped queries by reason, and milliseconds are all in one value."""
    dataset = Dataset(
        name="tiny",
        lang="en",
        memories=(CorpusMemory(memory_id="a", user="u", text="t", at=NOW),),
        queries=tuple(
            Query(query_id=name, user="u", intent="?", now=NOW, relevant={"a": 1}, category=category)
            for name, category in (("q", "direct"), ("r", "implied"))
        ),
        skipped=(SkippedQuery(query_id="s", reason="no judgements"),),
    )
    outcomes = (
        Outcome(query_id="q", category="direct", ranking=("a",), scores=(1.0,), seconds=0.001, embed_seconds=0.004),
        Outcome(query_id="r", category="implied", ranking=(), scores=(), seconds=0.003),
    )
    run = SystemRun(dataset="tiny", system="x", setup={}, outcomes=outcomes, aliases={})
    found = summarise(dataset, run, np.random.default_rng(1))
    assert found.figures["recall@10"].mean == pytest.approx(0.5)
    assert found.by_category["direct"]["recall@10"] == 1.0
    assert found.by_category["implied"]["recall@10"] == 0.0
    assert found.skipped == {"no judgements": 1}
    assert found.latency.p50 == pytest.approx(2.0)
    assert found.latency.embed_p50 == pytest.approx(4.0)


def test_percentile_of_nothing_is_zero() -> None:
    """A run without queries has a latency of 0, not an error."""
    assert percentile([], 0.5) == 0.0
