"""The generations of an index on a Qdrant server: a collection each, whose metadata says what it was built for."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from threading import Lock

from qdrant_client import QdrantClient
from qdrant_client.http.exceptions import UnexpectedResponse

from ltm.index.identity import Identity, absent, check_name, parse_identity, require_identity
from ltm.index.payload import DENSE
from ltm.index.point_index import PointIndex
from ltm.index.server import ServerEngine
from ltm.index.server_words import GRAPH, PAYLOAD_INDEXES, SPARSE, dense_params, server_errors

_METADATA = "ltm"
_CONFLICT = 409


class ServerIndexAdmin:
    """Generations named `<prefix>.<name>`; other collections of the server are never touched.

    Works with the client's local mode too, which takes one call at a time and knows no payload indexes, shards and
    replicas.
    """

    def __init__(
        self,
        client: QdrantClient,
        *,
        prefix: str,
        check: Callable[[], None] = lambda: None,
        shard_number: int | None = None,
        replication_factor: int | None = None,
        write_consistency_factor: int | None = None,
    ) -> None:
        """Take a client, which stays the caller's to close; nothing is asked of it yet.

        Args:
            client: Its timeout bounds every call.
            prefix: Separates the stores that share a server.
            check: Raises where the server does not answer or cannot be used; called before anything else is asked.
            shard_number: Of new collections; None is the server's default.
            replication_factor: Copies of each shard in new collections.
            write_consistency_factor: How many copies must confirm a write.
        """
        self._client = client
        self._prefix = f"{prefix}."
        self._check = check
        self._shard_number = shard_number
        self._replication_factor = replication_factor
        self._write_consistency_factor = write_consistency_factor
        self._is_local = _is_local(client)
        self._turn: AbstractContextManager[object] = Lock() if self._is_local else nullcontext()

    def check(self) -> None:
        """Raise where the server does not answer or cannot be used."""
        self._check()

    def create(self, name: str, *, dim: int, fingerprint: str) -> PointIndex:
        """Make an empty generation, or open it where it exists with this fingerprint and dimension."""
        self._check()
        collection = self._prefix + check_name(name)
        wanted = Identity(fingerprint=fingerprint, dim=dim)
        with self._turn, server_errors(collection):
            exists = self._client.collection_exists(collection)
            if not exists:
                self._make(collection, wanted)
        if exists:
            require_identity(self._identity(collection), wanted, where=_where(collection))
        if not self._is_local:
            # Also where it exists: whoever made it may have died before its indexes were there. Repeating is free.
            self._index_payload(collection)
        return self.open(name, dim=dim, fingerprint=fingerprint)

    def open(self, name: str, *, dim: int, fingerprint: str) -> PointIndex:
        """Open an existing generation after one look at its metadata."""
        self._check()
        collection = self._prefix + check_name(name)
        wanted = Identity(fingerprint=fingerprint, dim=dim)
        require_identity(self._identity(collection), wanted, where=_where(collection))
        return PointIndex(ServerEngine(self._client, collection, turn=self._turn), dim=dim)

    def names(self) -> list[str]:
        """List the generations that exist, sorted."""
        self._check()
        with self._turn, server_errors(self._prefix + "*"):
            found = [each.name for each in self._client.get_collections().collections]
        names = [name.removeprefix(self._prefix) for name in found if name.startswith(self._prefix)]
        # A dot never occurs in a generation's name, but may in the prefix of another store.
        return sorted(name for name in names if "." not in name)

    def drop(self, name: str) -> None:
        """Remove a generation and all its points; an unknown name is no error."""
        self._check()
        collection = self._prefix + check_name(name)
        with self._turn, server_errors(collection):
            self._client.delete_collection(collection)

    def close(self) -> None:
        """Do nothing: generations hold nothing open, and the client is the caller's."""

    def _make(self, collection: str, identity: Identity) -> None:
        try:
            self._client.create_collection(
                collection,
                vectors_config=dense_params(identity.dim),
                sparse_vectors_config=SPARSE,
                hnsw_config=GRAPH,
                shard_number=self._shard_number,
                replication_factor=self._replication_factor,
                write_consistency_factor=self._write_consistency_factor,
                metadata={_METADATA: identity.to_json()},
            )
        except UnexpectedResponse as error:
            # Another process made it in between; its identity is compared when it is opened.
            if error.status_code != _CONFLICT:
                raise

    def _index_payload(self, collection: str) -> None:
        with self._turn, server_errors(collection):
            for field, params in PAYLOAD_INDEXES.items():
                self._client.create_payload_index(collection, field, params, wait=True)

    def _identity(self, collection: str) -> Identity:
        with self._turn, server_errors(collection):
            if not self._client.collection_exists(collection):
                raise absent(_where(collection))
            config = self._client.get_collection(collection).config
        found = parse_identity((config.metadata or {}).get(_METADATA), where=_where(collection))
        vectors = config.params.vectors
        size = vectors[DENSE].size if isinstance(vectors, dict) and DENSE in vectors else 0
        return Identity(fingerprint=found.fingerprint, dim=size)


def _is_local(client: QdrantClient) -> bool:
    return client.init_options["location"] == ":memory:" or client.init_options["path"] is not None


def _where(collection: str) -> str:
    return f"Qdrant collection {collection}"
