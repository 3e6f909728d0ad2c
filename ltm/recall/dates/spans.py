"""From what an intent names to instants."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo

from ltm.ports import TimeSpan
from ltm.recall.dates.day_range import EXACT
from ltm.recall.dates.named import NamedTimes

GAP = timedelta(hours=1)
"""Silence that ends a conversation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedSpan:
    """A span of time that an intent names, and the boost in z of a memory that became true within it."""

    span: TimeSpan
    boost: float


def to_spans(
    named: NamedTimes, *, zone: tzinfo, said_at: Sequence[datetime] = (), now: datetime
) -> tuple[NamedSpan, ...]:
    """Return the spans that are named; a conversation that there is not, gives none.

    Args:
        named: What the intent names.
        zone: The user's; days begin and end in it.
        said_at: When the user said something, ascending. Read only where conversations are named.
        now: Time of the question; the conversation before this one is relative to it.
    """
    days = [NamedSpan(span=day.span(zone), boost=day.boost) for day in named.days]
    if not named.conversations:
        return tuple(days)
    all_of_them = conversations(said_at)
    found = (_find(all_of_them, place, now) for place in named.conversations)
    return (*days, *(NamedSpan(span=span, boost=EXACT) for span in found if span is not None))


def conversations(said_at: Sequence[datetime]) -> list[TimeSpan]:
    """Return a user's conversations, the first one first.

    A conversation is a run of statements with less than an hour between two of them. The ids of sessions do not tell
    it: not every application gives them, and a memory may have several. A conversation in which nothing new was said
    is not known. A span ends an hour behind the last statement, where the next one would no longer belong to it.

    Args:
        said_at: When the user said something, ascending.
    """
    if not said_at:
        return []
    starts = [0, *(at for at in range(1, len(said_at)) if said_at[at] - said_at[at - 1] >= GAP)]
    ends = [*starts[1:], len(said_at)]
    return [TimeSpan(start=said_at[start], end=said_at[end - 1] + GAP) for start, end in zip(starts, ends, strict=True)]


def _find(all_of_them: Sequence[TimeSpan], place: int, now: datetime) -> TimeSpan | None:
    """Return the conversation at a place: from the first one, or, negative, back from the last that is over."""
    if place < 0:
        place += bisect_right(all_of_them, now, key=lambda span: span.end) + 1
    return all_of_them[place - 1] if 1 <= place <= len(all_of_them) else None
