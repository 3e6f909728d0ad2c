"""What the library asks of the outside: Protocols whose docstrings are the contract."""

from ltm.ports.cache import Cache, TurnLog, owner_cache_key, owner_cache_prefix
from ltm.ports.chat_model import ChatModel, ChatReply
from ltm.ports.clock import Clock
from ltm.ports.embedder import CONTEXT_FORM, Embedder, EmbedderSpec, Matrix, Vector, embedder_fingerprint
from ltm.ports.vector_index import (
    Hit,
    IndexAdmin,
    OwnerMean,
    Point,
    Pool,
    PoolQuery,
    SparseVector,
    StatusChange,
    StoredPoint,
    VectorIndex,
)

__all__ = [
    "CONTEXT_FORM",
    "Cache",
    "ChatModel",
    "ChatReply",
    "Clock",
    "Embedder",
    "EmbedderSpec",
    "Hit",
    "IndexAdmin",
    "Matrix",
    "OwnerMean",
    "Point",
    "Pool",
    "PoolQuery",
    "SparseVector",
    "StatusChange",
    "StoredPoint",
    "TurnLog",
    "Vector",
    "VectorIndex",
    "embedder_fingerprint",
    "owner_cache_key",
    "owner_cache_prefix",
]
