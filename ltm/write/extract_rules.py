"""The rule channel: what a user says outright, read by the rules of the loaded packs."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ltm.models import Candidate, Channel, Json, Lang, Op, Role, Turn
from ltm.packs.folding import Folded, fold
from ltm.packs.language import detect_lang
from ltm.packs.pack_set import PackSet
from ltm.packs.schema import Rule, Slot
from ltm.packs.values import VALUE_TYPES
from ltm.write.opposites import withdrawal

READ_FROM_START = 3_000
READ_FROM_END = 1_000
"""Characters of a long turn that are read. People say a thing about themselves before or behind what they paste."""

MAX_SENTENCE = 400
"""A longer sentence is read in pieces of this size."""

_AROUND = frozenset(" \t\r\n\u3000,，、.。;；:：!！?？~～")
_SENTENCE = re.compile(r"(?!\s)(?:[^。!?;\n.]|\.(?!\s|$))+(?:[。!?;\n]|\.|$)")
_CLAUSE_BREAK = re.compile(r",(?!\d{3}(?!\d))|[~。!?;\n]|\.\s")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Finding:
    """A rule that matched; offsets are those of the folded text."""

    rule: Rule
    order: int
    members: tuple[Json, ...]
    start: int
    end: int

    @property
    def rank(self) -> tuple[float, float, int]:
        """Return what decides between rules that read the same words: the longest, the surest, the first."""
        return (-(self.end - self.start), -self.rule.confidence, self.order)

    def touches(self, other: "_Finding") -> bool:
        """Tell whether both read some of the same words."""
        return self.start < other.end and other.start < self.end


def extract_rules(turn: Turn, packs: PackSet, *, folded: Folded | None = None) -> list[Candidate]:
    """Return what the packs' rules read from one turn, in the order of the text.

    Nothing is read from other roles. Whether the speaker means it (jokes, hedges, questions, quotations) is for the
    gates to judge from the quote's place; a rule keeps silent only where the grammar already rules it out.

    Of rules that read the same words for one slot, or for its opposite, the one that read the longest stretch counts;
    of several statements for a slot with one value the last one (`15k，不对，18k`).

    Args:
        turn: Its id, or "" where it has none, goes into the candidates.
        packs: The loaded packs.
        folded: The turn's text, folded, where the caller has it already.
    """
    if turn.role != Role.USER:
        return []
    folded = folded or fold(turn.text)
    lang = detect_lang(turn.text, default=Lang.ZH)
    findings = _last_of_each(_find(folded, packs, lang), packs)
    return [_candidate(finding, turn, folded, packs, lang) for finding in findings]


def _find(folded: Folded, packs: PackSet, lang: Lang) -> list[_Finding]:
    found: list[_Finding] = []
    for start, sentence in _sentences(folded.text):
        triggered = packs.triggered_rules(sentence)
        readings = (_apply(packs.rules[order], order, sentence, start, folded, packs, lang) for order in triggered)
        found += _settle([finding for reading in readings for finding in reading], packs)
    return found


def _apply(
    rule: Rule, order: int, sentence: str, offset: int, folded: Folded, packs: PackSet, lang: Lang
) -> Iterator[_Finding]:
    slot = packs.find_slot(rule.slot)
    for match in rule.pattern.finditer(sentence):
        if rule.unless is not None and rule.unless.search(_clause(sentence, match.start(), match.end())):
            continue
        end = match.end()
        members = rule.constants
        if not members:
            start, stop = match.span("value")
            first, last = folded.span(offset + start, offset + stop)
            members, length = _read(rule, folded.raw[first:last], slot, lang)
            if length < last - first and stop == end:
                end = folded.locate(first + length) - offset
        if members and end > match.start():
            yield _Finding(rule=rule, order=order, members=members, start=offset + match.start(), end=offset + end)


def _read(rule: Rule, words: str, slot: Slot | None, lang: Lang) -> tuple[tuple[Json, ...], int]:
    members, length = VALUE_TYPES[rule.reader].read(words, slot, lang)
    if slot is not None and not slot.is_set and len(members) > 1:
        return (), length
    return members, length


def _settle(findings: Iterable[_Finding], packs: PackSet) -> list[_Finding]:
    """Return the findings of one sentence that count, in the order of the text."""
    kept: list[_Finding] = []
    for finding in sorted(findings, key=lambda finding: finding.rank):
        rivals = [other for other in kept if finding.touches(other)]
        if any(finding.rule.is_weak or _compete(finding.rule, other.rule, packs) for other in rivals):
            continue
        kept = [other for other in kept if not (other.rule.is_weak and finding.touches(other))]
        kept.append(finding)
    return sorted(kept, key=lambda finding: (finding.start, finding.end, finding.order))


def _last_of_each(findings: list[_Finding], packs: PackSet) -> list[_Finding]:
    last = {_matter(finding, packs): finding for finding in findings}
    return [finding for finding in findings if last[_matter(finding, packs)] is finding]


def _matter(finding: _Finding, packs: PackSet) -> tuple[str | None, str]:
    """Return what a later finding of the turn says anew: the slot with one value, or the same members of a set."""
    slot = packs.find_slot(finding.rule.slot)
    if slot is not None and not slot.is_set:
        return slot.key, ""
    return finding.rule.slot, f"{finding.rule.op} {finding.members!r}"


def _compete(one: Rule, other: Rule, packs: PackSet) -> bool:
    """Tell whether two rules fill the same slot, slots of which one must not hold what the other does, or none."""
    if one.slot == other.slot:
        return True
    slot = packs.find_slot(one.slot)
    return slot is not None and other.slot in slot.opposites


def _candidate(finding: _Finding, turn: Turn, folded: Folded, packs: PackSet, lang: Lang) -> Candidate:
    rule = finding.rule
    start, end = _bare(folded.raw, *folded.span(finding.start, finding.end))
    return Candidate(
        turn_id=turn.id or "",
        quote=folded.raw[start:end],
        start=start,
        end=end,
        key=rule.slot,
        text=_text(rule, finding.members, packs, lang),
        value=_value(rule, finding.members, packs),
        kind=rule.kind,
        speech_act=rule.speech_act,
        confidence=rule.confidence,
        channel=Channel.RULES,
        op=rule.op,
        is_denial=rule.is_denial,
        rule_id=rule.id,
    )


def _bare(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a span without the spaces and punctuation at its ends."""
    while start < end and text[start] in _AROUND:
        start += 1
    while start < end and text[end - 1] in _AROUND:
        end -= 1
    return start, end


def _value(rule: Rule, members: tuple[Json, ...], packs: PackSet) -> Json:
    slot = packs.find_slot(rule.slot)
    if slot is None:
        return None
    return list(members) if slot.is_set else members[0]


def _text(rule: Rule, members: tuple[Json, ...], packs: PackSet, lang: Lang) -> str:
    if rule.slot is None:
        return rule.texts[lang].replace("$value", str(members[0]))
    value = _value(rule, members, packs)
    if rule.op is Op.REMOVE:
        return withdrawal(rule.slot, value, lang, packs)
    return packs.sentence(rule.slot, value, lang)


def _sentences(text: str) -> Iterator[tuple[int, str]]:
    """Yield sentences with their offsets, each with its end mark and at most `MAX_SENTENCE` characters."""
    for first, last in _read_ranges(len(text)):
        for match in _SENTENCE.finditer(text, first, last):
            for start in range(match.start(), match.end(), MAX_SENTENCE):
                yield start, text[start : min(start + MAX_SENTENCE, match.end())]


def _read_ranges(length: int) -> list[tuple[int, int]]:
    if length <= READ_FROM_START + READ_FROM_END:
        return [(0, length)]
    return [(0, READ_FROM_START), (length - READ_FROM_END, length)]


def _clause(sentence: str, start: int, end: int) -> str:
    """Return the clauses of a sentence that a match touches."""
    first = max((mark.end() for mark in _CLAUSE_BREAK.finditer(sentence, 0, start)), default=0)
    behind = _CLAUSE_BREAK.search(sentence, max(end - 1, start))
    return sentence[first : behind.end() if behind else len(sentence)]
