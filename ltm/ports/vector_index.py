"""The derived index of memory heads: one point a memory, in one vector space.

A point is thin: owner, status, kind, version, valid_from; text and the rest come from SQL. `version` is the number of
versions of the chain the point was made from (a late statement raises it too): a point of a smaller number never
overwrites one of a greater number, whatever the order of the calls.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Protocol

from ltm.models import Kind, Status
from ltm.ports.embedder import Vector


@dataclass(frozen=True, slots=True, kw_only=True)
class SparseVector:
    """Term weights: `indices` are distinct term ids (0 to 2**32 - 1) in ascending order, `values` their weights."""

    indices: tuple[int, ...]
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Point:
    """A memory's head as the index holds it.

    Attributes:
        memory_id: UUID string, also the point's id.
        owner_key: `Owner.key`.
        version: Number of versions of the chain.
        valid_from: Of the head, UTC.
        dense: float32, shape (dim,), unit length.
        sparse: BM25 document weights, without IDF.
    """

    memory_id: str
    owner_key: str
    status: Status
    kind: Kind
    version: int
    valid_from: datetime
    dense: Vector
    sparse: SparseVector


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StoredPoint:
    """A point as found in the index by `scroll`; fields are None where the payload lacks or garbles them."""

    memory_id: str
    owner_key: str | None
    status: Status | None
    kind: Kind | None
    version: int | None
    valid_from: datetime | None
    dense: Vector | None = None
    sparse: SparseVector | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusChange:
    """The head of a chain changed its status and nothing that is embedded."""

    memory_id: str
    status: Status
    version: int
    valid_from: datetime


class Hit(NamedTuple):
    """One answer of one channel; a tuple, for every recall makes a hundred of them.

    Attributes:
        score: Inner product (dense) or BM25 with the owner's IDF (lexical); higher is better.
    """

    memory_id: str
    version: int
    status: Status
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeSpan:
    """Instants from `start` up to, not including, `end`; both aware."""

    start: datetime
    end: datetime


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PoolQuery:
    """Both channels of one recall.

    Attributes:
        owner_key: Only active points of exactly this owner are considered, and IDF is computed over them, of any kind.
        dense: Query vector of any length, shape (dim,), or None to leave the channel out.
        sparse: Query term weights, or None (also when it has no terms) to leave the channel out.
        limit: Hits per channel, 1 to 1000.
        kinds: Only these kinds; empty means all.
        is_joint: Answer the dense channel also for every hit of the lexical one.
        spans: Answer each channel also for the best `limit` points that became true within any of these.
    """

    owner_key: str
    dense: Vector | None
    sparse: SparseVector | None
    limit: int
    kinds: tuple[Kind, ...] = ()
    is_joint: bool = False
    spans: tuple[TimeSpan, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """Hits with status `active` only, best first, ties by memory id; a channel that was left out is empty.

    A channel holds the best `limit` of all, and behind or between them what `is_joint` and `spans` ask for besides.
    """

    dense: tuple[Hit, ...] = ()
    lexical: tuple[Hit, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OwnerMean:
    """Mean of an owner's active dense vectors.

    Attributes:
        vector: Shape (dim,), not normalised.
        count: How many active points the owner has; the mean was taken over the first of them.
    """

    vector: Vector
    count: int


class VectorIndex(Protocol):
    """One generation of the index. Calls are thread-safe; every call ends within the adapter's timeout.

    Every method may raise `VectorIndexError`; those of an embedded index also `IndexLockedError` at first use.
    """

    @property
    def dim(self) -> int:
        """Return the length of the dense vectors."""
        ...

    def search(self, query: PoolQuery) -> Pool:
        """Answer both channels in one batched request.

        Raises:
            FingerprintMismatchError: The dense query has another dimension than the index.
        """
        ...

    def owner_mean(self, owner_key: str, *, cap: int = 512) -> OwnerMean | None:
        """Return the mean of the owner's first `cap` active points by memory id; None for an owner without points."""
        ...

    def upsert(self, points: Sequence[Point]) -> None:
        """Write points; a stored point whose version is greater stays as it is. Equal versions overwrite.

        A stored point whose version is missing or garbled is overwritten.

        Raises:
            FingerprintMismatchError: A vector has another dimension; nothing was written.
            InvalidRequestError: An id is no UUID, or a vector is not finite; nothing was written.
        """
        ...

    def set_status(self, changes: Sequence[StatusChange]) -> None:
        """Change the payload of stored points whose version is not greater; absent points stay absent."""
        ...

    def replace(self, points: Sequence[Point]) -> None:
        """Write points whatever is stored; for repair, under the heads' locks only. Raises what `upsert` raises."""
        ...

    def delete(self, memory_ids: Sequence[str]) -> None:
        """Remove points; unknown ids are no error."""
        ...

    def delete_owner(self, owner_key: str) -> int:
        """Remove every point of exactly this owner and return how many there were."""
        ...

    def count(self, owner_key: str | None = None) -> int:
        """Count points of every status, of one owner or of all."""
        ...

    def retrieve(self, memory_ids: Sequence[str], *, with_vectors: bool = False) -> list[StoredPoint]:
        """Return the stored points among these ids, by memory id."""
        ...

    def scroll(self, *, batch: int = 1000, with_vectors: bool = False) -> Iterator[StoredPoint]:
        """Yield every stored point by id, in bounded memory."""
        ...

    def flush(self) -> None:
        """Make what was acknowledged survive a crash of the machine, where the backend can promise it."""
        ...

    def close(self) -> None:
        """Release it; calling it again does nothing."""
        ...


class IndexAdmin(Protocol):
    """The generations of one index: a collection each (server) or a folder each (embedded).

    Names have 1 to 64 letters, digits, `_` or `-`; others raise `InvalidRequestError`. A generation that is open may be
    returned as the same object when it is opened again.
    """

    def check(self) -> None:
        """Raise where a server does not answer, or is none (not retryable); `ConfigurationError` for one too old."""
        ...

    def create(self, name: str, *, dim: int, fingerprint: str) -> VectorIndex:
        """Make an empty generation, or open it where it exists with this fingerprint and dimension.

        Raises:
            FingerprintMismatchError: It exists and was built with another fingerprint or dimension.
        """
        ...

    def open(self, name: str, *, dim: int, fingerprint: str) -> VectorIndex:
        """Open an existing generation; a failing probe raises `VectorIndexError` and changes nothing.

        Raises:
            FingerprintMismatchError: It was built with another fingerprint or dimension.
        """
        ...

    def names(self) -> list[str]:
        """List the generations that exist, sorted."""
        ...

    def drop(self, name: str) -> None:
        """Remove a generation and all its points; an unknown name is no error."""
        ...

    def close(self) -> None:
        """Close every generation that was opened here, and the client where it was created here."""
        ...
