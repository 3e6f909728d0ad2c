"""Word lists."""

from ltm.models import Lang
from ltm.packs.lexicon import Lexicon, merge_lexicons

HEDGE = Lexicon(
    name="hedge",
    terms={Lang.ZH: ("可能", "也许"), Lang.EN: ("maybe",)},
    patterns={Lang.ZH: (), Lang.EN: ("not (?:so )?sure",)},
)


def test_terms_and_patterns_are_found_with_their_place() -> None:
    """In the order of the text."""
    hits = HEDGE.list_hits("maybe, not so sure, 可能")
    assert [(hit.words, hit.start) for hit in hits] == [("maybe", 0), ("not so sure", 7), ("可能", 20)]


def test_a_language_can_be_asked_for_alone() -> None:
    """An English term is none of the Chinese ones."""
    assert HEDGE.matches("maybe")
    assert not HEDGE.matches("maybe", lang=Lang.ZH)
    hit = HEDGE.find("也许", lang=Lang.ZH)
    assert hit is not None
    assert (hit.start, hit.end) == (0, 2)


def test_an_empty_lexicon_finds_nothing() -> None:
    """An empty pattern would match everywhere."""
    empty = Lexicon(name="x", terms={}, patterns={})
    assert empty.find("anything") is None
    assert empty.list_hits("anything") == []
    assert not empty.matches("")


def test_lexicons_of_one_name_are_joined() -> None:
    """A pack adds to what `core` has."""
    more = Lexicon(name="hedge", terms={Lang.ZH: ("没准",)}, patterns={})
    both = merge_lexicons(HEDGE, more)
    assert both.matches("没准")
    assert both.matches("maybe")
