"""Quotes are found exactly or not at all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ltm.write.quotes import locate
from ltm.write.spans import Span


@pytest.mark.parametrize(
    ("quote", "text", "places"),
    [
        ("不想找了", "唉，不想找了", (Span(2, 6),)),
        ("我在学Go语言，主要看并发", "我在学Go语言,主要看并发这块", (Span(0, 13),)),
        ("a  b", "x a\n b y", (Span(2, 6),)),
        ("ＡＢ", "cABd", (Span(1, 3),)),
        ("café", "cafe\u0301!", (Span(0, 5),)),
        ("15k", "15k，不，15k", (Span(0, 3), Span(6, 9))),
        ("Dallas", "dallas", ()),
        ("不想", "想", ()),
        ("I have 5 years", "I have five years", ()),
        ("", "anything", ()),
        ("  ", "a b", ()),
        ("，。", "好，。", ()),
        ("长", "", ()),
    ],
)
def test_a_quote_is_where_its_characters_are(quote: str, text: str, places: tuple[Span, ...]) -> None:
    """Width, composition and white space are folded; case, words and order are not."""
    assert locate(quote, text) == places


@given(st.text(max_size=60), st.integers(0, 60), st.integers(0, 60))
def test_a_piece_of_a_text_is_found_in_it(text: str, one: int, other: int) -> None:
    """Every stretch with a letter or digit that does not begin within a character is found, and found as it stands."""
    start, end = min(one, other), max(one, other)
    piece = text[start:end]
    for place in locate(piece, text):
        assert 0 <= place.start < place.end <= len(text)
        assert locate(piece, text[place.start : place.end])


def test_many_places_are_cut_off() -> None:
    """Twenty are enough to be careful."""
    assert len(locate("a", "a" * 100)) == 20
