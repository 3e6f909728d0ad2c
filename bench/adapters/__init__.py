"""One module a system; each has `open_peer`, and imports its package at its top."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from importlib import import_module
from importlib.metadata import version

from bench.peer import Opening, Peer, PeerUnavailableError

OURS = "ltm"
MODULES = {
    OURS: "ltm_memory",
    "mem0": "mem0_memory",
    "langgraph-memory": "langgraph_memory",
    "langgraph-sqlite": "langgraph_sqlite",
    "qdrant-local": "qdrant_local",
    "bm25s": "bm25s_index",
}
"""System to its module, in the order of the tables; the library first."""


def open_system(system: str, opening: Opening) -> AbstractContextManager[Peer]:
    """Open one system.

    Raises:
        PeerUnavailableError: Its package is not installed.
    """
    try:
        module = import_module(f"bench.adapters.{MODULES[system]}")
    except ModuleNotFoundError as error:
        raise PeerUnavailableError(f"the package {error.name} is not installed") from error
    opener: Callable[[Opening], AbstractContextManager[Peer]] = module.open_peer
    return opener(opening)


def versions(*distributions: str) -> str:
    """Return the distributions with the versions that are installed."""
    return ", ".join(f"{name} {version(name)}" for name in distributions)
