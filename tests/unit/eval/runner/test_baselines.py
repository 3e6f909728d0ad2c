"""The baselines that every figure is put beside."""

from datetime import UTC, datetime

import pytest

from eval.datasets import CorpusMemory, Dataset, Query
from eval.metrics.outcomes import Ingest
from eval.runner.baselines import BASELINES, Baselines, run_baseline
from eval.runner.ingest import Stored
from ltm.embed.hashing import HashEmbedder

NOW = datetime(2026, 1, 1, tzinfo=UTC)
TEXTS = {"a": "I play badminton on Sundays", "b": "my cat is called Biscuit", "c": "expected salary 20k"}


def ask(name: str, intent: str, user: str = "u") -> tuple[str, ...]:
    """Return a baseline's ranking of three memories."""
    memories = tuple(CorpusMemory(memory_id=name, user="u", text=text, at=NOW) for name, text in TEXTS.items())
    query = Query(query_id="q", user=user, intent=intent, now=NOW, relevant={"a": 1})
    dataset = Dataset(name="tiny", lang="en", memories=memories, queries=(query,))
    stored = Stored(
        corpus_ids={},
        aliases={},
        superseded=frozenset(),
        heads=memories,
        ingest=Ingest(count=3, seconds=1.0, refused={}),
    )
    return run_baseline(name, Baselines(memories, HashEmbedder()), dataset, stored).outcomes[0].ranking


@pytest.mark.parametrize("name", BASELINES)
def test_baseline_finds_the_memory_that_shares_words(name: str) -> None:
    """Each baseline ranks a memory with the intent's words first."""
    assert ask(name, "badminton on sundays?")[0] == "a"


@pytest.mark.parametrize("name", BASELINES)
def test_ties_are_broken_by_id(name: str) -> None:
    """An intent that nothing matches gives an order all the same, the same on every run."""
    assert ask(name, "?!") == ask(name, "?!")


@pytest.mark.parametrize("name", BASELINES)
def test_user_without_memories_gets_nothing(name: str) -> None:
    """No other user's memories are ranked."""
    assert ask(name, "badminton", user="stranger") == ()


def test_fusion_ranks_by_both() -> None:
    """What both rankings hold is before what only one holds."""
    assert ask("rrf", "salary")[0] == "c"
