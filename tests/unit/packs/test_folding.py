"""Folding, and the way back to the text as it was said."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ltm.packs import fold, fold_text


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("期望１５－２０Ｋ，杭州", "期望15-20k,杭州"),
        ("I’m “sure”", 'i\'m "sure"'),
        ("a\u200bb\ufeffc\u202e", "abc"),
        ("好～的", "好~的"),
        ("e\u0301", "e"),
        ("…", "..."),
        ("、。", "、。"),
        ("20k 以下，想找 Java 后端", "20k以下,想找java后端"),
        ("杭州 上海 go java", "杭州 上海go java"),
        ("期望薪资30k 上海也可以", "期望薪资30k 上海也可以"),
        ("薪资 30k 城市：上海", "薪资30k 城市:上海"),
        ("a  b \t c\u00a0 d", "a b c d"),
        ("", ""),
    ],
)
def test_what_is_said_the_same_way_is_folded_the_same(text: str, folded: str) -> None:
    """Width, case, quotes and invisible characters do not matter."""
    assert fold_text(text) == folded


def test_a_span_leads_back_through_what_changed_length() -> None:
    """The quote is cut from the raw text even where folding dropped or doubled characters."""
    folded = fold("…\u200b期望 ２０Ｋ！")
    start = folded.text.index("20k")
    assert folded.raw[slice(*folded.span(start, start + 3))] == "２０Ｋ"
    assert folded.text[folded.locate(folded.raw.index("２")) :] == "20k!"


@given(st.text(max_size=40))
def test_every_folded_character_comes_from_the_text(text: str) -> None:
    """Spans never leave the raw text and never go backwards."""
    folded = fold(text)
    spans = [folded.span(offset, offset + 1) for offset in range(len(folded.text))]
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert spans == sorted(spans)
