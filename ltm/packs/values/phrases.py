"""Short free phrases: spacing, spelling and lists."""

import re
import unicodedata

from ltm.packs.folding import fold_text
from ltm.packs.language import HAN
from ltm.packs.vocabulary import Vocabulary

MAX_PHRASE = 200
_LIST = re.compile(r"\s*[、,;/]\s*|\s*(?:以及|或者|或是|还有|和|或|跟|与|及)\s*|\s+(?:and|or)\s+")
_GAP_BEHIND = re.compile(rf"(?<=[A-Za-z0-9+#.])(?=[{HAN}])")
_GAP_BEFORE = re.compile(rf"(?<=[{HAN}])(?=[A-Za-z][A-Za-z0-9+#.]*(?:$|[\s{HAN}]))")
_SPACES = re.compile(r"\s+")
_BETWEEN_HAN = re.compile(rf"(?<=[{HAN}]) (?=[{HAN}])")


def tidy(words: str) -> str:
    """Return NFKC text with single spaces, none between Chinese characters, one between Latin and Chinese."""
    text = _SPACES.sub(" ", unicodedata.normalize("NFKC", words)).strip(" ,.;:!?。、·")
    text = _BETWEEN_HAN.sub("", text)
    return _GAP_BEFORE.sub(" ", _GAP_BEHIND.sub(" ", text))


def split_list(words: str) -> list[str]:
    """Return the members of a spoken list (`苏州和南京`, `Berlin, Paris or Rome`), in order, without empty ones."""
    return [part for part in _LIST.split(unicodedata.normalize("NFKC", words).strip()) if part]


def canonical(words: str, vocabulary: Vocabulary | None) -> str | None:
    """Return the vocabulary's term for a phrase, the tidy phrase where it has none, None for nothing or too much."""
    term = vocabulary.find(words) if vocabulary else None
    if term is not None:
        return term.value
    text = tidy(words)
    if vocabulary is not None:
        text = _with_known_end(text, vocabulary)
    return text if 0 < len(text) <= MAX_PHRASE and fold_text(text) else None


def _with_known_end(text: str, vocabulary: Vocabulary) -> str:
    """Return the phrase with its longest end that is a term in canonical form: `Java developers`, `Java developer`."""
    words = text.split(" ")
    for start in range(len(words)):
        term = vocabulary.find(" ".join(words[start:])) or vocabulary.find("".join(words[start:]))
        if term is not None:
            return " ".join((*words[:start], term.value))
    return text
