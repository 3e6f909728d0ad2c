"""What one recall asks, as far as pure code needs to know it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo

from ltm.models import Lang
from ltm.packs.language import detect_lang
from ltm.recall.columns import Remembered
from ltm.recall.dates import NamedSpan
from ltm.recall.topics import Asked, Bearing, TopicWords


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """An intent, read.

    Attributes:
        now: Time of the recall; ages and years are relative to it.
        zone: The user's; memories are dated in it.
        named: Spans of time the intent names: days, conversations.
        words: What its topics are known by.
        min_relevance: None uses the profile's floor, 0 none at all, any other number is a floor on relevance.
    """

    intent: str
    lang: Lang
    now: datetime
    zone: tzinfo
    named: tuple[NamedSpan, ...]
    asked: Asked
    words: TopicWords
    min_relevance: float | None

    def bearings(self, memories: Sequence[Remembered]) -> list[Bearing]:
        """Return how each memory stands to the topics that the intent names; silent where it names none."""
        topics = self.asked.topics
        if not topics:
            return [Bearing.SILENT] * len(memories)
        return [self.words.bearing(topics, memory.text, memory.key) for memory in memories]

    def made_personal(self) -> "Question":
        """Return the question as one that only this user can ask, whatever its words look like."""
        return replace(self, asked=replace(self.asked, is_general=False))

    def is_about_slot(self, key: str | None) -> bool:
        """Return whether a slot belongs to one of the topics that the intent names."""
        return self.words.is_slot_of(self.asked.topics, key)


def read_question(
    intent: str,
    *,
    words: TopicWords,
    now: datetime,
    zone: tzinfo,
    min_relevance: float | None,
    named: tuple[NamedSpan, ...] = (),
) -> Question:
    """Read an intent. The times it names were read before, for the search needs them (`ltm.recall.retrieve`)."""
    return Question(
        intent=intent,
        lang=detect_lang(intent),
        now=now,
        zone=zone,
        named=named,
        asked=words.asked_about(intent),
        words=words,
        min_relevance=min_relevance,
    )
