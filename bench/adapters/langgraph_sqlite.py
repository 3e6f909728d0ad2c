"""LangGraph's `SqliteStore` with an index, by the sqlite-vec extension."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from langgraph.store.sqlite import SqliteStore

from bench.adapters import versions
from bench.adapters.langgraph_store import LangGraphPeer, Plugged, index_of
from bench.peer import About, Opening, Peer, PeerUnavailableError


@contextmanager
def open_peer(opening: Opening) -> Iterator[Peer]:
    """Open a store in the folder.

    Raises:
        PeerUnavailableError: This Python was built without loadable SQLite extensions.
    """
    if not hasattr(sqlite3.Connection, "enable_load_extension"):
        raise PeerUnavailableError("this Python's sqlite3 cannot load extensions, which sqlite-vec is")
    about = About(
        system="langgraph-sqlite",
        packages=versions("langgraph-checkpoint-sqlite", "sqlite-vec"),
        settings="SqliteStore(index=..., with text_fields) in a file, a namespace a user; "
        "batch of PutOp, search(limit=10)",
        limits="compares with every vector of the namespace",
    )
    embeddings = Plugged(opening.embedder)
    path = str(opening.folder / "store.db")
    with SqliteStore.from_conn_string(path, index=index_of(opening, embeddings)) as store:
        store.setup()
        yield LangGraphPeer(store, embeddings, about)
