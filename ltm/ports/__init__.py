"""What the library asks of the outside: Protocols whose docstrings are the contract."""

from ltm.ports.cache import Cache, TurnLog
from ltm.ports.chat_model import ChatModel, ChatReply
from ltm.ports.clock import Clock
from ltm.ports.embedder import Embedder, EmbedderSpec, Matrix, Vector
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
]
