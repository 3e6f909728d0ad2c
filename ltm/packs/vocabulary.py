"""Canonical terms and their other spellings."""

from dataclasses import dataclass, field

from ltm.models import Lang
from ltm.packs.folding import fold_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """One canonical term.

    Attributes:
        value: What is stored.
        names: Spellings in a language, the first one what is shown; a term without any is shown as its value.
    """

    value: str
    names: dict[Lang, tuple[str, ...]]

    def shown(self, lang: Lang) -> str:
        """Return what a sentence in this language calls it."""
        names = self.names.get(lang, ())
        return names[0] if names else self.value


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """The terms that a slot knows."""

    name: str
    terms: tuple[Term, ...]
    _by_name: dict[str, Term] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        by_name: dict[str, Term] = {}
        for term in self.terms:
            for name in (term.value, *(name for names in term.names.values() for name in names)):
                by_name.setdefault(fold_text(name), term)
        object.__setattr__(self, "_by_name", by_name)

    @property
    def values(self) -> tuple[str, ...]:
        """Return the canonical terms in the order of the file."""
        return tuple(term.value for term in self.terms)

    @property
    def names(self) -> tuple[str, ...]:
        """Return every spelling, folded, the longest first."""
        return tuple(sorted(self._by_name, key=lambda name: (-len(name), name)))

    def find(self, name: str) -> Term | None:
        """Return the term with this spelling, whatever its case and width, or None."""
        return self._by_name.get(fold_text(name).strip())
