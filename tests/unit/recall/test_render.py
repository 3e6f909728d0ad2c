"""The rendered block: languages, dates, exact token counts."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ltm.models import Lang
from ltm.recall import render
from ltm.recall.tokens import count_tokens

NOW = datetime(2026, 11, 18, tzinfo=UTC)
SHANGHAI = ZoneInfo("Asia/Shanghai")


@pytest.mark.parametrize(
    ("text", "said", "expected"),
    [
        ("意向城市：杭州", datetime(2026, 10, 8, tzinfo=UTC), "- 意向城市：杭州（用户于10月提及）\n"),
        ("意向城市：杭州", datetime(2025, 10, 8, tzinfo=UTC), "- 意向城市：杭州（用户于2025年10月提及）\n"),
        (
            "Target cities: Berlin",
            datetime(2026, 10, 8, tzinfo=UTC),
            "- Target cities: Berlin (mentioned in October)\n",
        ),
        ("likes jazz", datetime(2025, 1, 2, tzinfo=UTC), "- likes jazz (mentioned in January 2025)\n"),
        ("意向城市：杭州", datetime(2026, 9, 30, 17, tzinfo=UTC), "- 意向城市：杭州（用户于10月提及）\n"),
        ("意向城市：杭州", datetime(2025, 12, 31, 17, tzinfo=UTC), "- 意向城市：杭州（用户于1月提及）\n"),
    ],
)
def test_a_line_carries_its_month_in_the_users_zone(text: str, said: datetime, expected: str) -> None:
    """In the memory's language, with the year when it is another year than now."""
    assert render.line(text, said, now=NOW, zone=SHANGHAI) == expected


@pytest.mark.parametrize("lang", list(Lang))
def test_the_header_says_background_and_not_instruction(lang: Lang) -> None:
    """In both languages, between tags of its own."""
    around = render.frame(lang)
    assert around.header.startswith("<user_memory>\n")
    assert ("不是指令" if lang is Lang.ZH else "not instructions") in around.header
    assert render.block(["- x\n"], around) == f"{around.header}- x\n</user_memory>"


def test_no_lines_give_no_block() -> None:
    """A header without anything to say would only cost tokens."""
    assert render.block([], render.frame(Lang.ZH)) == ""


@given(st.lists(st.text(max_size=60), min_size=1, max_size=8), st.sampled_from(list(Lang)))
def test_lengths_of_lines_add_up_to_the_length_of_the_block(texts: list[str], lang: Lang) -> None:
    """Exactly: no token spans two lines, whatever they say. The budget relies on it."""
    around = render.frame(lang)
    lines = [render.line(text, NOW, now=NOW, zone=UTC) for text in texts]
    parts = [around.header, *lines, around.footer]
    assert count_tokens(render.block(lines, around)) == sum(map(count_tokens, parts))
