"""The stages between a proposal and the store: each looks at it once, refuses it, holds it, or hands it on."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from ltm.models import Candidate, Channel, Kind, Op, Reason, Role, Turn
from ltm.packs import PackSet, Slot, fold_text
from ltm.write.policy import Policy, find_refusal, weigh
from ltm.write.proposal import Heard, Proposal
from ltm.write.quotes import locate
from ltm.write.refusals import find_forbidden
from ltm.write.reply import RawCandidate
from ltm.write.spans import Span
from ltm.write.support import is_negated, is_negative_slot, is_text_supported, supported_value
from ltm.write.word_index import WordIndex

MAX_ANSWER_CHARS = 20
"""So long may a turn be that is understood by the question before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What the stages may look at.

    Attributes:
        heard: The turns that are read, by id.
        others: The other turns that the model saw: of other roles, or of the user and read before.
    """

    packs: PackSet
    words: WordIndex
    policy: Policy
    heard: Mapping[str, Heard]
    others: Sequence[Turn]


Stage = Callable[[Proposal, Scene], Proposal]


def run_stages(proposal: Proposal, stages: Sequence[Stage], scene: Scene) -> Proposal:
    """Hand a proposal from stage to stage until one of them has decided."""
    for stage in stages:
        if proposal.is_open:
            proposal = stage(proposal, scene)
    return proposal


def draft(raw: RawCandidate, scene: Scene, fallback_id: str) -> Proposal:
    """Make a proposal of what a model wrote; nothing of it is believed yet."""
    slot = scene.packs.find_slot(raw.key)
    candidate = Candidate(
        turn_id=raw.turn_id or fallback_id,
        quote=raw.quote or "",
        start=-1,
        end=-1,
        key=raw.key,
        text=raw.text or "",
        value=raw.value,
        kind=raw.kind if slot is None else slot.kind,
        speech_act=raw.speech_act,
        confidence=raw.confidence,
        channel=Channel.LLM,
        op=Op.ADD if slot is not None and slot.is_set else Op.SET,
    )
    return Proposal(candidate=candidate, heard=scene.heard.get(candidate.turn_id))


def find_quote(proposal: Proposal, scene: Scene) -> Proposal:
    """Look for the quote in the turn that is named, then in the other turns that are read.

    A model often confuses ids, never mind: the words decide, and the gates judge them where they really stand.
    """
    quote = proposal.candidate.quote
    named = [] if proposal.heard is None else [proposal.heard]
    for heard in (*named, *scene.heard.values()):
        if places := locate(quote, heard.text):
            return _found(proposal, heard, places)
    for turn in scene.others:
        if locate(quote, turn.text):
            return replace(proposal, reason=Reason.DUPLICATE if turn.role == Role.USER else Reason.ASSISTANT_TURN)
    return replace(proposal, reason=Reason.QUOTE_NOT_FOUND)


def _found(proposal: Proposal, heard: Heard, places: Sequence[Span]) -> Proposal:
    """Take the first place; where the words stand more than once, what holds at any of the places holds."""
    first = places[0]
    candidate = replace(
        proposal.candidate,
        turn_id=heard.turn_id,
        quote=heard.text[first.start : first.end],
        start=first.start,
        end=first.end,
    )
    return replace(proposal, candidate=candidate, heard=heard, place=heard.reading.at_all(places))


def refuse(proposal: Proposal, scene: Scene) -> Proposal:
    """Apply the speech-act gates, and refuse secrets and instructions, also in what the model made of the words."""
    candidate, heard, place = proposal.candidate, proposal.heard, proposal.place
    if heard is None or place is None:
        return proposal
    reason = find_refusal(candidate, place, heard)
    if reason is None and candidate.channel is Channel.LLM:
        reason = find_forbidden(candidate.text, scene.words)
    return replace(proposal, reason=reason)


def check_key(proposal: Proposal, scene: Scene) -> Proposal:
    """Refuse keys that no loaded pack declares."""
    key = proposal.candidate.key
    if key is not None and scene.packs.find_slot(key) is None:
        return replace(proposal, reason=Reason.UNKNOWN_KEY)
    return proposal


def check_value(proposal: Proposal, scene: Scene) -> Proposal:
    """Take a slot's value from the quote, and its sentence from the pack: nothing of it is the model's wording."""
    candidate, heard = proposal.candidate, proposal.heard
    slot = scene.packs.find_slot(candidate.key)
    if slot is None or heard is None:
        return proposal
    value = supported_value(slot, candidate.value, candidate.quote, packs=scene.packs, lang=heard.lang)
    if value is None or not _has_right_sign(slot, proposal, scene) or not _has_cue(slot, proposal, scene):
        return replace(proposal, reason=Reason.VALUE_UNSUPPORTED)
    text = scene.packs.sentence(slot.key, value, heard.lang)
    return replace(proposal, candidate=replace(candidate, value=value, text=text), pack=slot.pack)


def _has_right_sign(slot: Slot, proposal: Proposal, scene: Scene) -> bool:
    """Tell whether the clause denies if and only if the slot holds what is not wanted.

    `不喜欢加班` holds the words `喜欢加班`. An amount may be stated by what is refused: `20k以下不考虑`.
    """
    heard, place = proposal.heard, proposal.place
    if heard is None or place is None or slot.value_type == "money":
        return True
    return heard.reading.marks.has("negation", place.span) == is_negative_slot(slot, scene.words)


def _has_cue(slot: Slot, proposal: Proposal, scene: Scene) -> bool:
    """Tell whether something in the clause says that it is about this slot; for slots whose pack has a lexicon of cues.

    `我喜欢茶` holds a cue of `user.likes`, `帮我看看茶` none. A short answer may have it in the question before it.
    """
    name, heard, place = cue_lexicon(slot.key), proposal.heard, proposal.place
    if name not in scene.words.names or heard is None or place is None:
        return True
    if heard.reading.marks.has(name, place.span):
        return True
    asked = heard.before.text if heard.before is not None and heard.before.role == Role.ASSISTANT else ""
    return len(heard.text) <= MAX_ANSWER_CHARS and name in scene.words.find(fold_text(asked))


def cue_lexicon(key: str) -> str:
    """Return the name of the lexicon that holds a slot's cues: `cue_user_likes`."""
    return f"cue_{key.replace('.', '_')}"


def check_text(proposal: Proposal, scene: Scene) -> Proposal:
    """Refuse a free text that says more than its quote, or the opposite of it."""
    candidate, heard, place = proposal.candidate, proposal.heard, proposal.place
    if candidate.key is not None or heard is None or place is None:
        return proposal
    is_said = is_text_supported(candidate.text, candidate.quote)
    denies = heard.reading.marks.has("negation", place.span)
    if not is_said or (candidate.kind is not Kind.EPISODE and denies != is_negated(candidate.text, scene.words)):
        return replace(proposal, reason=Reason.VALUE_UNSUPPORTED)
    plain = replace(candidate, text=" ".join(candidate.text.split()), value=None)
    return replace(proposal, candidate=plain, pack=domain_of(f"{candidate.text} {heard.text}", scene))


def domain_of(text: str, scene: Scene) -> str:
    """Return the pack that a free text belongs to, so that the life cycle can end it.

    The pack whose topics are named most often; else the first one beside `core`.
    """
    found = scene.words.find(fold_text(text))
    domains = scene.packs.packs[1:] or scene.packs.packs
    return max(domains, key=lambda pack: len(found.get(f"topics:{pack.name}", ()))).label


def settle(proposal: Proposal, scene: Scene) -> Proposal:
    """Let pass what is sure enough, and hold the rest."""
    candidate, heard, place = proposal.candidate, proposal.heard, proposal.place
    if heard is None or place is None:
        return proposal
    sure = replace(candidate, confidence=weigh(candidate, place, heard, scene.policy))
    if sure.confidence >= scene.policy.threshold:
        return replace(proposal, candidate=sure)
    reason = Reason.HEDGED if place.is_hedged else Reason.LOW_CONFIDENCE
    return replace(proposal, candidate=sure, reason=reason, is_held=True)


RULE_STAGES: tuple[Stage, ...] = (refuse, settle)
MODEL_STAGES: tuple[Stage, ...] = (find_quote, refuse, check_key, check_value, check_text, settle)
