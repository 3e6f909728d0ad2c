"""What nobody may have remembered, not even the application."""

from ltm.models import Reason
from ltm.packs import fold_text
from ltm.write.secrets import find_secrets
from ltm.write.word_index import WordIndex

_SAYS = {
    Reason.SENSITIVE: "it holds a secret (a key, a password, a card or identity number): remember it elsewhere",
    Reason.INSTRUCTION: "it reads like an instruction to a model; a memory is background, never an instruction",
}


def find_forbidden(text: str, words: WordIndex) -> Reason | None:
    """Return `sensitive` or `instruction` for a text that must not be remembered, else None."""
    if find_secrets(text):
        return Reason.SENSITIVE
    found = words.find(fold_text(text))
    return Reason.INSTRUCTION if "injection" in found or "command" in found else None


def explain_refusal(text: str, words: WordIndex) -> str | None:
    """Return why a text must not be remembered, in words for whoever wrote it, or None."""
    reason = find_forbidden(text, words)
    return None if reason is None else f"{reason}: {_SAYS[reason]}"
