"""A labelled set: corpus, queries, qrels, in the library's terms."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from types import MappingProxyType

from ltm.models import Json, Turn

ANYBODY = "all"
"""Owner of the memories of a set that knows no users."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusMemory:
    """One memory of the corpus.

    Attributes:
        memory_id: Unique in the set.
        at: When it was said, aware.
        context: The turn before it, indexed beside the text; None where there is none.
        kind: A word of `ltm.models.Kind`, or None for the library's default.
        session: The dialogue it belongs to, or None.
        split: `train`, `test` or None.
    """

    memory_id: str
    user: str
    text: str
    at: datetime
    context: str | None = None
    kind: str | None = None
    key: str | None = None
    value: Json = None
    session: str | None = None
    split: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """One intent with its judgements.

    Attributes:
        now: When it is asked, aware.
        relevant: Memory ids that answer it, with a grade of at least 1.
        category: What kind of question it is, for figures by category.
        needs_nothing: True where no memory helps: anything injected is false.
        history: Earlier turns of the dialogue, oldest first.
        forbidden: Memory ids that must not be injected: they were superseded.
    """

    query_id: str
    user: str
    intent: str
    now: datetime
    relevant: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    category: str = ANYBODY
    needs_nothing: bool = False
    history: tuple[Turn, ...] = ()
    forbidden: frozenset[str] = frozenset()
    split: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SkippedQuery:
    """A query that cannot be scored, and why."""

    query_id: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """A labelled set; memories and queries are in the order of the files.

    Attributes:
        lang: `zh` or `en`, by the letters of the corpus.
        packs: Domain packs that its keys belong to.
        skipped: Queries that were left out of `queries`.
    """

    name: str
    lang: str
    memories: tuple[CorpusMemory, ...]
    queries: tuple[Query, ...]
    packs: tuple[str, ...] = ()
    skipped: tuple[SkippedQuery, ...] = ()

    def restrict(self, split: str) -> "Dataset":
        """Return the part of one split; a query belongs to the split of its own row, else of its user's memories."""
        users = {memory.user for memory in self.memories if memory.split == split}
        return replace(
            self,
            name=f"{self.name}:{split}",
            memories=tuple(memory for memory in self.memories if memory.user in users),
            queries=tuple(query for query in self.queries if query.user in users and query.split in (None, split)),
        )
