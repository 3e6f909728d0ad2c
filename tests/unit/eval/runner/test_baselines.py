"""The baseline that every figure is put beside."""

from datetime import UTC, datetime

from eval.datasets import CorpusMemory, Query
from eval.runner.baselines import Bm25

NOW = datetime(2026, 1, 1, tzinfo=UTC)
TEXTS = {"a": "I play badminton on Sundays", "b": "my cat is called Biscuit", "c": "周末晚上打羽毛球", "d": "!?"}


def ask(intent: str, user: str = "u") -> tuple[str, ...]:
    """Return the ranking of four memories."""
    memories = [CorpusMemory(memory_id=name, user="u", text=text, at=NOW) for name, text in TEXTS.items()]
    return Bm25(memories).rank(Query(query_id="q", user=user, intent=intent, now=NOW))[0]


def test_memory_that_shares_terms_is_found() -> None:
    """English by stems, Chinese by character pairs; what shares nothing is not ranked."""
    assert ask("when is badminton?") == ("a",)
    assert ask("订羽毛球场") == ("c",)


def test_nothing_to_search_for_gives_nothing() -> None:
    """An intent without terms, or of a user without memories, has an empty ranking."""
    assert ask("?!") == ()
    assert ask("badminton", user="stranger") == ()


def test_ties_are_broken_by_id() -> None:
    """Equal scores give equal order on every run."""
    memories = [CorpusMemory(memory_id=name, user="u", text="same words here", at=NOW) for name in ("z", "m", "a")]
    assert Bm25(memories).rank(Query(query_id="q", user="u", intent="words", now=NOW))[0] == ("a", "m", "z")
