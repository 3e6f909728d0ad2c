"""What an extractor proposes, and what was decided about it."""

from dataclasses import dataclass
from datetime import datetime

from ltm.models.memory import Json
from ltm.models.terms import Action, Channel, Kind, Op, Outcome, Reason, SpeechAct


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A memory proposed by an extractor, not stored.

    Attributes:
        turn_id: The user turn it was read from.
        quote: Verbatim words of that turn.
        start: Offset of the quote in the turn's text, in characters; -1 where the quote was not found.
        end: Offset behind the quote; -1 where the quote was not found.
        value: Normalised value: the whole value for `set`, the members for `add` and `remove`.
        op: What it would do to a set-valued slot.
        is_denial: The user says that it is not, or no longer, so.
        rule_id: The pack rule that matched, or None for the LLM channel.
        implied: It follows from another candidate of the same words (who wants Berlin does not exclude it); where it
            would change nothing it needs no decision of its own.
        is_least: Its number is a lower bound: two years of Go say nothing against three years of experience.
    """

    turn_id: str
    quote: str
    start: int
    end: int
    key: str | None
    text: str
    value: Json
    kind: Kind
    speech_act: SpeechAct
    confidence: float
    channel: Channel
    op: Op = Op.SET
    is_denial: bool = False
    rule_id: str | None = None
    implied: bool = False
    is_least: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """Why one candidate was, or was not, remembered.

    Attributes:
        turn_id: The turn the candidate came from.
        at: When the decision was taken, UTC.
        candidate: What was proposed; None for `llm_failed` and for a whole turn that was refused.
        memory_id: The memory it touched, or None.
        version: The version it made or confirmed, or None.
        decision_id: Position in the audit trail, the cursor for `decisions(after=...)`; None before it is stored.
    """

    turn_id: str | None
    session_id: str | None
    at: datetime
    action: Action
    outcome: Outcome
    reason: Reason
    candidate: Candidate | None = None
    memory_id: str | None = None
    version: int | None = None
    decision_id: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteReceipt:
    """What `observe` did. An empty `decisions` means that nothing worth a decision was said.

    Attributes:
        decisions: One for every candidate, in the order of turns and of their place in the turn.
        model_calls: Calls made to the chat model, retries not counted.
        tokens: Prompt and completion tokens the model reported, in total.
        seconds: Wall-clock time of the call.
    """

    decisions: tuple[Decision, ...]
    model_calls: int = 0
    tokens: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingCandidate:
    """A candidate that is held until it was said in enough sessions, or until somebody decides.

    Attributes:
        pending_id: What `confirm` and `reject` take.
        sessions_seen: Number of distinct sessions in which it was said.
        expires_at: When it is forgotten, UTC.
    """

    pending_id: str
    user_id: str
    key: str | None
    value: Json
    text: str
    kind: Kind
    op: Op
    confidence: float
    reason: Reason
    sessions_seen: int
    first_said_at: datetime
    last_said_at: datetime
    expires_at: datetime
