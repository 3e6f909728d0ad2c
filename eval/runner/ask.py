"""Ask a store the queries of a set: once for the ranking, once as an application would, once for each budget."""

from dataclasses import dataclass, replace
from time import perf_counter

from eval.datasets import Query
from eval.metrics.injection import BUDGETS
from eval.metrics.outcomes import DEPTH, Injection, Outcome
from eval.runner.embedding_cache import CachedEmbedder
from eval.runner.ingest import Stored
from ltm.memory import Memory
from ltm.models import Recall


@dataclass(frozen=True, slots=True, kw_only=True)
class Asker:
    """Everything a question needs.

    Attributes:
        embedder: Whose time is told apart from the library's; None where it is not known.
    """

    memory: Memory
    stored: Stored
    embedder: CachedEmbedder | None = None

    def rank(self, query: Query) -> Outcome:
        """Return the query's ranking, timed, without what would be injected."""
        before = self.embedder.seconds if self.embedder else 0.0
        started = perf_counter()
        ranked = self._recall(query, limit=DEPTH, budget=None, floor=0.0)
        seconds = perf_counter() - started
        embedding = self.embedder.seconds - before if self.embedder else 0.0
        return Outcome(
            query_id=query.query_id,
            category=query.category,
            ranking=self._ids(ranked),
            scores=tuple(item.score for item in ranked.items),
            seconds=max(seconds - embedding, 0.0),
            embed_seconds=embedding,
            stale=self._count_stale(ranked, query),
            foreign=self._count_foreign(ranked, query),
        )

    def ask(self, query: Query) -> Outcome:
        """Return ranking and injection; the ranking comes first, so that only it is timed, on cold caches."""
        ranked = self.rank(query)
        injected = self.memory.recall(query.user, query.intent, history=query.history, now=query.now)
        blocks = {budget: self._recall(query, limit=DEPTH, budget=budget, floor=None) for budget in BUDGETS}
        answers = (injected, *blocks.values())
        relevant = {self.stored.aliases.get(name, name) for name in query.relevant}
        return replace(
            ranked,
            stale=ranked.stale + sum(self._count_stale(answer, query) for answer in answers),
            foreign=ranked.foreign + sum(self._count_foreign(answer, query) for answer in answers),
            injection=Injection(
                memory_ids=self._ids(injected),
                tokens=injected.tokens,
                within={budget: len(relevant & set(self._ids(block))) for budget, block in blocks.items()},
            ),
        )

    def _recall(self, query: Query, *, limit: int, budget: int | None, floor: float | None) -> Recall:
        return self.memory.recall(
            query.user,
            query.intent,
            history=query.history,
            now=query.now,
            limit=limit,
            token_budget=budget,
            min_relevance=floor,
        )

    def _ids(self, answer: Recall) -> tuple[str, ...]:
        return tuple(self.stored.corpus_ids.get(item.memory.memory_id, "?") for item in answer.items)

    def _count_stale(self, answer: Recall, query: Query) -> int:
        """Count the items that show a statement which a later one replaced."""
        wrong = self.stored.superseded | query.forbidden
        return sum(item.memory.external_id in wrong for item in answer.items)

    def _count_foreign(self, answer: Recall, query: Query) -> int:
        """Count the items that belong to another user, or to nobody that was stored."""
        known = self.stored.corpus_ids
        return sum(item.memory.user_id != query.user or item.memory.memory_id not in known for item in answer.items)
