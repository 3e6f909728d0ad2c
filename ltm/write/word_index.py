"""Find the words of all lexicons in a text in one pass.

A turn is looked at by some thirty lexicons with two thousand terms: one regular expression each takes 0.7 ms for a
chat-sized turn, this index 0.03 ms. Terms hang on their first characters; a pattern is only tried where a literal
that it cannot do without is in the text.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import chain
from operator import add
from typing import NamedTuple

from ltm.packs import Lexicon, PackSet
from ltm.write.literals import needed_literals
from ltm.write.spans import Span

KEY_CHARS = 3
"""Terms and literals hang on so many of their first characters."""

ASKS = "asks_"
"""Lexicons of questions, which the assistant asks and the user answers, have names that begin so."""


def index_words(packs: PackSet) -> "WordIndex":
    """Return the words of all loaded packs, and of each pack's topics as `topics:<pack>`. Takes some 20 ms: keep it.

    Lexicons that recall reads intents with are left out: their names begin with `intent_`. Those of
    questions are apart.
    """
    said = {name: lexicon for name, lexicon in packs.lexicons.items() if not name.startswith(("intent_", ASKS))}
    asked = {name: lexicon for name, lexicon in packs.lexicons.items() if name.startswith(ASKS)}
    topics = {
        f"topics:{pack.name}": lexicon for pack in packs.packs for lexicon in pack.lexicons if lexicon.name == "topics"
    }
    return WordIndex({**said, **topics}, questions=WordIndex(asked))


class _Term(NamedTuple):
    words: str
    lexicon: str
    is_word_start: bool
    is_word_end: bool


class _Pattern(NamedTuple):
    lexicon: str
    search: re.Pattern[str]
    literals: tuple[str, ...]


class WordIndex:
    """All terms and patterns of some lexicons, ready to be looked for together.

    Attributes:
        questions: The index of what is looked for in questions to the user; None finds none.
    """

    def __init__(self, lexicons: Mapping[str, Lexicon], *, questions: "WordIndex | None" = None) -> None:
        self.questions = questions
        self._names = frozenset(lexicons)
        self._terms: dict[str, list[_Term]] = {}
        self._patterns: dict[str, list[tuple[str, _Pattern]]] = {}
        self._always: list[_Pattern] = []
        for name, lexicon in sorted(lexicons.items()):
            for words in sorted({words for terms in lexicon.terms.values() for words in terms}):
                term = _Term(words, name, _is_latin(words[0]), _is_latin(words[-1]))
                self._terms.setdefault(words[:KEY_CHARS], []).append(term)
            for text in sorted({text for patterns in lexicon.patterns.values() for text in patterns}):
                self._add_pattern(_Pattern(name, re.compile(text), needed_literals(text)))
        self._keys = frozenset(self._terms.keys() | self._patterns.keys())

    @property
    def names(self) -> frozenset[str]:
        """Return the names of the lexicons."""
        return self._names

    def find(self, folded: str) -> dict[str, list[Span]]:
        """Return the hits of each lexicon that has any, ascending; hits of one lexicon may overlap."""
        found: dict[str, list[Span]] = {}
        pairs = list(map(add, folded, folded[1:]))
        met = self._keys.intersection(chain(folded, pairs, map(add, pairs, folded[2:])))
        for key in met:
            for term in self._terms.get(key, ()):
                start = folded.find(term.words)
                if start >= 0 and (spans := list(_occurrences(folded, term, start))):
                    found.setdefault(term.lexicon, []).extend(spans)
        for pattern in self._worth_trying(folded, met):
            if spans := [Span(*match.span()) for match in pattern.search.finditer(folded)]:
                found.setdefault(pattern.lexicon, []).extend(spans)
        for spans in found.values():
            spans.sort()
        return found

    def _add_pattern(self, pattern: _Pattern) -> None:
        if not pattern.literals:
            self._always.append(pattern)
        for literal in pattern.literals:
            self._patterns.setdefault(literal[:KEY_CHARS], []).append((literal, pattern))

    def _worth_trying(self, folded: str, met: frozenset[str]) -> list[_Pattern]:
        found: dict[int, _Pattern] = {}
        for key in met:
            for literal, pattern in self._patterns.get(key, ()):
                if id(pattern) not in found and (len(literal) <= KEY_CHARS or literal in folded):
                    found[id(pattern)] = pattern
        return [*self._always, *found.values()]


def _occurrences(folded: str, term: _Term, start: int) -> Iterator[Span]:
    """Yield where a term stands from its first occurrence on; a Latin one only as a whole word."""
    while start >= 0:
        end = start + len(term.words)
        is_cut_before = term.is_word_start and start and _is_latin(folded[start - 1])
        if not is_cut_before and not (term.is_word_end and end < len(folded) and _is_latin(folded[end])):
            yield Span(start, end)
        start = folded.find(term.words, start + 1)


def _is_latin(char: str) -> bool:
    return char.isascii() and char.isalnum()
