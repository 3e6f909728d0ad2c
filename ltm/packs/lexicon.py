"""Word lists by purpose: what an outburst, a hedge or a quotation looks like."""

import re
from dataclasses import dataclass, field

from ltm.models import Lang
from ltm.packs.patterns import any_of


@dataclass(frozen=True, slots=True, kw_only=True)
class LexiconHit:
    """A term or pattern of a lexicon found in a text; offsets are those of the text that was searched."""

    start: int
    end: int
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexicon:
    """Terms and patterns of one purpose, in folded form (see `ltm.packs.folding`).

    Attributes:
        terms: Literal terms of a language; Latin ones match whole words only, Chinese ones anywhere.
        patterns: Bounded regular expressions of a language.
    """

    name: str
    terms: dict[Lang, tuple[str, ...]]
    patterns: dict[Lang, tuple[str, ...]]
    _compiled: dict[Lang | None, re.Pattern[str] | None] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def find(self, folded: str, *, lang: Lang | None = None) -> LexiconHit | None:
        """Return the first hit in a folded text, or None; without `lang` both languages are searched."""
        match = self._search(folded, lang)
        return None if match is None else LexiconHit(start=match.start(), end=match.end(), words=match.group())

    def list_hits(self, folded: str, *, lang: Lang | None = None) -> list[LexiconHit]:
        """Return all hits that do not overlap, in the order of the text."""
        pattern = self._pattern(lang)
        if pattern is None:
            return []
        return [LexiconHit(start=hit.start(), end=hit.end(), words=hit.group()) for hit in pattern.finditer(folded)]

    def matches(self, folded: str, *, lang: Lang | None = None) -> bool:
        """Return whether anything of this lexicon is in a folded text."""
        return self._search(folded, lang) is not None

    def _search(self, folded: str, lang: Lang | None) -> re.Match[str] | None:
        pattern = self._pattern(lang)
        return None if pattern is None else pattern.search(folded)

    def _pattern(self, lang: Lang | None) -> re.Pattern[str] | None:
        if lang not in self._compiled:
            langs = tuple(Lang) if lang is None else (lang,)
            parts = [f"(?:{pattern})" for lang in langs for pattern in self.patterns.get(lang, ())]
            terms = [term for lang in langs for term in self.terms.get(lang, ())]
            parts += [any_of(terms)] if terms else []
            self._compiled[lang] = re.compile("|".join(parts)) if parts else None
        return self._compiled[lang]


def merge_lexicons(first: Lexicon, second: Lexicon) -> Lexicon:
    """Return what either of two lexicons of one name holds."""
    return Lexicon(
        name=first.name,
        terms={lang: (*first.terms.get(lang, ()), *second.terms.get(lang, ())) for lang in Lang},
        patterns={lang: (*first.patterns.get(lang, ()), *second.patterns.get(lang, ())) for lang in Lang},
    )
