"""The closed vocabularies: each value is a stable word that is stored, logged and compared."""

from enum import StrEnum


class Role(StrEnum):
    """Who spoke a turn."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    TOOL = "tool"


class Kind(StrEnum):
    """What sort of thing a memory says."""

    FACT = "fact"
    PREFERENCE = "preference"
    STATE = "state"
    EPISODE = "episode"
    EXCLUSION = "exclusion"


class Status(StrEnum):
    """Where a version stands in its life."""

    ACTIVE = "active"
    SUPERSEDED = "superseded"
    RETRACTED = "retracted"
    EXPIRED = "expired"
    REVERTED = "reverted"


class Op(StrEnum):
    """What a version does to the value of its chain: replace it, or add or remove members of a set."""

    SET = "set"
    ADD = "add"
    REMOVE = "remove"


class Action(StrEnum):
    """What a candidate means for the store."""

    CREATE = "CREATE"
    UPDATE = "UPDATE"
    DELETE = "DELETE"
    IGNORE = "IGNORE"


class Outcome(StrEnum):
    """What became of a candidate."""

    STORED = "stored"
    PENDING = "pending"
    PROMOTED = "promoted"
    REINFORCED = "reinforced"
    RETRACTED = "retracted"
    DROPPED = "dropped"


class Reason(StrEnum):
    """Why a decision was taken."""

    NEW = "new"
    CHANGED = "changed"
    ADDED = "added"
    REMOVED = "removed"
    DENIED = "denied"
    DUPLICATE = "duplicate"
    HEDGED = "hedged"
    LOW_CONFIDENCE = "low_confidence"
    EMOTION = "emotion"
    HYPOTHETICAL = "hypothetical"
    JOKE = "joke"
    QUESTION = "question"
    QUOTED = "quoted"
    THIRD_PARTY = "third_party"
    ASSISTANT_TURN = "assistant_turn"
    QUOTE_NOT_FOUND = "quote_not_found"
    VALUE_UNSUPPORTED = "value_unsupported"
    UNKNOWN_KEY = "unknown_key"
    MARGINAL_TURN = "marginal_turn"
    SENSITIVE = "sensitive"
    INSTRUCTION = "instruction"
    STALE_STATEMENT = "stale_statement"
    REVERTED_TURN = "reverted_turn"
    TURN_CONFLICT = "turn_conflict"
    ERASED = "erased"
    LLM_FAILED = "llm_failed"


class SpeechAct(StrEnum):
    """What the speaker does with a sentence; only a statement can become a state memory."""

    STATEMENT = "statement"
    EMOTION = "emotion"
    HYPOTHETICAL = "hypothetical"
    JOKE = "joke"
    QUESTION = "question"
    QUOTED = "quoted"
    THIRD_PARTY = "third_party"


class Channel(StrEnum):
    """Where a candidate came from."""

    RULES = "rules"
    LLM = "llm"
    APPLICATION = "application"


class Lang(StrEnum):
    """Language of a text, as far as templates and annotations need to know it."""

    ZH = "zh"
    EN = "en"
