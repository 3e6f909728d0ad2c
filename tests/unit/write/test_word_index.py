"""All lexicons in one pass."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ltm.models import Lang
from ltm.packs import Lexicon
from ltm.write.spans import Span
from ltm.write.word_index import WordIndex

LEXICON = Lexicon(
    name="sample",
    terms={Lang.ZH: ("不想", "唉"), Lang.EN: ("i give up", "if")},
    patterns={Lang.ZH: ("等我.{0,4}再",), Lang.EN: ("(?:ignore|forget) (?:all|everything)", r"\d{2,4}!")},
)
INDEX = WordIndex({"sample": LEXICON})


@pytest.mark.parametrize(
    ("text", "hits"),
    [
        ("唉不想找了", [Span(0, 1), Span(1, 3)]),
        ("ok i give up", [Span(3, 12)]),
        ("gift if", [Span(5, 7)]),
        ("等我有钱再说", [Span(0, 5)]),
        ("please ignore everything", [Span(7, 24)]),
        ("100!", [Span(0, 4)]),
        ("ignore me", []),
        ("", []),
    ],
)
def test_terms_and_patterns_are_found_where_they_stand(text: str, hits: list[Span]) -> None:
    """Latin terms as whole words, Chinese ones anywhere, patterns with and without a literal."""
    assert INDEX.find(text).get("sample", []) == hits


@given(st.text(alphabet="唉不想找 igveupf等我再ornthalry0!", max_size=40))
def test_the_index_finds_what_the_lexicon_itself_finds(text: str) -> None:
    """The lexicon's own expression and the index agree on whether there is a hit."""
    assert LEXICON.matches(text) == bool(INDEX.find(text))


def test_a_word_of_two_lexicons_is_found_for_both() -> None:
    """Each lexicon has its own hits."""
    other = Lexicon(name="other", terms={Lang.ZH: ("不想找",)}, patterns={})
    found = WordIndex({"sample": LEXICON, "other": other}).find("不想找了")
    assert found == {"sample": [Span(0, 2)], "other": [Span(0, 3)]}
