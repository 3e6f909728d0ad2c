"""The gate in front of recall: utterances that ask for nothing need no memory.

No threshold separates a greeting from an implied request (docs/adr/0007), word lists do: the lexicons `small_talk` and
`small_talk_tail`, and for intents alone those of the same names with `intent_` before them.
"""

import re
from functools import lru_cache

from ltm.models import Lang
from ltm.packs import PackSet, fold_text

PHRASES = ("small_talk", "intent_small_talk")
TAILS = ("small_talk_tail", "intent_small_talk_tail")

_MAX_CHARS = 80
_NOISE = re.compile(r"(?:[^\w\s']|_)+")
_HAN_GAP = re.compile(r"(?<=[一-鿿])\s+|\s+(?=[一-鿿])")
_STRETCHED = re.compile(r"(.)\1{2,}")
_WORD_END = {Lang.ZH: "", Lang.EN: r"(?![a-z0-9'])"}


class SmallTalk:
    """The words of greetings, thanks, goodbyes, assent, praise, remarks on the weather and on the dialogue itself."""

    def __init__(self, packs: PackSet) -> None:
        utterances = "|".join(_utterance(packs, lang) for lang in Lang)
        self._row = re.compile(rf"(?:(?:{utterances}) ?)++")
        self._is_row = lru_cache(maxsize=1024)(self._match)

    def is_all_of(self, utterance: str) -> bool:
        """Return whether an utterance consists of small talk alone: `好的谢谢`, `hi there!`, a row of emoji."""
        return len(utterance) <= _MAX_CHARS and self._is_row(utterance)

    def _match(self, utterance: str) -> bool:
        words = _STRETCHED.sub(r"\1\1", _NOISE.sub(" ", fold_text(utterance)))
        words = _HAN_GAP.sub("", " ".join(words.split()))
        return not words or self._row.fullmatch(words) is not None


def _utterance(packs: PackSet, lang: Lang) -> str:
    """Return the pattern of one phrase and what may follow it.

    Atomic groups, longest first, and a possessive repetition around them: no input can make it go back and forth.
    """
    phrases, tails = _longest_first(_terms(packs, PHRASES, lang)), _longest_first(_terms(packs, TAILS, lang))
    patterns = [f"(?:{pattern})" for name in PHRASES for pattern in packs.lexicon(name).patterns[lang]]
    end = _WORD_END[lang]
    return f"(?>{'|'.join([*patterns, phrases])}){end}(?: ?(?>{tails}){end})*+"


def _terms(packs: PackSet, names: tuple[str, ...], lang: Lang) -> list[str]:
    return [term for name in names for term in packs.lexicon(name).terms[lang]]


def _longest_first(words: list[str]) -> str:
    return "|".join(
        re.escape(_STRETCHED.sub(r"\1\1", word)) for word in sorted(words, key=lambda word: (-len(word), word))
    )
