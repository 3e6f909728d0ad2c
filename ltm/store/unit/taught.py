"""Which versions a session, or a span of time, has taught. Pure but for the one look-up of what it may have touched."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from ltm.errors import InvalidRequestError
from ltm.models import Owner
from ltm.ports import IsEnough, Sighting
from ltm.store.chain import Link
from ltm.store.database import Session
from ltm.store.quotes import QuoteRow, memories_of_session, memories_since
from ltm.store.versions import list_recorded_since

_TAUGHT = ("statement", "end")
_NOBODY = "lifecycle"
Quotes = Mapping[int, Sequence[QuoteRow]]
"""Evidence of one memory by version."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Taught:
    """A session, or everything recorded at or after a time.

    Raises:
        InvalidRequestError: Neither or both are given.
    """

    session_id: str | None
    since: datetime | None

    def __post_init__(self) -> None:
        if (self.session_id is None) == (self.since is None):
            raise InvalidRequestError("give either a session_id or a time, not both")

    def holds(self, row: QuoteRow) -> bool:
        """Tell whether a piece of evidence belongs to it."""
        if self.since is None:
            return row.evidence.session_id == self.session_id
        return row.recorded_at >= self.since

    def memories(self, session: Session, owner: Owner) -> Collection[str]:
        """Return the memories that it may have taught something."""
        if self.since is None:
            return memories_of_session(session, owner, self.session_id or "")
        return sorted({*memories_since(session, owner, self.since), *list_recorded_since(session, owner, self.since)})

    def versions(self, links: Sequence[Link], quotes: Quotes, is_enough: IsEnough) -> tuple[int, ...]:
        """Return the standing versions of a chain that do not stand without it, ascending."""
        return tuple(
            link.version
            for link in links
            if link.reverted_at is None and self._taught(_speaker(link, links), link, quotes, is_enough)
        )

    def _taught(self, speaker: Link, link: Link, quotes: Quotes, is_enough: IsEnough) -> bool:
        if self.since is not None:
            is_statement = speaker.made_by in _TAUGHT and speaker.content.actor != _NOBODY
            return is_statement and speaker.recorded_at >= self.since
        rows = [row for version in {speaker.version, link.version} for row in quotes.get(version, ())]
        left = [row for row in rows if row.reverted_at is None]
        others = [sighting_of(row) for row in left if not self.holds(row)]
        was_said = any(row.is_origin for row in rows) and len(others) < len(left)
        return was_said and not is_enough(others)


def sighting_of(row: QuoteRow) -> Sighting:
    """Return a piece of evidence with what it is worth."""
    return Sighting(evidence=row.evidence, confidence=row.confidence, seen_at=row.recorded_at, made_it=row.is_enough)


def _speaker(link: Link, links: Sequence[Link]) -> Link:
    """Return whose words a link repeats: a rollback to a version that was reverted already gave it a voice again."""
    speaker = link
    while speaker.carries is not None and links[speaker.carries - 1].reverted_at is not None:
        speaker = links[speaker.carries - 1]
    return speaker


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

    @classmethod
    def of(cls, rows: Iterable[QuoteRow], taught: Taught) -> "Withdrawn":
        """Return what goes from a version's evidence with a session or a span of time."""
        listed = list(rows)
        left = [row for row in listed if row.reverted_at is None]
        stays = [row for row in left if not taught.holds(row)]
        origins = [row for row in listed if row.is_origin]
        return cls(
            row_ids=tuple(row.row_id for row in left if taught.holds(row)),
            remaining=tuple(row.confidence for row in stays),
            keeps_origin=not origins or any(row.is_origin for row in stays),
        )

    def confidence(self, own: float) -> float:
        """Return what the version's confidence comes down to."""
        kept = (*self.remaining, own) if self.keeps_origin or not self.remaining else self.remaining
        return max(kept)
