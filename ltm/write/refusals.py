"""What even the application must not have remembered: secrets, and orders to the model that will read them."""

from ltm.packs import PackSet, fold
from ltm.write.secrets import find_secrets
from ltm.write.word_index import WordIndex

_ORDERS = ("injection", "command")


class Refusals:
    """Says why a text must not be remembered. Thread-safe."""

    def __init__(self, packs: PackSet) -> None:
        self._orders = WordIndex({name: packs.lexicon(name) for name in _ORDERS})

    def __call__(self, text: str) -> str | None:
        """Return what is wrong with the text and what to do about it, or None; the text itself is not repeated."""
        if find_secrets(text):
            return "the text contains a secret (key, password, card or identity number): leave it out"
        if self._orders.find(fold(text).text):
            return "the text is an instruction to a model; a memory states what is so about the user: rephrase it"
        return None
