"""Bring the proposals of both channels through the stages."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ltm.models import Candidate, Kind
from ltm.packs import Folded
from ltm.write.episodes import extract_questions
from ltm.write.extract_llm import Answered
from ltm.write.extract_rules import extract_rules
from ltm.write.merge import merge
from ltm.write.proposal import Heard, Proposal
from ltm.write.setting import Setting
from ltm.write.spans import Span, cut_out
from ltm.write.stages import MODEL_STAGES, RULE_STAGES, Scene, domain_of, draft, run_stages

MAX_PASSES = 3
"""How often a turn is read again without the clauses that were refused."""


def propose(scene: Scene, answers: Sequence[Answered]) -> list[Proposal]:
    """Return every candidate of both channels as far as it can be judged without the store.

    In the order of time, then of the turns, then of the words; a state comes last in its turn, so that it also ends
    what was said beside it.
    """
    read: list[Proposal] = []
    for heard in scene.heard.values():
        read += _from_rules(heard, scene, read[-1] if read else None)
    return sorted(merge([*read, *_from_model(answers, scene)], scene.packs), key=_order)


def _order(proposal: Proposal) -> tuple[float, int, bool, int, int]:
    heard, candidate = proposal.heard, proposal.candidate
    if heard is None:
        return (float("inf"), 0, False, 0, 0)
    return (heard.at.timestamp(), heard.position, candidate.kind is Kind.STATE, candidate.start, candidate.end)


def _from_rules(heard: Heard, scene: Scene, before: Proposal | None) -> Iterator[Proposal]:
    """Read a turn by the rules, and again without what was refused.

    Of several statements about one slot the rules take the last; where that one is a question or a wish, what was
    stated before it still holds. A turn that begins with a correction is about what was stated last before it.
    """
    folded = heard.reading.folded
    setting = Setting(
        asked=heard.asked,
        corrections=heard.reading.marks.all("correction"),
        key=None if before is None else before.candidate.key,
    )
    known: set[tuple[str | None, int, int]] = set()
    for _ in range(MAX_PASSES):
        found = extract_rules(heard.turn, scene.packs, folded=folded, setting=setting)
        passed = [_judge(item, heard, scene) for item in _fresh(found, known)]
        yield from passed
        refused = [proposal.place.span for proposal in passed if proposal.place is not None and not proposal.is_open]
        if not refused:
            break
        folded = _without(folded, refused)
    yield from (_judge(item, heard, scene) for item in _fresh(extract_questions(heard), known))


def _fresh(found: Iterable[Candidate], known: set[tuple[str | None, int, int]]) -> list[Candidate]:
    """Return the candidates that were not met before; what only follows from others is derived when it is stored."""
    fresh = [item for item in found if not item.implied and (item.key, item.start, item.end) not in known]
    known.update((item.key, item.start, item.end) for item in fresh)
    return fresh


def _judge(candidate: Candidate, heard: Heard, scene: Scene) -> Proposal:
    proposal = Proposal(
        candidate=candidate,
        heard=heard,
        place=heard.reading.at(candidate.start, candidate.end),
        pack=scene.packs.pack_of(candidate.key) or domain_of(heard.text, scene),
    )
    return run_stages(proposal, RULE_STAGES, scene)


def _without(folded: Folded, spans: Iterable[Span]) -> Folded:
    text = folded.text
    for start, end in spans:
        text = cut_out(text, [Span(start, end)], "\n" * (end - start))
    return replace(folded, text=text)


def _from_model(answers: Sequence[Answered], scene: Scene) -> Iterator[Proposal]:
    for answer in answers:
        for raw in answer.candidates or ():
            yield run_stages(draft(raw, scene, answer.window.read_ids[0]), MODEL_STAGES, scene)
