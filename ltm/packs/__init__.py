"""Domain packs: data that says what can be known about a user, and how it is read from words."""

from ltm.packs.folding import Folded, fold, fold_text
from ltm.packs.language import detect_lang
from ltm.packs.lexicon import Lexicon
from ltm.packs.loader import list_builtin_packs, load_packs
from ltm.packs.machine import Expiry, Machine
from ltm.packs.pack_set import PackSet
from ltm.packs.prompt import Prompt
from ltm.packs.schema import Example, Pack, Rule, Slot
from ltm.packs.topic import Topic
from ltm.packs.vocabulary import Term, Vocabulary

__all__ = [
    "Example",
    "Expiry",
    "Folded",
    "Lexicon",
    "Machine",
    "Pack",
    "PackSet",
    "Prompt",
    "Rule",
    "Slot",
    "Term",
    "Topic",
    "Vocabulary",
    "detect_lang",
    "fold",
    "fold_text",
    "list_builtin_packs",
    "load_packs",
]
