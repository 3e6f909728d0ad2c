"""One candidate for one thing: what both channels read from the same words counts once, and the rules win."""

from collections.abc import Sequence
from dataclasses import replace

from ltm.models import Candidate, Channel, Json, Reason, canonical
from ltm.packs import PackSet
from ltm.write.proposal import Proposal
from ltm.write.spans import Span

OVERLAP = 0.5
"""A free text is a repetition where at least this share of its quote was read into a slot."""


def merge(proposals: Sequence[Proposal], packs: PackSet) -> list[Proposal]:
    """Refuse what the model proposes beside something that says the same already, in their order.

    Open proposals only are compared with: what a gate has refused displaces nothing.
    """
    kept: list[Proposal] = []
    standing = [proposal for proposal in proposals if proposal.candidate.channel is Channel.RULES and _stands(proposal)]
    for proposal in proposals:
        if proposal.candidate.channel is Channel.LLM and _stands(proposal):
            reason = _find_rival(proposal.candidate, [other.candidate for other in standing], packs)
            if reason is not None:
                proposal = replace(proposal, reason=reason, is_held=False)
            else:
                standing.append(proposal)
        kept.append(proposal)
    return kept


def _stands(proposal: Proposal) -> bool:
    return proposal.is_open or proposal.is_held


def _find_rival(candidate: Candidate, standing: Sequence[Candidate], packs: PackSet) -> Reason | None:
    same_turn = [other for other in standing if other.turn_id == candidate.turn_id]
    slot = packs.find_slot(candidate.key)
    if slot is None:
        repeats = any(_repeats(candidate, other) for other in same_turn)
        return Reason.DUPLICATE if repeats else None
    if any(other.key in slot.opposites and _shares(candidate, other) for other in same_turn):
        return Reason.VALUE_UNSUPPORTED
    rivals = [other for other in same_turn if other.key == candidate.key]
    if any(not slot.is_set or _shares(candidate, other) or _overlaps(candidate, other) for other in rivals):
        return Reason.DUPLICATE
    return None


def _repeats(candidate: Candidate, other: Candidate) -> bool:
    """Tell whether a free text says again what was read into a slot, or what another free text says."""
    if other.key is None:
        same_words = candidate.text.casefold() == other.text.casefold()
        return same_words or (candidate.kind == other.kind and _overlaps(candidate, other))
    return _overlaps(candidate, other)


def _overlaps(candidate: Candidate, other: Candidate) -> bool:
    own = Span(candidate.start, candidate.end)
    shared = min(own.end, other.end) - max(own.start, other.start)
    return shared >= OVERLAP * (own.end - own.start)


def _shares(candidate: Candidate, other: Candidate) -> bool:
    """Tell whether two set values have a member in common."""
    return not _members(candidate.value).isdisjoint(_members(other.value))


def _members(value: Json) -> set[str]:
    return {canonical(member) for member in value} if isinstance(value, list | tuple) else {canonical(value)}
