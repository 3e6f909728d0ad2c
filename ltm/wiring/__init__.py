"""From settings to a memory's parts: which adapters there are, and how they are put together."""

from ltm.wiring.adapters import (
    localise,
    migrate,
    open_cache,
    open_chat_model,
    open_embedder,
    open_index,
    open_reranker,
    open_sql,
)
from ltm.wiring.opening import open_house, open_parts

__all__ = [
    "localise",
    "migrate",
    "open_cache",
    "open_chat_model",
    "open_embedder",
    "open_house",
    "open_index",
    "open_parts",
    "open_reranker",
    "open_sql",
]
