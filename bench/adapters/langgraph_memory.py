"""LangGraph's `InMemoryStore` with an index."""

from collections.abc import Iterator
from contextlib import contextmanager

from langgraph.store.memory import InMemoryStore

from bench.adapters import versions
from bench.adapters.langgraph_store import LangGraphPeer, Plugged, index_of
from bench.peer import About, Opening, Peer


@contextmanager
def open_peer(opening: Opening) -> Iterator[Peer]:
    """Make an empty store."""
    about = About(
        system="langgraph-memory",
        packages=versions("langgraph", "langgraph-checkpoint"),
        settings="InMemoryStore(index=...), a namespace a user; batch of PutOp, search(limit=10)",
        limits="nothing is kept on disk: what the process knew is lost with it",
    )
    embeddings = Plugged(opening.embedder)
    yield LangGraphPeer(InMemoryStore(index=index_of(opening, embeddings)), embeddings, about)
