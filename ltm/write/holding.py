"""Candidates that wait: held until they were said in enough sessions, or until somebody decides."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from ltm.errors import MemoryNotFoundError
from ltm.models import (
    Action,
    Candidate,
    Channel,
    Decision,
    Json,
    Lang,
    Op,
    Outcome,
    Reason,
    SpeechAct,
    Status,
    fingerprint,
)
from ltm.packs import Slot, detect_lang
from ltm.ports import HeldCandidate, NewVersion, Sighting
from ltm.write.classify import Change, Effect
from ltm.write.policy import Policy
from ltm.write.storing import Saying, Storing

CONFIRMED = 1.0
"""Confidence of what somebody has confirmed."""


def hold(saying: Saying, reason: Reason, storing: Storing, policy: Policy) -> list[Decision]:
    """Note one more sighting of an unsure candidate, and write it where it was said in enough sessions.

    What is known already is reinforced instead. Several members of a set wait one by one: each is promoted when it was
    said often enough itself.
    """
    seen = tuple(
        Sighting(evidence=item, confidence=saying.candidate.confidence, seen_at=storing.unit.now)
        for item in saying.evidence
    )
    unsure = replace(saying, evidence=(), sightings=seen)
    return [decision for part in _parts(unsure, storing) for decision in _hold_one(part, reason, storing, policy)]


def take_held(saying: Saying, storing: Storing) -> tuple[Sighting, ...]:
    """Drop what waited to say the same, for it was said outright, and return where else it was said.

    Of several members each has sightings of its own, which prove nothing about the others: they are dropped.
    """
    parts = _parts(saying, storing)
    found = [
        storing.unit.find_pending_like(part.candidate.key, _fingerprint(part.candidate, storing)) for part in parts
    ]
    waiting = [held for held in found if held is not None]
    storing.unit.drop_pending([held.pending_id for held in waiting])
    return waiting[0].sightings if waiting and len(parts) == 1 else ()


def confirm(pending_id: str, storing: Storing) -> list[Decision]:
    """Write a held candidate as true from now on; the first decision is its own.

    Raises:
        MemoryNotFoundError: Nothing is held under this id.
    """
    held = _get(pending_id, storing)
    storing.unit.drop_pending([pending_id])
    saying = _saying(held, CONFIRMED)
    return _promote(replace(saying, at=max(saying.at, storing.unit.now)), storing)


def reject(pending_id: str, storing: Storing) -> Decision:
    """Drop a held candidate for good.

    Raises:
        MemoryNotFoundError: Nothing is held under this id.
    """
    held = _get(pending_id, storing)
    storing.unit.drop_pending([pending_id])
    change = Change(effect=Effect.NOTHING, action=Action.IGNORE, outcome=Outcome.DROPPED, reason=Reason.DENIED)
    return storing.decide(_saying(held, held.confidence), change)


def hold_again(content: NewVersion, storing: Storing, policy: Policy) -> None:
    """Let what was remembered wait again, with the sightings that are left of it; what ended a memory does not."""
    if content.begins_as is not Status.ACTIVE:
        return
    same_as = _fingerprint_of(content.key, content.op, content.value, content.text, storing)
    known = storing.unit.find_pending_like(content.key, same_as)
    sightings = (*(() if known is None else known.sightings), *content.sightings)
    storing.unit.put_pending(
        HeldCandidate(
            pending_id=storing.clock.new_id() if known is None else known.pending_id,
            key=content.key,
            fingerprint=same_as,
            value=content.value,
            text=content.text,
            kind=content.kind,
            op=content.op,
            confidence=max(sighting.confidence for sighting in sightings),
            reason=Reason.HEDGED if known is None else known.reason,
            sightings=tuple(sorted(sightings, key=lambda item: item.evidence.said_at)),
            expires_at=storing.unit.now + timedelta(days=policy.pending_days),
            context=content.context,
            pack=content.pack,
            pack_hash=content.pack_hash,
        )
    )


def _hold_one(saying: Saying, reason: Reason, storing: Storing, policy: Policy) -> list[Decision]:
    head, change = storing.judge(saying)
    if change.effect is Effect.NOTHING or change.effect is Effect.REINFORCE:
        return [storing.carry_out(saying, head, change)]
    same_as = _fingerprint(saying.candidate, storing)
    known = storing.unit.find_pending_like(saying.candidate.key, same_as)
    if known is not None and known.expires_at <= storing.unit.now:
        storing.unit.drop_pending([known.pending_id])
        known = None
    held = _held(saying, reason, same_as, known, storing, policy)
    if policy.is_enough(held.sightings):
        if known is not None:
            storing.unit.drop_pending([known.pending_id])
        sure = replace(saying.candidate, confidence=max(policy.promoted_confidence, held.confidence))
        return _promote(replace(saying, candidate=sure, sightings=held.sightings), storing)
    storing.unit.put_pending(held)
    waiting = Change(effect=Effect.NOTHING, action=change.action, outcome=Outcome.PENDING, reason=reason)
    return [storing.decide(saying, waiting)]


def _held(
    saying: Saying, reason: Reason, same_as: str, known: HeldCandidate | None, storing: Storing, policy: Policy
) -> HeldCandidate:
    """Return what is to be held: the new sighting added to the ones before, the clearest words kept."""
    candidate = saying.candidate
    before = () if known is None else known.sightings
    return HeldCandidate(
        pending_id=storing.clock.new_id() if known is None else known.pending_id,
        key=candidate.key,
        fingerprint=same_as,
        value=candidate.value,
        text=candidate.text,
        kind=candidate.kind,
        op=candidate.op,
        confidence=max(candidate.confidence, 0.0 if known is None else known.confidence),
        reason=reason,
        sightings=tuple(sorted((*before, *saying.sightings), key=lambda item: item.evidence.said_at)),
        expires_at=storing.unit.now + timedelta(days=policy.pending_days),
        context=saying.context,
        pack=saying.pack,
        pack_hash=storing.packs.content_hash,
    )


def _promote(saying: Saying, storing: Storing) -> list[Decision]:
    own, *others = storing.write(saying)
    outcome = Outcome.PROMOTED if own.outcome is Outcome.STORED else own.outcome
    return [replace(own, outcome=outcome), *others]


def _saying(held: HeldCandidate, confidence: float) -> Saying:
    last = max(held.evidence, key=lambda item: item.said_at)
    candidate = Candidate(
        turn_id=last.turn_id or "",
        quote=last.quote,
        start=last.start,
        end=last.end,
        key=held.key,
        text=held.text,
        value=held.value,
        kind=held.kind,
        speech_act=SpeechAct.STATEMENT,
        confidence=confidence,
        channel=Channel.APPLICATION,
        op=held.op,
        is_denial=held.op is Op.REMOVE,
    )
    return Saying(
        candidate=candidate,
        at=last.said_at,
        session_id=last.session_id,
        evidence=(),
        sightings=held.sightings,
        context=held.context,
        pack=held.pack,
    )


def _parts(saying: Saying, storing: Storing) -> Sequence[Saying]:
    """Return one saying a member for members that are added or removed; "only Berlin or Munich" stays whole."""
    candidate = saying.candidate
    slot = storing.packs.find_slot(candidate.key)
    members = candidate.value if isinstance(candidate.value, list | tuple) else ()
    if slot is None or not slot.is_set or candidate.op is Op.SET or len(members) < 2:
        return [saying]
    return [replace(saying, candidate=_with_member(candidate, member, slot, storing)) for member in members]


def _with_member(candidate: Candidate, member: Json, slot: Slot, storing: Storing) -> Candidate:
    if candidate.op is Op.REMOVE:
        return replace(candidate, value=[member])
    lang = detect_lang(candidate.text, default=Lang.ZH)
    return replace(candidate, value=[member], text=storing.packs.sentence(slot.key, [member], lang))


def _fingerprint(candidate: Candidate, storing: Storing) -> str:
    return _fingerprint_of(candidate.key, candidate.op, candidate.value, candidate.text, storing)


def _fingerprint_of(key: str | None, op: Op, value: Json, text: str, storing: Storing) -> str:
    """Tell apart what waits under one key; taking a member out is something else than adding it."""
    slot = storing.packs.find_slot(key)
    compared: Json = {"remove": value} if op is Op.REMOVE else value
    return fingerprint(compared, text, is_set=slot is not None and slot.is_set)


def _get(pending_id: str, storing: Storing) -> HeldCandidate:
    held = storing.unit.find_pending(pending_id)
    if held is None:
        raise MemoryNotFoundError(f"nothing is held under {pending_id!r} for this user")
    return held
