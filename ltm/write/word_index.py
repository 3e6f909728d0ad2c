"""Find the words of all lexicons in a text in one pass.

A turn is looked at by some thirty lexicons with two thousand terms: one regular expression each takes 0.7 ms for a
chat-sized turn, this index 0.03 ms. Terms hang on their first two characters; a pattern is only tried where a literal
that it cannot do without is in the text.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from re import _constants, _parser  # type: ignore[attr-defined]

from ltm.packs import Lexicon, PackSet
from ltm.write.spans import Span

_REPEATS = (_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT)
_MOST_LITERALS = 40


def index_words(packs: PackSet) -> "WordIndex":
    """Return the words of all loaded packs, and of each pack's topics as `topics:<pack>`. Takes some 20 ms: keep it."""
    topics = {
        f"topics:{pack.name}": lexicon for pack in packs.packs for lexicon in pack.lexicons if lexicon.name == "topics"
    }
    return WordIndex({**packs.lexicons, **topics})


@dataclass(frozen=True, slots=True)
class _Term:
    lexicon: str
    words: str
    is_word_start: bool
    is_word_end: bool


@dataclass(frozen=True, slots=True)
class _Pattern:
    lexicon: str
    search: re.Pattern[str]
    literals: tuple[str, ...]


class WordIndex:
    """All terms and patterns of some lexicons, ready to be looked for together."""

    def __init__(self, lexicons: Mapping[str, Lexicon]) -> None:
        self._terms: dict[str, list[_Term]] = {}
        self._patterns: dict[str, list[_Pattern]] = {}
        self._always: list[_Pattern] = []
        for name, lexicon in sorted(lexicons.items()):
            for words in sorted({words for terms in lexicon.terms.values() for words in terms}):
                term = _Term(name, words, _is_latin(words[0]), _is_latin(words[-1]))
                self._terms.setdefault(words[:2], []).append(term)
            for text in sorted({text for patterns in lexicon.patterns.values() for text in patterns}):
                self._add_pattern(_Pattern(name, re.compile(text), _literals_of(text)))

    def find(self, folded: str) -> dict[str, list[Span]]:
        """Return the hits of each lexicon that has any, ascending; hits of one lexicon may overlap."""
        found: dict[str, list[Span]] = {}
        pieces = {*folded, *map(str.__add__, folded, folded[1:])}
        for key in self._terms.keys() & pieces:
            for term in self._terms[key]:
                if spans := _occurrences(folded, term):
                    found.setdefault(term.lexicon, []).extend(spans)
        for pattern in self._worth_trying(folded, pieces):
            if spans := [Span(*match.span()) for match in pattern.search.finditer(folded)]:
                found.setdefault(pattern.lexicon, []).extend(spans)
        for spans in found.values():
            spans.sort()
        return found

    def _add_pattern(self, pattern: _Pattern) -> None:
        if not pattern.literals:
            self._always.append(pattern)
        for key in {literal[:2] for literal in pattern.literals}:
            self._patterns.setdefault(key, []).append(pattern)

    def _worth_trying(self, folded: str, pieces: set[str]) -> list[_Pattern]:
        met = {id(pattern): pattern for key in self._patterns.keys() & pieces for pattern in self._patterns[key]}
        tried = [pattern for pattern in met.values() if any(literal in folded for literal in pattern.literals)]
        return [*self._always, *tried]


def _occurrences(folded: str, term: _Term) -> list[Span]:
    spans = []
    start = folded.find(term.words)
    while start >= 0:
        if _stands_alone(folded, start, term):
            spans.append(Span(start, start + len(term.words)))
        start = folded.find(term.words, start + 1)
    return spans


def _stands_alone(folded: str, position: int, term: _Term) -> bool:
    """Tell whether a Latin term is a whole word; Chinese has no word borders."""
    end = position + len(term.words)
    if term.is_word_start and position and _is_latin(folded[position - 1]):
        return False
    return not (term.is_word_end and end < len(folded) and _is_latin(folded[end]))


def _is_latin(char: str) -> bool:
    return char.isascii() and char.isalnum()


def _literals_of(pattern: str) -> tuple[str, ...]:
    """Return literals one of which is in every text that the pattern matches; nothing where that is not known."""
    return tuple(sorted(_needed(list(_parser.parse(pattern))) or ()))


def _needed(items: list[tuple[object, object]]) -> set[str] | None:
    """Return the most telling set of literals among the parts of a sequence."""
    choices: list[set[str]] = []
    run = ""
    for operator, argument in items:
        if operator is _constants.LITERAL and isinstance(argument, int):
            run += chr(argument)
            continue
        if run:
            choices.append({run})
        run = ""
        inner = _needed_by(operator, argument)
        if inner:
            choices.append(inner)
    if run:
        choices.append({run})
    return max(choices, key=_telling, default=None)


def _needed_by(operator: object, argument: object) -> set[str] | None:
    if operator is _constants.SUBPATTERN and isinstance(argument, tuple):
        return _needed(list(argument[-1]))
    if operator is _constants.BRANCH and isinstance(argument, tuple):
        parts = [_needed(list(branch)) for branch in argument[1]]
        return set().union(*parts) if all(parts) else None  # type: ignore[arg-type]
    if operator in _REPEATS and isinstance(argument, tuple) and argument[0] > 0:
        return _needed(list(argument[2]))
    return None


def _telling(literals: set[str]) -> tuple[bool, int, int]:
    """Rank few, long literals over many short ones."""
    return len(literals) <= _MOST_LITERALS, min(map(len, literals)), -len(literals)
