"""Which versions a session, or a span of time, has taught. Pure but for the one look-up of what it may have touched."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ltm.models import Owner
from ltm.ports import IsEnough, Origin, Sighting
from ltm.store.chain import Link
from ltm.store.database import Session
from ltm.store.quotes import QuoteRow, memories_of_session, memories_since
from ltm.store.versions import list_recorded_since

_TAUGHT = ("statement", "end")
_NOBODY = "lifecycle"
Quotes = Mapping[int, Sequence[QuoteRow]]
"""Evidence of one memory by version."""


def may_have_taught(session: Session, owner: Owner, origin: Origin) -> Collection[str]:
    """Return the memories that an origin may have taught something."""
    if origin.since is None:
        return memories_of_session(session, owner, origin.session_id or "")
    recorded = list_recorded_since(session, owner, origin.since)
    return sorted({*memories_since(session, owner, origin.since), *recorded})


def versions_of(origin: Origin, links: Sequence[Link], quotes: Quotes, is_enough: IsEnough) -> tuple[int, ...]:
    """Return the standing versions of a chain that do not stand without an origin, ascending."""
    return tuple(
        link.version
        for link in links
        if link.reverted_at is None and _is_taught(origin, _speaker(link, links), link, quotes, is_enough)
    )


def _is_taught(origin: Origin, speaker: Link, link: Link, quotes: Quotes, is_enough: IsEnough) -> bool:
    if origin.since is not None:
        is_statement = speaker.made_by in _TAUGHT and speaker.content.actor != _NOBODY
        return is_statement and speaker.recorded_at >= origin.since
    rows = [row for version in {speaker.version, link.version} for row in quotes.get(version, ())]
    left = [sighting_of(row) for row in rows if row.reverted_at is None]
    others = [sighting for sighting in left if not origin.is_of(sighting)]
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
    def of(cls, rows: Iterable[QuoteRow], origin: Origin) -> "Withdrawn":
        """Return what goes from a version's evidence with an origin."""
        listed = list(rows)
        left = [row for row in listed if row.reverted_at is None]
        goes = [row for row in left if origin.is_of(sighting_of(row))]
        stays = [row for row in left if not origin.is_of(sighting_of(row))]
        origins = [row for row in listed if row.is_origin]
        return cls(
            row_ids=tuple(row.row_id for row in goes),
            remaining=tuple(row.confidence for row in stays),
            keeps_origin=not origins or any(row.is_origin for row in stays),
        )

    def confidence(self, own: float) -> float:
        """Return what the version's confidence comes down to."""
        kept = (*self.remaining, own) if self.keeps_origin or not self.remaining else self.remaining
        return max(kept)
