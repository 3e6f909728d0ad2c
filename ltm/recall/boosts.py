"""What the words of an intent add to the mixed z-scores: times, slots, topics, kinds and a speaker that they name."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ltm.models import Kind
from ltm.recall import score
from ltm.recall.columns import Floats, Remembered
from ltm.recall.profile import Profile
from ltm.recall.question import Question
from ltm.recall.speaker import speaker_boost
from ltm.recall.topics import Bearing


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Boosts:
    """Boosts in z, all of shape (n,) in the order of the pool; 0 where an intent names nothing."""

    days: Floats
    slots: Floats
    topics: Floats
    kinds: Floats
    speakers: Floats

    @property
    def total(self) -> Floats:
        """Return the sum."""
        total: Floats = self.days + self.slots + self.topics + self.kinds + self.speakers
        return total


def find_boosts(
    memories: Sequence[Remembered],
    valid_from_s: Floats,
    bearings: Sequence[Bearing],
    question: Question,
    profile: Profile,
) -> Boosts:
    """Return the boosts of a pool.

    Args:
        memories: The pool.
        valid_from_s: Since when they are true, POSIX seconds, shape (n,).
        bearings: How they stand to what the intent names.
        question: The intent, read.
        profile: Weights.
    """
    slots = _slot_boost(memories, question, profile.slot_boost)
    return Boosts(
        days=score.day_boost(valid_from_s, question.named, weight=profile.day_boost),
        slots=slots,
        topics=_topic_boost(bearings, slots, profile),
        kinds=_kind_boost(memories, question, profile.kind_boost),
        speakers=speaker_boost(memories, question.intent, profile.speaker_boost),
    )


def _slot_boost(memories: Sequence[Remembered], question: Question, boost: float) -> Floats:
    if not question.asked.topics or boost == 0.0:
        return np.zeros(len(memories))
    keys = [memory.key for memory in memories]
    return np.array([boost if key is not None and question.is_about_slot(key) else 0.0 for key in keys])


def _topic_boost(bearings: Sequence[Bearing], slots: Floats, profile: Profile) -> Floats:
    """Return what the words of the memories say; slots that were lifted already are lifted once."""
    if not any(bearings):
        return np.zeros(len(bearings))
    worth = dict.fromkeys(Bearing, -profile.elsewhere_cost)
    worth |= {Bearing.SILENT: 0.0, Bearing.ABOUT: profile.topic_boost}
    return np.where(slots > 0.0, 0.0, np.array([worth[bearing] for bearing in bearings]))


def _kind_boost(memories: Sequence[Remembered], question: Question, boost: float) -> Floats:
    """Return what the kinds say: who asks for a choice within a topic needs preferences more than past events."""
    if not question.asked.topics or not question.asked.is_choice:
        return np.zeros(len(memories))
    worth = {Kind.PREFERENCE: boost, Kind.EXCLUSION: boost, Kind.EPISODE: -boost}
    return np.array([worth.get(memory.kind, 0.0) for memory in memories])
