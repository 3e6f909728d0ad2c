"""Which versions a session, or a span of time, has taught."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from ltm.models import Owner
from ltm.store.database import Session
from ltm.store.quotes import Place, QuoteRow, list_quotes, memories_of_session, memories_since
from ltm.store.versions import list_taught_since


@dataclass(frozen=True, slots=True, kw_only=True)
class Taught:
    """A session, or everything recorded at or after a time; exactly one of the two."""

    session_id: str | None
    since: datetime | None

    def holds(self, row: QuoteRow) -> bool:
        """Tell whether a piece of evidence belongs to it."""
        if self.session_id is not None:
            return row.evidence.session_id == self.session_id
        return self.since is not None and row.recorded_at >= self.since


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdrawn:
    """Evidence to be taken from one version.

    Attributes:
        remaining: Confidences of the evidence that stays.
        keeps_origin: What made the version stays: another session's words, or an application's.
    """

    row_ids: tuple[int, ...]
    remaining: tuple[float, ...]
    keeps_origin: bool

    def confidence(self, own: float) -> float:
        """Return what the version's confidence comes down to."""
        kept = (*self.remaining, own) if self.keeps_origin or not self.remaining else self.remaining
        return max(kept)


def find_taught(session: Session, owner: Owner, taught: Taught) -> dict[str, tuple[int, ...]]:
    """Return the standing versions that nothing but this taught, by memory id."""
    if taught.since is not None:
        return _grouped(list_taught_since(session, owner, taught.since))
    quotes = list_quotes(session, memories_of_session(session, owner, taught.session_id or ""))
    return _grouped(sorted(place for place, rows in quotes.items() if _is_taught(rows, taught)))


def find_withdrawn(session: Session, owner: Owner, taught: Taught) -> dict[Place, Withdrawn]:
    """Return what has to be taken from versions that others said too."""
    memory_ids = (
        memories_since(session, owner, taught.since)
        if taught.since is not None
        else memories_of_session(session, owner, taught.session_id or "")
    )
    quotes = list_quotes(session, memory_ids)
    return {place: found for place, rows in quotes.items() if (found := _withdrawn(rows, taught)).row_ids}


def _is_taught(rows: Iterable[QuoteRow], taught: Taught) -> bool:
    """Tell whether a version was made by words and all of them that stand are of this session."""
    listed = list(rows)
    left = [row for row in listed if row.reverted_at is None]
    return any(row.is_origin for row in listed) and bool(left) and all(taught.holds(row) for row in left)


def _withdrawn(rows: Iterable[QuoteRow], taught: Taught) -> Withdrawn:
    listed = list(rows)
    left = [row for row in listed if row.reverted_at is None]
    stays = [row for row in left if not taught.holds(row)]
    origins = [row for row in listed if row.is_origin]
    return Withdrawn(
        row_ids=tuple(row.row_id for row in left if taught.holds(row)),
        remaining=tuple(row.confidence for row in stays),
        keeps_origin=not origins or any(row.is_origin for row in stays),
    )


def _grouped(places: Iterable[Place]) -> dict[str, tuple[int, ...]]:
    found: dict[str, tuple[int, ...]] = {}
    for memory_id, version in places:
        found[memory_id] = (*found.get(memory_id, ()), version)
    return found
