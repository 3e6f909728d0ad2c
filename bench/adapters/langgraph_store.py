"""What LangGraph's stores with an index have in common: the embedder, namespaces, items."""

from collections.abc import Sequence
from typing import cast

from langchain_core.embeddings import Embeddings
from langgraph.store.base import BaseStore, IndexConfig, PutOp

from bench.peer import NO_ALIASES, About, Opening
from eval.datasets import CorpusMemory, Query
from ltm.ports import Embedder


class Plugged(Embeddings):
    """The shared embedder behind LangChain's interface.

    Attributes:
        is_asked: While it is set, documents are embedded as questions: the SQLite store sends both that way.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.is_asked = False

    def embed_query(self, text: str) -> list[float]:
        """Embed a question."""
        found: list[float] = self._embedder.embed_query(text).tolist()
        return found

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Embed texts in input order."""
        if self.is_asked:
            return [self.embed_query(text) for text in texts]
        found: list[list[float]] = self._embedder.embed_passages(texts).tolist()
        return found


class LangGraphPeer:
    """`batch` of puts and `search`, a namespace a user."""

    aliases = NO_ALIASES

    def __init__(self, store: BaseStore, embeddings: Plugged, about: About) -> None:
        self.about = about
        self._store = store
        self._embeddings = embeddings
        self._labels: dict[str, str] = {}

    def add(self, memories: Sequence[CorpusMemory]) -> None:
        """Put one user's texts under their corpus ids, in one batch."""
        namespace = self._namespace(memories[0].user)
        self._store.batch([PutOp(namespace, memory.memory_id, {"text": memory.text}) for memory in memories])

    def search(self, query: Query, limit: int) -> list[str]:
        """Search one user's namespace."""
        self._embeddings.is_asked = True
        try:
            found = self._store.search(self._namespace(query.user), query=query.intent, limit=limit)
        finally:
            self._embeddings.is_asked = False
        return [item.key for item in found]

    def _namespace(self, user: str) -> tuple[str, str]:
        """A label of its own for each user, since a label may not hold a full stop."""
        return "memories", self._labels.setdefault(user, f"user{len(self._labels):06d}")


def index_of(opening: Opening, embeddings: Plugged) -> IndexConfig:
    """Return the index configuration of a store: of an item, its text is embedded.

    The SQLite store reads `text_fields` where the others read `fields`, and embeds the whole item's JSON without it.
    """
    config = {"dims": opening.embedder.spec.dim, "embed": embeddings, "fields": ["text"], "text_fields": ["text"]}
    return cast("IndexConfig", config)
