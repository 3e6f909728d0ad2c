"""What a report shows, before any markup."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from eval.datasets import Dataset, Query
from eval.metrics.intervals import Difference
from eval.metrics.outcomes import Ingest, Outcome, SystemRun
from eval.metrics.summary import Summary
from eval.scenarios.results import Result

WORST = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Worst:
    """A query that went badly, and what was injected instead of what it needs.

    Attributes:
        rank: Of the first relevant memory, from 1; None where none was returned.
    """

    query_id: str
    category: str
    intent: str
    rank: int | None
    relevant: tuple[str, ...]
    injected: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SetReport:
    """One set: the first summary is of the system that the report is about.

    Attributes:
        latencies_ms: System to the time of each ranking call.
    """

    dataset: str
    memories: int
    summaries: tuple[Summary, ...]
    latencies_ms: Mapping[str, tuple[float, ...]]
    ingest: Ingest | None
    worst: tuple[Worst, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AblationRow:
    """What is lost (negative) when a term is off."""

    dataset: str
    term: str
    metric: str
    difference: Difference


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Everything on the page.

    Attributes:
        made_at: ISO 8601.
        setup: What was run, for the foot of the page.
    """

    title: str
    made_at: str
    setup: Mapping[str, str]
    sets: tuple[SetReport, ...]
    ablation: tuple[AblationRow, ...] = ()
    stories: tuple[Result, ...] = ()


def find_worst(dataset: Dataset, run: SystemRun) -> tuple[Worst, ...]:
    """Return the queries with the worst first rank and those that should have recalled nothing, worst first."""
    queries = {query.query_id: query for query in dataset.queries}
    texts = {memory.memory_id: memory.text for memory in dataset.memories}
    found = [_describe(queries[outcome.query_id], outcome, run.aliases, texts) for outcome in run.outcomes]
    bad = [worst for worst in found if (worst.rank != 1 if worst.relevant else worst.injected)]
    return tuple(sorted(bad, key=_badness)[:WORST])


def _describe(query: Query, outcome: Outcome, aliases: Mapping[str, str], texts: Mapping[str, str]) -> Worst:
    relevant = {aliases.get(name, name) for name in query.relevant}
    ranks = (place for place, name in enumerate(outcome.ranking, start=1) if name in relevant)
    injected: Sequence[str] = outcome.injection.memory_ids if outcome.injection else outcome.ranking[:5]
    return Worst(
        query_id=query.query_id,
        category=query.category,
        intent=query.intent,
        rank=next(ranks, None),
        relevant=tuple(texts.get(name, name) for name in sorted(relevant)),
        injected=tuple(texts.get(name, name) for name in injected[:5]),
    )


def _badness(worst: Worst) -> tuple[int, str]:
    """Order: nothing relevant returned, then false injections, then by how far down the first relevant one is."""
    if not worst.relevant:
        return -100, worst.query_id
    return (-1000 if worst.rank is None else -worst.rank), worst.query_id
