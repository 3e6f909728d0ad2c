"""Word lists."""

import pytest

from ltm.models import Lang
from ltm.packs.lexicon import Lexicon, merge_lexicons

HEDGE = Lexicon(
    name="hedge",
    terms={Lang.ZH: ("可能", "也许"), Lang.EN: ("maybe",)},
    patterns={Lang.ZH: (), Lang.EN: ("not (?:so )?sure",)},
)


@pytest.mark.parametrize("text", ["maybe", "i am not so sure", "这个可能吧"])
def test_terms_and_patterns_are_found(text: str) -> None:
    """Chinese terms anywhere, Latin ones as whole words."""
    assert HEDGE.matches(text)
    assert not HEDGE.matches("maybelline")


def test_a_language_can_be_asked_for_alone() -> None:
    """An English term is none of the Chinese ones."""
    assert HEDGE.matches("maybe", lang=Lang.EN)
    assert not HEDGE.matches("maybe", lang=Lang.ZH)
    assert HEDGE.matches("也许", lang=Lang.ZH)


def test_an_empty_lexicon_finds_nothing() -> None:
    """An empty pattern would match everywhere."""
    empty = Lexicon(name="x", terms={}, patterns={})
    assert not empty.matches("anything")
    assert not empty.matches("")


def test_lexicons_of_one_name_are_joined() -> None:
    """A pack adds to what `core` has."""
    more = Lexicon(name="hedge", terms={Lang.ZH: ("没准",)}, patterns={})
    both = merge_lexicons(HEDGE, more)
    assert both.matches("没准")
    assert both.matches("maybe")
