"""The last gate before the store: what is refused, what is held, what may be written, and how sure it is.

Pure: no model, no clock. The order of `REFUSALS` decides which reason is given where several hold.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from ltm.models import Candidate, Channel, Kind, Reason, SpeechAct
from ltm.ports import Sighting, count_sessions
from ltm.write.places import Mood, Place
from ltm.write.proposal import Heard


def _colouring() -> dict[Channel, dict[Mood, float]]:
    calm = {Mood.CALM: 1.0}
    return {
        Channel.RULES: calm | {Mood.LAUGHING: 0.95, Mood.NEIGHBOUR: 0.9, Mood.COLOURED: 0.8, Mood.SENTENCE: 0.6},
        Channel.LLM: calm | {Mood.LAUGHING: 0.8, Mood.NEIGHBOUR: 0.75, Mood.COLOURED: 0.6, Mood.SENTENCE: 0.0},
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """The figures of the write policy.

    Attributes:
        threshold: From this confidence on a candidate is written; below it is held.
        sessions_to_promote: Distinct sessions after which a held candidate is written.
        promoted_confidence: Confidence of what was held and is then promoted or confirmed by repetition.
        hedge_factor: What a "maybe" leaves of the confidence; keeps every hedged candidate below the threshold.
        model_ceiling: The model's own figure counts at most so much: it is no measurement.
        pending_days: How long a held candidate waits.
        colouring: What a mood leaves of the confidence, by channel: facts that a rule read survive a sigh, soft
            facts do not. A mood that is not listed leaves nothing.
    """

    threshold: float = 0.6
    sessions_to_promote: int = 3
    promoted_confidence: float = 0.6
    hedge_factor: float = 0.5
    model_ceiling: float = 0.9
    pending_days: int = 90
    colouring: Mapping[Channel, Mapping[Mood, float]] = field(default_factory=_colouring)

    def is_enough(self, sightings: Sequence[Sighting]) -> bool:
        """Tell whether what was said there is enough to remember: outright once, or unsurely in enough sessions."""
        sessions = count_sessions(sighting.evidence for sighting in sightings)
        return any(sighting.made_it for sighting in sightings) or sessions >= self.sessions_to_promote


ACTS: Mapping[SpeechAct, Reason] = {
    SpeechAct.QUOTED: Reason.QUOTED,
    SpeechAct.JOKE: Reason.JOKE,
    SpeechAct.EMOTION: Reason.EMOTION,
    SpeechAct.HYPOTHETICAL: Reason.HYPOTHETICAL,
    SpeechAct.THIRD_PARTY: Reason.THIRD_PARTY,
    SpeechAct.QUESTION: Reason.QUESTION,
}
"""Speech acts that teach nothing, and the reason that is given; the first that holds."""

ASKED_MAY_BE = frozenset({SpeechAct.QUESTION, SpeechAct.HYPOTHETICAL, SpeechAct.THIRD_PARTY})
"""What a question may be about and still be something that the user asked: an episode."""


def find_refusal(candidate: Candidate, place: Place, heard: Heard) -> Reason | None:
    """Return why a candidate from this place must not be believed, or None."""
    return next((reason for refuse in REFUSALS if (reason := refuse(candidate, place, heard)) is not None), None)


def weigh(candidate: Candidate, place: Place, heard: Heard, policy: Policy) -> float:
    """Return the effective confidence: what the channel claims, less what mood and hedges take away."""
    ceiling = policy.model_ceiling if candidate.channel is Channel.LLM else 1.0
    factor = policy.colouring[candidate.channel].get(max(place.mood, heard.mood), 0.0)
    hedge = policy.hedge_factor if place.is_hedged else 1.0
    return round(min(candidate.confidence, ceiling) * factor * hedge, 4)


def _refuse_secret(candidate: Candidate, place: Place, heard: Heard) -> Reason | None:
    return Reason.SENSITIVE if place.is_sensitive else None


def _refuse_instruction(candidate: Candidate, place: Place, heard: Heard) -> Reason | None:
    return Reason.INSTRUCTION if place.is_instruction else None


def _refuse_speech_act(candidate: Candidate, place: Place, heard: Heard) -> Reason | None:
    """Refuse what is no statement, by the gates or by the model's own label: it can only add caution."""
    acts = place.acts | {candidate.speech_act}
    if candidate.kind is Kind.EPISODE and SpeechAct.QUESTION in acts:
        acts -= ASKED_MAY_BE
    return next((reason for act, reason in ACTS.items() if act in acts), None)


def _refuse_mood(candidate: Candidate, place: Place, heard: Heard) -> Reason | None:
    """Let no mood make or end a state, deny anything, or become an event; nor a model read a coloured sentence."""
    mood = place.mood
    is_model = candidate.channel is Channel.LLM
    is_state = candidate.kind is Kind.STATE and (is_model or mood >= Mood.SENTENCE)
    is_grave = candidate.is_denial or candidate.kind is Kind.EXCLUSION or candidate.kind is Kind.EPISODE or is_model
    if (is_state and mood >= Mood.COLOURED) or (is_grave and mood >= Mood.SENTENCE) or mood is Mood.OUTBURST:
        return Reason.EMOTION
    return None


def _refuse_marginal(candidate: Candidate, place: Place, heard: Heard) -> Reason | None:
    return Reason.MARGINAL_TURN if heard.reading.is_small_talk else None


Refusal = Callable[[Candidate, Place, Heard], Reason | None]

REFUSALS: tuple[Refusal, ...] = (
    _refuse_secret,
    _refuse_instruction,
    _refuse_speech_act,
    _refuse_mood,
    _refuse_marginal,
)
