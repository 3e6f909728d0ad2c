"""mem0 as it is installed: its default vector store (Qdrant's local mode) and history store (SQLite), and no model."""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager

from mem0 import Memory
from mem0.configs.embeddings.base import BaseEmbedderConfig

from bench.adapters import versions
from bench.peer import NO_ALIASES, About, Opening, Peer
from eval.datasets import CorpusMemory, Query
from ltm.ports import Embedder

_NO_KEY = {"api_key": "none"}
"""For the clients that mem0 makes at once and that are never called: `infer=False` needs no model."""


class Plugged:
    """The shared embedder behind mem0's `embed`, passages and questions told apart as it tells them apart."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.config = BaseEmbedderConfig(embedding_dims=embedder.spec.dim)

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        """Embed one text."""
        return self.embed_batch([text], memory_action or "add")[0]

    def embed_batch(self, texts: Sequence[str], memory_action: str = "add") -> list[list[float]]:
        """Embed texts in input order."""
        if memory_action == "search":
            return [self._embedder.embed_query(text).tolist() for text in texts]
        found: list[list[float]] = self._embedder.embed_passages(texts).tolist()
        return found


class Mem0Peer:
    """`add(infer=False)` and `search`."""

    about = About(
        system="mem0",
        packages=versions("mem0ai", "qdrant-client"),
        settings="Qdrant local mode and SQLite history in a folder, MEM0_TELEMETRY=False; "
        "add(messages, infer=False), search(top_k=10, threshold=0)",
        limits="as pip installs it: its extras (spaCy, fastembed's BM25) fetch models from the network and are not "
        "there, so it ranks by vectors alone; its batch call stores one message after another",
    )
    aliases = NO_ALIASES

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._corpus_ids: dict[str, str] = {}

    def add(self, memories: Sequence[CorpusMemory]) -> None:
        """Store each text as it is, several messages a call."""
        messages = [{"role": "user", "content": memory.text} for memory in memories]
        stored = self._memory.add(messages, user_id=memories[0].user, infer=False)["results"]
        for memory, result in zip(memories, stored, strict=True):
            self._corpus_ids[result["id"]] = memory.memory_id

    def search(self, query: Query, limit: int) -> list[str]:
        """Search one user's memories."""
        found = self._memory.search(query.intent, top_k=limit, filters={"user_id": query.user}, threshold=0.0)
        return [self._corpus_ids[result["id"]] for result in found["results"]]


@contextmanager
def open_peer(opening: Opening) -> Iterator[Peer]:
    """Open a memory whose files lie in the folder."""
    dim = opening.embedder.spec.dim
    config = {
        "vector_store": {
            "provider": "qdrant",
            "config": {"path": str(opening.folder / "qdrant"), "embedding_model_dims": dim},
        },
        "history_db_path": str(opening.folder / "history.db"),
        "llm": {"provider": "openai", "config": _NO_KEY},
        "embedder": {"provider": "openai", "config": {**_NO_KEY, "embedding_dims": dim}},
    }
    with closing(Memory.from_config(config)) as memory:
        memory.embedding_model = Plugged(opening.embedder)
        yield Mem0Peer(memory)
