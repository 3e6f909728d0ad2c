"""Near-duplicates: of two memories that say the same, the better one is enough."""

import re
from dataclasses import dataclass
from functools import lru_cache
from operator import add
from typing import TypeAlias

from ltm.models import Kind
from ltm.recall.columns import Remembered
from ltm.recall.word_trie import fold_plain

_MAX_CHARS = 2_000
_MIN_CONTAINED_CHARS = 4
_NOT_A_WORD = re.compile(r"[\W_]+")
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_NEGATION = re.compile(r"[不没别无非未勿]|\b(?:no|not|never|none|without|cannot)\b|n't\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Print:
    """What of a text is compared."""

    plain: str
    pairs: frozenset[str]
    numbers: tuple[str, ...]
    negations: int


_Kin: TypeAlias = str | tuple[tuple[str, ...], int]


def is_duplicate(candidate: Remembered, better: Remembered, *, overlap: float) -> bool:
    """Return whether a better-ranked memory already says what the candidate says.

    It does where nearly all character pairs are shared, or where the candidate's words are part of it. Never, however
    alike they look: texts with other numbers or another number of negations, two different slots, and events of two
    days (the same words on another day are another event). Long texts share nearly all pairs of characters, whatever
    they say: they are duplicates only where they are equal.
    """
    if candidate.key is not None and better.key is not None:
        return False
    if candidate.kind is better.kind is Kind.EPISODE and candidate.valid_from.date() != better.valid_from.date():
        return False
    if max(len(candidate.text), len(better.text)) > _MAX_CHARS:
        return candidate.text == better.text
    one, other = _print(candidate.text), _print(better.text)
    if one.negations != other.negations or one.numbers != other.numbers:
        return False
    if one.plain == other.plain:
        return True
    if len(one.plain) >= _MIN_CONTAINED_CHARS and one.plain in other.plain:
        return True
    ours, theirs = len(one.pairs), len(other.pairs)
    if ours < overlap * theirs or theirs < overlap * ours:
        return False  # more cannot be shared than the smaller has, and most pairs of texts differ that much in size
    shared = len(one.pairs & other.pairs)
    return shared >= overlap * (ours + theirs - shared) > 0


class Better:
    """Memories that rank higher, to be asked whether one of them says what the next one says."""

    def __init__(self, *, overlap: float) -> None:
        self._overlap = overlap
        self._by_kin: dict[_Kin, list[Remembered]] = {}

    def add(self, memory: Remembered) -> None:
        """Take one more."""
        self._by_kin.setdefault(_kin(memory.text), []).append(memory)

    def say(self, candidate: Remembered) -> bool:
        """Return whether one of them says what the candidate says."""
        kin = self._by_kin.get(_kin(candidate.text), ())
        return any(is_duplicate(candidate, better, overlap=self._overlap) for better in kin)


def _kin(text: str) -> _Kin:
    """Return what is equal where one of two texts is a duplicate of the other."""
    if len(text) > _MAX_CHARS:
        return text
    found = _print(text)
    return found.numbers, found.negations


@lru_cache(maxsize=8192)
def _print(text: str) -> _Print:
    folded = fold_plain(text)
    plain = _NOT_A_WORD.sub("", folded)
    return _Print(
        plain=plain,
        pairs=frozenset(map(add, plain, plain[1:])),
        numbers=tuple(_NUMBER.findall(folded)),
        negations=len(_NEGATION.findall(folded)),
    )
