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
    _all: re.Pattern[str] | None = field(init=False, repr=False, compare=False)
    _by_lang: dict[Lang, re.Pattern[str] | None] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        by_lang = {lang: self._compile((lang,)) for lang in Lang}
        object.__setattr__(self, "_by_lang", by_lang)
        object.__setattr__(self, "_all", self._compile(tuple(Lang)))

    def find(self, folded: str, *, lang: Lang | None = None) -> LexiconHit | None:
        """Return the first hit in a folded text, or None; without `lang` both languages are searched."""
        match = self._search(folded, lang)
        return None if match is None else LexiconHit(start=match.start(), end=match.end(), words=match.group())

    def list_hits(self, folded: str, *, lang: Lang | None = None) -> list[LexiconHit]:
        """Return all hits that do not overlap, in the order of the text."""
        pattern = self._all if lang is None else self._by_lang[lang]
        if pattern is None:
            return []
        return [LexiconHit(start=hit.start(), end=hit.end(), words=hit.group()) for hit in pattern.finditer(folded)]

    def matches(self, folded: str, *, lang: Lang | None = None) -> bool:
        """Return whether anything of this lexicon is in a folded text."""
        return self._search(folded, lang) is not None

    def _search(self, folded: str, lang: Lang | None) -> re.Match[str] | None:
        pattern = self._all if lang is None else self._by_lang[lang]
        return None if pattern is None else pattern.search(folded)

    def _compile(self, langs: tuple[Lang, ...]) -> re.Pattern[str] | None:
        terms = [term for lang in langs for term in self.terms.get(lang, ())]
        parts = [f"(?:{pattern})" for lang in langs for pattern in self.patterns.get(lang, ())]
        if terms:
            parts.append(any_of(terms))
        return re.compile("|".join(parts)) if parts else None


def merge_lexicons(first: Lexicon, second: Lexicon) -> Lexicon:
    """Return what either of two lexicons of one name holds."""
    return Lexicon(
        name=first.name,
        terms={lang: (*first.terms.get(lang, ()), *second.terms.get(lang, ())) for lang in Lang},
        patterns={lang: (*first.patterns.get(lang, ()), *second.patterns.get(lang, ())) for lang in Lang},
    )
