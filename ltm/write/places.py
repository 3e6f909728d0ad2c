"""What the gates found out about a turn, and what that means where a quote stands."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum

from ltm.models import SpeechAct
from ltm.packs.folding import Folded
from ltm.write.marks import Marks
from ltm.write.spans import Span


class Mood(IntEnum):
    """How close an outburst is to a clause."""

    CALM = 0
    LAUGHING = 1
    NEIGHBOUR = 2
    COLOURED = 3
    SENTENCE = 4
    OUTBURST = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """What holds where a quote stands: that of all clauses it touches, taken together.

    Attributes:
        acts: Speech acts other than a plain statement.
        is_hedged: It is said with reserve.
        is_instruction: It tells a model what to do.
        is_sensitive: It shares a character with a secret.
        span: The touched clauses, in the folded text.
    """

    acts: frozenset[SpeechAct]
    mood: Mood
    is_hedged: bool
    is_instruction: bool
    is_sensitive: bool
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A turn as the gates read it.

    Attributes:
        quoted: Ranges of the folded text that are not the user's own words.
        secrets: Ranges of the raw text.
        is_injection: The turn tries to command the model that reads it; nothing in it is believed.
        is_small_talk: Nothing but greetings, thanks and acknowledgements.
    """

    folded: Folded
    marks: Marks
    places: tuple[Place, ...]
    quoted: tuple[Span, ...]
    secrets: tuple[Span, ...]
    is_injection: bool
    is_small_talk: bool

    @property
    def mood(self) -> Mood:
        """Return the worst mood of the turn."""
        return max((place.mood for place in self.places), default=Mood.CALM)

    def at(self, start: int, end: int) -> Place:
        """Return what holds at a range of the raw text."""
        span = Span(self.folded.locate(start), max(self.folded.locate(end), self.folded.locate(start) + 1))
        first = max(bisect_left(self.places, span.start, key=_end_of) - 1, 0)
        touched = []
        for place in self.places[first:]:
            if place.span.start >= span.end:
                break
            if place.span.touches(span):
                touched.append(place)
        found = join(touched) if len(touched) > 1 else touched[0] if touched else _nothing(span)
        is_quoted = any(quoted.touches(span) for quoted in self.quoted)
        is_sensitive = any(secret.touches(Span(start, max(end, start + 1))) for secret in self.secrets)
        if not (is_quoted or is_sensitive or self.is_injection):
            return found
        return replace(
            found,
            acts=found.acts | {SpeechAct.QUOTED} if is_quoted else found.acts,
            is_instruction=found.is_instruction or self.is_injection,
            is_sensitive=is_sensitive,
        )

    def marked(self, act: SpeechAct) -> "Reading":
        """Return the reading with one more speech act everywhere."""
        return replace(self, places=tuple(replace(place, acts=place.acts | {act}) for place in self.places))

    def at_all(self, spans: Sequence[Span]) -> Place:
        """Return what holds at any of some ranges of the raw text."""
        return join([self.at(*span) for span in spans])


def join(places: Sequence[Place]) -> Place:
    """Return what holds at any of some places, one at least; the span is from the first to the last."""
    return Place(
        acts=frozenset[SpeechAct]().union(*(place.acts for place in places)),
        mood=max(place.mood for place in places),
        is_hedged=any(place.is_hedged for place in places),
        is_instruction=any(place.is_instruction for place in places),
        is_sensitive=any(place.is_sensitive for place in places),
        span=Span(places[0].span.start, places[-1].span.end),
    )


def _nothing(span: Span) -> Place:
    return Place(acts=frozenset(), mood=Mood.CALM, is_hedged=False, is_instruction=False, is_sensitive=False, span=span)


def _end_of(place: Place) -> int:
    return place.span.end
