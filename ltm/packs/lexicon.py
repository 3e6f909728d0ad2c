"""Word lists by purpose: what an outburst, a hedge or a quotation looks like."""

import re
from dataclasses import dataclass, field

from ltm.models import Lang
from ltm.packs.patterns import any_of


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

    def matches(self, folded: str, *, lang: Lang | None = None) -> bool:
        """Return whether anything of this lexicon is in a folded text; without `lang` both languages are searched."""
        pattern = self._pattern(lang)
        return pattern is not None and pattern.search(folded) is not None

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
