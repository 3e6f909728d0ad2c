"""What nobody may have remembered, not even the application: secrets, and orders to the model that will read them."""

import re

from ltm.models import Reason
from ltm.packs import PackSet, fold_text
from ltm.write.secrets import holds_secret
from ltm.write.word_index import WordIndex

_ORDERS = ("injection", "command")
_WRAPPED = re.compile(r"(?<![\n\r])[ \t\r]*\n[ \t]*(?![\n\r])")
_IDLE = re.compile(r"(?<=[\u4e00-\u9fff])[ \t]+(?=[\u4e00-\u9fff])")
_SAYS = {
    Reason.SENSITIVE: "the text contains a secret (key, password, card or identity number): leave it out",
    Reason.INSTRUCTION: "the text is an instruction to a model; a memory states what is so about the user: rephrase it",
}


def find_forbidden(text: str, words: WordIndex) -> Reason | None:
    """Return `sensitive` or `instruction` for a text that must not be remembered, else None."""
    folded = fold_text(text)
    if holds_secret(folded):
        return Reason.SENSITIVE
    found = words.find(folded).keys() | find_across_lines(folded, words)
    return Reason.INSTRUCTION if any(name in found for name in _ORDERS) else None


def find_across_lines(folded: str, words: WordIndex) -> frozenset[str]:
    """Return the lexicons of which something stands in a text where it is wrapped or spaced out: `忽 略 规 则`.

    Lines of one paragraph are joined, and blanks between Chinese characters left out; a text that has neither gives
    nothing. Where a clause begins is lost with that, so the text as it is has to be searched too.
    """
    joined = _IDLE.sub("", _WRAPPED.sub(" ", folded))
    return frozenset() if joined == folded else frozenset(words.find(joined))


class Refusals:
    """Says why a text must not be remembered. Thread-safe."""

    def __init__(self, packs: PackSet) -> None:
        self._orders = WordIndex({name: packs.lexicon(name) for name in _ORDERS})

    def __call__(self, text: str) -> str | None:
        """Return what is wrong with the text and what to do about it, or None; the text itself is not repeated."""
        reason = find_forbidden(text, self._orders)
        return None if reason is None else _SAYS[reason]
