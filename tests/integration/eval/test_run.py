"""A tiny set through the real store, index and recall, as `python -m eval run` does."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from rich.console import Console

from eval.ablate import ablate
from eval.datasets import CorpusMemory, Dataset, Query
from eval.metrics.outcomes import Outcome
from eval.metrics.summary import per_query
from eval.runner.evaluation import Options, evaluate
from eval.runner.progress import Bars, bars
from eval.session import rng
from eval.tune import tune
from ltm.settings import Settings

AT = datetime(2026, 3, 1, tzinfo=UTC)
HASH = Settings(embedder="hash", database_url=None, qdrant_url=None, redis_url=None)


def memory(name: str, user: str, text: str, day: int, **fields: object) -> CorpusMemory:
    """Make a memory of that day."""
    split = "train" if user == "ann" else "test"
    return CorpusMemory(memory_id=name, user=user, text=text, at=AT + timedelta(days=day), split=split, **fields)  # type: ignore[arg-type]


def query(name: str, user: str, intent: str, *relevant: str, **fields: object) -> Query:
    """Make a query that these memories answer."""
    split = "train" if user == "ann" else "test"
    return Query(
        query_id=name,
        user=user,
        intent=intent,
        now=AT + timedelta(days=60),
        relevant=dict.fromkeys(relevant, 1),
        needs_nothing=not relevant,
        split=split,
        **fields,  # type: ignore[arg-type]
    )


SET = Dataset(
    name="tiny",
    lang="en",
    packs=("job_search",),
    memories=(
        memory("a1", "ann", "only in Berlin", 0, key="job.target_cities", value=["Berlin"]),
        memory("a2", "ann", "Hamburg is fine as well", 9, key="job.target_cities", value=["Berlin", "Hamburg"]),
        memory("a3", "ann", "plays badminton on Sundays", 2),
        memory("a4", "ann", "Plays  badminton on Sundays", 3),
        memory("a5", "ann", "my api key is sk-test-9f3Ab77Qe1Xz02Lm8Kd5Vt4R", 4),
        memory("b1", "bob", "plays badminton with Ann", 1),
    ),
    queries=(
        query("q1", "ann", "book a badminton court for Sunday", "a4"),
        query("q2", "ann", "jobs in Berlin or Hamburg", "a2", forbidden=frozenset({"a1"})),
        query("q3", "ann", "hello"),
        query("q4", "bob", "who do I play badminton with", "b1"),
    ),
)


@pytest.fixture(autouse=True)
def vectors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep vectors of tests out of the user's cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def show() -> Iterator[Bars]:
    """Return bars that write nothing."""
    with bars(Console(quiet=True)) as quiet:
        yield quiet


def options(folder: Path, *, resume: bool = False) -> Options:
    """Return options for the default profile and BM25."""
    return Options(systems=("default", "bm25s"), settings=HASH, folder=folder, resume=resume)


def of(outcomes: tuple[Outcome, ...], name: str) -> Outcome:
    """Return the outcome of one query."""
    return next(outcome for outcome in outcomes if outcome.query_id == name)


def test_run_scores_what_recall_returns(tmp_path: Path, show: Bars) -> None:
    """Heads are ranked under their newest id, merged ones under the first, refused ones counted, nothing leaks."""
    ours, bm25 = evaluate(SET, options(tmp_path), show)
    assert of(ours.outcomes, "q2").ranking[0] == "a2"
    assert ours.aliases == {"a1": "a2", "a4": "a3"}
    assert ours.ingest is not None
    assert list(ours.ingest.refused) == ["a5"]
    assert ours.ingest.merged == 1
    assert of(ours.outcomes, "q4").ranking == ("b1",)
    assert sum(outcome.stale + outcome.foreign for outcome in ours.outcomes) == 0
    figures = per_query(SET, ours)
    assert figures["recall@5"] == {"q1": 1.0, "q2": 1.0, "q4": 1.0}
    assert figures["false_injection"] == {"q3": 0.0}
    assert of(bm25.outcomes, "q1").ranking[0] == "a3"
    assert bm25.outcomes[0].injection is None


def test_resumed_run_is_taken_from_disk(tmp_path: Path, show: Bars) -> None:
    """The same set and setup are not run again; a set that has changed is."""
    first = evaluate(SET, options(tmp_path), show)
    assert evaluate(SET, options(tmp_path, resume=True), show) == first
    fewer = Dataset(name="tiny", lang="en", packs=SET.packs, memories=SET.memories, queries=SET.queries[:1])
    assert len(evaluate(fewer, options(tmp_path, resume=True), show)[0].outcomes) == 1


def test_ablation_has_a_row_for_each_term(show: Bars) -> None:
    """Every term that can be off is compared with the whole."""
    rows = list(ablate(SET, HASH, show, rng()))
    assert {"shift", "lexical", "dense", "recency"} <= {row.term for row in rows}
    assert all(row.difference.count == 3 for row in rows)


def test_tuning_starts_from_the_profile_and_proves_on_other_users(show: Bars) -> None:
    """What was tried begins with no change; a proof exists where something was changed."""
    found = tune([SET], HASH, show, rng())
    assert found.tried[0].changes == {}
    assert len(found.tried) > 10
    assert bool(found.proofs) == bool(found.changes)
