"""Qdrant's client in its local mode: vectors alone, filtered by user."""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager

from qdrant_client import QdrantClient
from qdrant_client.models import Distance, FieldCondition, Filter, MatchValue, PointStruct, VectorParams

from bench.adapters import versions
from bench.peer import NO_ALIASES, About, Opening, Peer
from eval.datasets import CorpusMemory, Query
from ltm.ports import Embedder

_COLLECTION = "memories"


class QdrantPeer:
    """`upsert` and `query_points`."""

    about = About(
        system="qdrant-local",
        packages=versions("qdrant-client"),
        settings="QdrantClient(path=...), cosine; upsert of a batch, query_points(limit=10) filtered on the user",
        limits="a Python stand-in for the server, which its makers advise for up to 20,000 points",
    )
    aliases = NO_ALIASES

    def __init__(self, client: QdrantClient, embedder: Embedder) -> None:
        self._client = client
        self._embedder = embedder
        self._corpus_ids: list[str] = []

    def add(self, memories: Sequence[CorpusMemory]) -> None:
        """Upsert a batch; points are numbered."""
        vectors = self._embedder.embed_passages([memory.text for memory in memories]).tolist()
        first = len(self._corpus_ids)
        self._corpus_ids.extend(memory.memory_id for memory in memories)
        points = [
            PointStruct(id=first + at, vector=vector, payload={"user_id": memory.user, "text": memory.text})
            for at, (memory, vector) in enumerate(zip(memories, vectors, strict=True))
        ]
        self._client.upsert(_COLLECTION, points)

    def search(self, query: Query, limit: int) -> list[str]:
        """Ask for the nearest points of one user."""
        own = Filter(must=[FieldCondition(key="user_id", match=MatchValue(value=query.user))])
        vector = self._embedder.embed_query(query.intent)
        found = self._client.query_points(_COLLECTION, query=vector, query_filter=own, limit=limit)
        return [self._corpus_ids[int(point.id)] for point in found.points]


@contextmanager
def open_peer(opening: Opening) -> Iterator[Peer]:
    """Make a collection in the folder."""
    with closing(QdrantClient(path=str(opening.folder / "qdrant"))) as client:
        size = opening.embedder.spec.dim
        client.create_collection(_COLLECTION, vectors_config=VectorParams(size=size, distance=Distance.COSINE))
        yield QdrantPeer(client, opening.embedder)
