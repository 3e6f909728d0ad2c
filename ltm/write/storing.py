"""Carry out what was decided about a candidate, within one unit of work."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol

from ltm.models import (
    Action,
    Candidate,
    Decision,
    Evidence,
    Kind,
    MemoryVersion,
    Op,
    Outcome,
    Reason,
    Status,
    TransitionReport,
    fingerprint,
)
from ltm.packs import Machine, PackSet
from ltm.ports import Clock, Head, NewVersion, Sighting, UnitOfWork
from ltm.write.classify import Change, Effect, classify, members_of
from ltm.write.opposites import without_opposites

ACTOR = "user"


class FollowStatement(Protocol):
    """Takes the step of a state machine that a user's words report, within the same unit of work."""

    def __call__(
        self,
        unit: UnitOfWork,
        machine: Machine,
        to_state: str,
        *,
        at: datetime,
        transition_id: str,
        evidence: Sequence[Evidence],
    ) -> TransitionReport | None:
        """Return what the step did, or None where the machine does not allow it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Saying:
    """A candidate that may be written, with what is known about its utterance.

    Attributes:
        at: When it was said; its place in truth order.
        evidence: Where it was said, and was enough to be written.
        sightings: Where it was said without being enough alone.
        pack: `name@version` of the pack it belongs to.
    """

    candidate: Candidate
    at: datetime
    session_id: str | None
    evidence: tuple[Evidence, ...]
    context: str | None
    pack: str | None
    sightings: tuple[Sighting, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Storing:
    """One unit of work and what is needed to write in it."""

    unit: UnitOfWork
    packs: PackSet
    clock: Clock
    follow: FollowStatement

    def prefetch(self, candidates: Iterable[Candidate]) -> None:
        """Load in bulk the chains that some candidates are about, and those of their opposites."""
        keys: set[str] = set()
        fingerprints: set[str] = set()
        for candidate in candidates:
            slot = self.packs.find_slot(candidate.key)
            if slot is not None:
                keys |= {slot.key, *slot.opposites}
            elif candidate.kind is not Kind.EPISODE:
                fingerprints.add(fingerprint(None, candidate.text))
        self.unit.prefetch(keys=keys, fingerprints=fingerprints)

    def find_head(self, candidate: Candidate) -> Head | None:
        """Return the head of the memory that a candidate is about; an episode is always about a new one."""
        if candidate.key is not None:
            return self.unit.find_by_key(candidate.key)
        if candidate.kind is Kind.EPISODE:
            return None
        return self.unit.find_by_fingerprint(candidate.kind, fingerprint(None, candidate.text))

    def judge(self, saying: Saying) -> tuple[Head | None, Change]:
        """Compare a candidate with what is stored."""
        head = self.find_head(saying.candidate)
        slot = self.packs.find_slot(saying.candidate.key)
        return head, classify(saying.candidate, head, saying.at, is_set=slot is not None and slot.is_set)

    def write(self, saying: Saying) -> list[Decision]:
        """Write one candidate and what follows from it; the first decision is the candidate's own."""
        head, change = self.judge(saying)
        if change.effect is Effect.APPEND and self._is_overtaken(saying):
            change = _ignored(Reason.STALE_STATEMENT)
        if change.effect is Effect.APPEND and not self._follow_machine(saying, change):
            change = _ignored(Reason.STALE_STATEMENT)
        own = self.carry_out(saying, head, change)
        if change.effect in (Effect.NOTHING, Effect.END) or change.reason is Reason.STALE_STATEMENT:
            return [own]
        return [own, *self._withdraw_opposites(saying)]

    def _follow_machine(self, saying: Saying, change: Change) -> bool:
        """Let a statement about a state drive its machine; False where the machine does not allow it."""
        machine = self.packs.machine_of(saying.candidate.key)
        if machine is None or change.reason is Reason.STALE_STATEMENT:
            return True
        report = self.follow(
            self.unit,
            machine,
            str(saying.candidate.value),
            at=saying.at,
            transition_id=self.clock.new_id(),
            evidence=(*saying.evidence, *(sighting.evidence for sighting in saying.sightings)),
        )
        return report is not None

    def _is_overtaken(self, saying: Saying) -> bool:
        """Tell whether the opposite was said later: an old "Beijing is fine" does not undo today's "not Beijing"."""
        slot = self.packs.find_slot(saying.candidate.key)
        if slot is None or saying.candidate.op is Op.REMOVE:
            return False
        wanted = members_of(saying.candidate.value).keys()
        heads = [self.unit.find_by_key(key) for key in slot.opposites]
        return any(
            head.status is Status.ACTIVE and head.valid_from > saying.at and wanted & members_of(head.value).keys()
            for head in heads
            if head is not None
        )

    def _withdraw_opposites(self, saying: Saying) -> list[Decision]:
        decisions = []
        for candidate in without_opposites(saying.candidate, self.packs):
            slot = self.packs.find_slot(candidate.key)
            implied = replace(saying, candidate=candidate, pack=None if slot is None else slot.pack)
            head, change = self.judge(implied)
            if change.effect is not Effect.NOTHING and change.reason is not Reason.STALE_STATEMENT:
                decisions.append(self.carry_out(implied, head, change))
        return decisions

    def carry_out(self, saying: Saying, head: Head | None, change: Change) -> Decision:
        """Do what a change says to the memory it is about, and nothing else."""
        version: MemoryVersion | None = None
        match change.effect:
            case Effect.APPEND:
                version = self.unit.append(self._new_version(saying, head, change))
            case Effect.REINFORCE if head is not None:
                version = self.unit.reinforce(
                    head.memory_id,
                    confidence=saying.candidate.confidence,
                    evidence=saying.evidence,
                    sightings=saying.sightings,
                )
            case Effect.END if head is not None:
                ended = self.unit.end(
                    [head.memory_id],
                    Status.RETRACTED,
                    at=saying.at,
                    reason=change.reason,
                    actor=ACTOR,
                    evidence=saying.evidence,
                    sightings=saying.sightings,
                )
                version = ended[0] if ended else None
        return self.decide(saying, change, version)

    def _new_version(self, saying: Saying, head: Head | None, change: Change) -> NewVersion:
        candidate = saying.candidate
        return NewVersion(
            text=candidate.text,
            kind=candidate.kind,
            valid_from=saying.at,
            key=candidate.key,
            memory_id=None if head is None else head.memory_id,
            value=change.value,
            op=candidate.op,
            confidence=candidate.confidence,
            context=saying.context,
            action=change.action,
            reason=change.reason,
            actor=ACTOR,
            pack=saying.pack,
            pack_hash=self.packs.content_hash,
            evidence=saying.evidence,
            sightings=saying.sightings,
        )

    def decide(self, saying: Saying, change: Change, version: MemoryVersion | None = None) -> Decision:
        """Return the decision about a candidate."""
        return Decision(
            turn_id=saying.candidate.turn_id,
            session_id=saying.session_id,
            at=self.unit.now,
            action=change.action,
            outcome=change.outcome,
            reason=change.reason,
            candidate=saying.candidate,
            memory_id=None if version is None else version.memory_id,
            version=None if version is None else version.version,
        )


def _ignored(reason: Reason) -> Change:
    return Change(effect=Effect.NOTHING, action=Action.IGNORE, outcome=Outcome.DROPPED, reason=reason)
