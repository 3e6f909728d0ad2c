"""What recall answers."""

from dataclasses import dataclass

from ltm.models.memory import MemoryVersion


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """Every term of an item's score; given with `explain=True`.

    Attributes:
        dense: Inner product of the shifted query and the memory; None outside that channel's pool.
        lexical: BM25 score; None outside that channel's pool.
        dense_z: z-score of `dense` over all that the owner has, as far as the pool tells.
        lexical_z: The same of `lexical`.
        day_boost: Added to the mixed z-score for a day or a conversation that the intent names.
        slot_boost: Added to it for a slot of a topic that the intent names.
        topic_boost: Added to it where the words are about such a topic; negative where they are about others only.
        kind_boost: Added to it for a preference, taken off an event, where the intent asks for a choice.
        speaker_boost: Added to it for a turn of the one speaker that the intent names.
        neighbour_boost: Added to it for the turns of the dialogue before and after, as far as they match the intent.
        mixed: The mixed z-score that relevance is mapped from.
        signal: Absolute evidence of a match, 0..1; what the floor tests.
        recency_factor: `1 + a * (recency - 1/2)`.
        confidence_factor: `1 + b * (confidence - 1/2)`.
    """

    dense: float | None
    lexical: float | None
    dense_z: float
    lexical_z: float
    day_boost: float
    mixed: float
    signal: float
    recency_factor: float
    confidence_factor: float
    slot_boost: float = 0.0
    topic_boost: float = 0.0
    kind_boost: float = 0.0
    speaker_boost: float = 0.0
    neighbour_boost: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallItem:
    """One memory of a recall.

    Attributes:
        score: `relevance * recency factor * confidence factor`, higher is better.
        relevance: 0 to 1, monotone in the mixed z-score.
        recency: `2 ** (-age / half_life)`, 0 to 1.
        tokens: What its line costs in the rendered block, annotation included.
        terms: Every term of the score, or None without `explain=True`.
    """

    memory: MemoryVersion
    score: float
    relevance: float
    recency: float
    confidence: float
    tokens: int
    terms: Terms | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Suppressed:
    """How many memories of the pool were left out, and why."""

    status: int = 0
    relevance: int = 0
    duplicate: int = 0
    budget: int = 0
    limit: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """The answer to an intent.

    Attributes:
        items: Best first, ties by memory id.
        text: The block for the prompt; "" where there is nothing to say.
        tokens: Length of `text` in o200k tokens, header included; 0 for "".
        suppressed: Counts of what was left out.
        degraded: Parts that did not answer, a subset of ("index", "embedder", "cache"), in that order.
    """

    items: tuple[RecallItem, ...] = ()
    text: str = ""
    tokens: int = 0
    suppressed: Suppressed = Suppressed()
    degraded: tuple[str, ...] = ()
