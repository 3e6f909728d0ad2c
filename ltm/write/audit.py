"""Decisions about what is not written: every candidate, and every turn that was passed over, says why."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from ltm.models import Action, Candidate, Decision, Outcome, Reason, SpeechAct, canonical
from ltm.write.extract_llm import Answered
from ltm.write.policy import ACTS
from ltm.write.proposal import Heard, Proposal
from ltm.write.secrets import REDACTED, find_secrets, redact
from ltm.write.stages import Scene
from ltm.write.turns import Sorted


def unwritten(proposal: Proposal, now: datetime) -> Decision:
    """Return the decision about a candidate that was refused."""
    return Decision(
        turn_id=proposal.candidate.turn_id,
        session_id=None if proposal.heard is None else proposal.heard.session_id,
        at=now,
        action=Action.IGNORE,
        outcome=Outcome.DROPPED,
        reason=proposal.reason or Reason.QUOTE_NOT_FOUND,
        candidate=proposal.candidate,
    )


def refused_turns(turns: Sorted, session_id: str | None, now: datetime) -> Iterator[Decision]:
    """Yield a decision for each whole turn that must not teach."""
    groups = (
        (turns.conflicting, Reason.TURN_CONFLICT),
        (turns.reverted, Reason.REVERTED_TURN),
        (turns.erased, Reason.ERASED),
    )
    for turn_ids, reason in groups:
        yield from (_about_turn(turn_id, session_id, reason, now) for turn_id in turn_ids)


def failed(
    answers: Sequence[Answered], new: frozenset[str], session_id: str | None, now: datetime
) -> Iterator[Decision]:
    """Yield a decision for each turn that the model was asked about in vain."""
    for answer in answers:
        if answer.candidates is None:
            ids = [turn_id for turn_id in answer.window.read_ids if turn_id in new]
            yield from (_about_turn(turn_id, session_id, Reason.LLM_FAILED, now) for turn_id in ids)


def silent_turns(scene: Scene, proposals: Sequence[Proposal], new: frozenset[str], now: datetime) -> Iterator[Decision]:
    """Yield a decision for each turn from which nothing was proposed because of how it was said."""
    spoken_for = {proposal.candidate.turn_id for proposal in proposals}
    for heard in scene.heard.values():
        if heard.turn_id in new and heard.turn_id not in spoken_for:
            reason = _find_reason(heard)
            if reason is not None:
                yield _about_turn(heard.turn_id, heard.session_id, reason, now)


def redacted(decision: Decision) -> Decision:
    """Return the decision without secrets; of a sensitive candidate nothing is left but its place and key."""
    candidate = decision.candidate
    if candidate is None:
        return decision
    if decision.reason is Reason.SENSITIVE:
        return replace(decision, candidate=replace(candidate, quote=REDACTED, text=REDACTED, value=None))
    return replace(decision, candidate=_without_secrets(candidate))


def _without_secrets(candidate: Candidate) -> Candidate:
    is_clean = not find_secrets(candidate.quote) and not find_secrets(candidate.text)
    has_secret_value = candidate.value is not None and bool(find_secrets(canonical(candidate.value)))
    if is_clean and not has_secret_value:
        return candidate
    value = None if has_secret_value else candidate.value
    return replace(candidate, quote=redact(candidate.quote), text=redact(candidate.text), value=value)


def _find_reason(heard: Heard) -> Reason | None:
    """Return why nothing was read from a turn, where that is worth a line of the audit trail.

    Questions and small talk are not: they make up most of a dialogue.
    """
    reading = heard.reading
    if reading.secrets:
        return Reason.SENSITIVE
    if reading.is_injection or any(place.is_instruction for place in reading.places):
        return Reason.INSTRUCTION
    acts = {act for place in reading.places for act in place.acts}
    if reading.quoted:
        acts.add(SpeechAct.QUOTED)
    return next((reason for act, reason in ACTS.items() if act in acts and act is not SpeechAct.QUESTION), None)


def _about_turn(turn_id: str, session_id: str | None, reason: Reason, now: datetime) -> Decision:
    return Decision(
        turn_id=turn_id,
        session_id=session_id,
        at=now,
        action=Action.IGNORE,
        outcome=Outcome.DROPPED,
        reason=reason,
    )
