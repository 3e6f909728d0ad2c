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
from ltm.write.corrections import correct
from ltm.write.findings import Finding, last_of_each, settle
from ltm.write.opposites import withdrawal
from ltm.write.setting import NO_SETTING, Setting

READ_FROM_START = 3_000
READ_FROM_END = 1_000
"""Characters of a long turn that are read. People say a thing about themselves before or behind what they paste."""

MAX_SENTENCE = 400
"""A longer sentence is read in pieces of this size."""

MAX_RETRIES = 8
"""So often a rule looks again inside words of a sentence that it matched in vain."""

_AROUND = frozenset(" \t\r\n\u3000,，、.。;；:：!！?？~～")
_SENTENCE = re.compile(r"(?!\s)(?:[^。!?;\n.]|\.(?!\s|$))+(?:[。!?;\n]|\.|$)")
_CLAUSE_BREAK = re.compile(
    r",(?!\d{3}(?!\d))|[~。!?;\n]|\.\s|(?<=[\u4e00-\u9fff])\s{1,20}(?=[\u4e00-\u9fff])"
    r"|\s(?=(?:and|but|so)\si(?:'m|'d|'ve|'ll)?\s)|(?<=[\u4e00-\u9fff])(?=但是|但我|不过我|可是我|而且我|所以我)"
)


def extract_rules(
    turn: Turn, packs: PackSet, *, folded: Folded | None = None, setting: Setting = NO_SETTING
) -> list[Candidate]:
    """Return what the packs' rules read from one turn, in the order of the text.

    Nothing is read from other roles. Whether the speaker means it (jokes, hedges, questions, quotations) is for the
    gates to judge from the quote's place; a rule keeps silent only where the grammar already rules it out.

    Of rules that read the same words for one slot, or for its opposite, the one that read the longest stretch counts;
    of several statements for a slot with one value the last one (`15k，不对，18k`); what is corrected does not count.

    Args:
        turn: Its id, or "" where it has none, goes into the candidates.
        packs: The loaded packs.
        folded: The turn's text, folded, where the caller has it already.
        setting: What was asked before, and where the turn corrects itself.
    """
    if turn.role != Role.USER:
        return []
    folded = folded or fold(turn.text)
    lang = detect_lang(turn.text, default=Lang.ZH)
    findings = list(_find(folded, packs, lang, setting))
    if setting.corrections:
        findings = correct(findings, setting, lambda key, at: _find_correction(key, at, folded, packs, lang))
    return [_candidate(finding, turn, folded, packs, lang) for finding in last_of_each(findings, packs)]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Passage:
    """A sentence, or the rest of one, and where it begins in the folded text."""

    sentence: str
    start: int
    folded: Folded
    lang: Lang


def _find(folded: Folded, packs: PackSet, lang: Lang, setting: Setting) -> Iterator[Finding]:
    answering = packs.answering_rules(setting.asked)
    for start, sentence in _sentences(folded.text):
        passage = _Passage(sentence=sentence, start=start, folded=folded, lang=lang)
        yield from _read_passage(passage, [*packs.triggered_rules(sentence), *answering], packs)


def _find_correction(key: str | None, at: int, folded: Folded, packs: PackSet, lang: Lang) -> Finding | None:
    """Return what the rest of a sentence, from an offset on, says about a slot if that is what it is about."""
    sentence = _SENTENCE.match(folded.text, at, at + MAX_SENTENCE)
    if sentence is None:
        return None
    passage = _Passage(sentence=sentence.group(), start=at, folded=folded, lang=lang)
    found = _read_passage(passage, packs.correcting_rules(key), packs)
    return found[0] if found else None


def _read_passage(passage: _Passage, orders: Iterable[int], packs: PackSet) -> list[Finding]:
    readings = (_apply(packs.rules[order], order, passage, packs) for order in orders)
    return settle([finding for reading in readings for finding in reading], packs)


def _apply(rule: Rule, order: int, passage: _Passage, packs: PackSet) -> Iterator[Finding]:
    """Yield what a rule reads; words that it matched in vain are looked at again from their next clause on."""
    slot, sentence = packs.find_slot(rule.slot), passage.sentence
    position, retries = 0, MAX_RETRIES
    while position <= len(sentence) and (match := rule.pattern.search(sentence, position)):
        position = max(match.end(), match.start() + 1)
        members, end = _read(rule, match, passage, slot)
        if rule.unless is not None and rule.unless.search(_clause(sentence, match.start(), end)):
            continue
        if members and end > match.start():
            position = end
            yield Finding(
                rule=rule, order=order, members=members, start=passage.start + match.start(), end=passage.start + end
            )
        elif retries and (clause := _CLAUSE_BREAK.search(sentence, match.start() + 1, match.end())):
            position, retries = clause.end(), retries - 1


def _read(rule: Rule, match: re.Match[str], passage: _Passage, slot: Slot | None) -> tuple[tuple[Json, ...], int]:
    """Return what the matched words state, and where in the sentence they end."""
    if rule.constants:
        return rule.constants, match.end()
    folded = passage.folded
    start, stop = match.span("value")
    first, last = folded.span(passage.start + start, passage.start + stop)
    members, length = VALUE_TYPES[rule.reader].read(folded.raw[first:last], slot, passage.lang)
    if slot is not None and not slot.is_set and len(members) > 1:
        return (), match.end()
    is_cut = length < last - first and stop == match.end()
    return members, folded.locate(first + length) - passage.start if is_cut else match.end()


def _candidate(finding: Finding, turn: Turn, folded: Folded, packs: PackSet, lang: Lang) -> Candidate:
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
        is_least=rule.is_least,
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
    first = max(
        (mark.end() for mark in _CLAUSE_BREAK.finditer(sentence, 0, start + 1) if mark.end() <= start), default=0
    )
    behind = _CLAUSE_BREAK.search(sentence, max(end - 1, start))
    return sentence[first : behind.end() if behind else len(sentence)]
