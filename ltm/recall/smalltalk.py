"""The gate in front of recall: utterances that ask for nothing need no memory.

No threshold separates a greeting from an implied request (design.md §9), a word list does.
"""

import re
import tomllib
from functools import cache, lru_cache
from importlib.resources import files

from ltm.packs.folding import fold_text

_MAX_CHARS = 80
_NOISE = re.compile(r"(?:[^\w\s']|_)+")
_HAN_GAP = re.compile(r"(?<=[一-鿿])\s+|\s+(?=[一-鿿])")
_STRETCHED = re.compile(r"(.)\1{2,}")


def is_small_talk(utterance: str) -> bool:
    """Return whether an utterance consists of small talk alone: `好的谢谢`, `hi there!`, a row of emoji.

    Greetings, thanks, goodbyes, assent, praise, remarks on the weather and talk about the dialogue itself count.
    """
    return len(utterance) <= _MAX_CHARS and _is_small_talk(utterance)


@lru_cache(maxsize=1024)
def _is_small_talk(utterance: str) -> bool:
    words = _STRETCHED.sub(r"\1\1", _NOISE.sub(" ", fold_text(utterance)))
    words = _HAN_GAP.sub("", " ".join(words.split()))
    return not words or _lexicon().fullmatch(words) is not None


@cache
def _lexicon() -> re.Pattern[str]:
    table = tomllib.loads(files("ltm.recall").joinpath("data/small_talk.toml").read_text(encoding="utf-8"))
    zh = _utterance(table["zh"], end="")
    en = _utterance(table["en"], end=r"(?![a-z0-9'])")
    return re.compile(rf"(?:(?:{zh}|{en}) ?)++")


def _utterance(section: dict[str, list[str]], *, end: str) -> str:
    """Return the pattern of one phrase and what may follow it.

    Atomic groups, longest first, and a possessive repetition around them: no input can make it go back and forth.
    """
    phrases, tails = _longest_first(section["phrases"]), _longest_first(section["tails"])
    whole = "|".join([*(f"(?:{pattern})" for pattern in section["patterns"]), phrases])
    return f"(?>{whole}){end}(?: ?(?>{tails}){end})*+"


def _longest_first(words: list[str]) -> str:
    return "|".join(
        re.escape(_STRETCHED.sub(r"\1\1", word)) for word in sorted(words, key=lambda word: (-len(word), word))
    )
