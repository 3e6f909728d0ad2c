"""Cut a folded text into sentences and clauses."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple


class Span(NamedTuple):
    """A half-open range of characters."""

    start: int
    end: int

    def touches(self, other: "Span") -> bool:
        """Tell whether the two ranges share a character."""
        return self.start < other.end and other.start < self.end


class Clause(NamedTuple):
    """A clause and the sentence around it, as ranges of the folded text.

    Attributes:
        is_last: It is the last clause of its sentence.
        ends_asking: The sentence ends with a question mark.
    """

    span: Span
    sentence: Span
    is_last: bool
    ends_asking: bool


_SENTENCE_END = re.compile(r"[。!?;\n][。!?;.~\s]{0,200}|\.{2,200}\s{0,20}|\.(?=\s|$)\s{0,200}")
_CLAUSE_END = re.compile(
    r",(?!\d{3}(?!\d))\s{0,20}|~{1,20}\s{0,20}|-{2,200}\s{0,20}"
    r"|(?<=[\u4e00-\u9fff])\s{1,20}(?=[\u4e00-\u9fff])"
    r"|(?<=\S)(?=但是|但我|不过|可是|然而|所以我|而且|而我)"
    r"|\s{1,20}(?=(?:but|though|although|however|so i|and i|and he|and she|and they|yet i|while i|whereas)\b)"
)


def merge_spans(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Return the ranges in order, those that touch or overlap as one."""
    merged: list[Span] = []
    for span in sorted(spans):
        if merged and span.start <= merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(span.end, merged[-1].end))
        else:
            merged.append(span)
    return tuple(merged)


def cut_out(text: str, spans: Iterable[Span], filler: str) -> str:
    """Return the text with something else in the place of each range."""
    parts: list[str] = []
    position = 0
    for span in merge_spans(spans):
        parts += (text[position : span.start], filler)
        position = span.end
    return "".join((*parts, text[position:]))


def split_clauses(folded: str) -> list[Clause]:
    """Cut a folded text into clauses, in order; blank ones are left out."""
    clauses: list[Clause] = []
    for sentence, mark in _cut(folded, Span(0, len(folded)), _SENTENCE_END):
        spans = [span for span, _ in _cut(folded, sentence, _CLAUSE_END)]
        clauses += (Clause(span, sentence, span is spans[-1], "?" in mark) for span in spans)
    return clauses


def _cut(folded: str, within: Span, border: re.Pattern[str]) -> Iterator[tuple[Span, str]]:
    start = within.start
    for match in border.finditer(folded, within.start, within.end):
        if folded[start : match.start()].strip():
            yield Span(start, match.start()), match[0]
        start = match.end()
    if folded[start : within.end].strip():
        yield Span(start, within.end), ""
