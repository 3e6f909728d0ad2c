"""What the point index needs of a Qdrant: primitive calls, all decisions taken. Both backends have exactly these."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ltm.index.payload import PointId
from ltm.models import Kind
from ltm.ports import Hit, Point, SparseVector, StatusChange, StoredPoint, TimeSpan, Vector


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Channel:
    """One question to one vector space, about the active points of one owner.

    Attributes:
        among: Only the best `limit` points of this other question are considered.
        spans: Only points that became true within any of these; empty means any time.
    """

    owner_key: str
    kinds: tuple[Kind, ...]
    vector: Vector | SparseVector
    limit: int
    among: SparseVector | None = None
    spans: tuple[TimeSpan, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Page:
    """Some points by id, and the id the next page starts with; None behind the last."""

    points: list[StoredPoint]
    next_id: PointId | None


class Engine(Protocol):
    """One generation in one Qdrant. Thread-safe; raises only `LtmError`."""

    def query(self, channels: Sequence[Channel]) -> list[list[Hit]]:
        """Answer all channels in one request, each by score, best first; the order among equal scores is any.

        IDF is computed over the owner's active points of every kind.
        """
        ...

    def write(self, points: Sequence[Point], *, newest: int | None) -> None:
        """Write distinct points; with `newest`, only those that are absent or stored with no greater version."""
        ...

    def mark(self, changes: Sequence[StatusChange]) -> None:
        """Write status, version and valid_from of stored points whose version is not greater."""
        ...

    def delete(self, ids: Sequence[PointId]) -> None:
        """Remove points."""
        ...

    def delete_owner(self, owner_key: str) -> None:
        """Remove the points of exactly this owner."""
        ...

    def count(self, owner_key: str | None, *, only_active: bool = False) -> int:
        """Count points exactly, of one owner or of all; those of one owner perhaps only where they are active."""
        ...

    def retrieve(self, ids: Sequence[PointId], *, with_vectors: bool) -> list[StoredPoint]:
        """Return the stored points among these ids, in any order."""
        ...

    def page(self, *, start: PointId | None, limit: int, with_vectors: bool) -> Page:
        """Return points by id, from `start` on."""
        ...

    def active_vectors(self, owner_key: str, *, limit: int) -> list[list[float]]:
        """Return the dense vectors of the owner's first active points by id, as the driver has them."""
        ...

    def flush(self) -> None:
        """Bring acknowledged writes to the disk, where that can be asked for."""
        ...

    def close(self) -> None:
        """Release it; calling it again does nothing."""
        ...
