"""The budget holds exactly, whatever is in the pool."""

from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ltm.models import Lang
from ltm.ports import Head
from ltm.recall.columns import CheckedPool
from ltm.recall.profile import DEFAULT
from ltm.recall.question import read_question
from ltm.recall.rank import rank
from ltm.recall.render import block, frame
from ltm.recall.select import Selection, select
from ltm.recall.shift import Geometry
from ltm.recall.tokens import count_tokens
from tests.unit.recall.fakes import NOW, PACKS, TOPICS, head


def _select(heads: list[Head], *, token_budget: int | None, limit: int = 10, intent: str = "意向城市") -> Selection:
    """Select from heads in falling order of relevance."""
    pool = CheckedPool(
        memories=heads,
        dense=np.linspace(0.9, 0.1, len(heads)),
        lexical=np.full(len(heads), np.nan),
        geometry=Geometry(offset=0.0, scale=1.0),
        owned=len(heads),
    )
    question = read_question(intent, words=TOPICS, now=NOW, zone=UTC, min_relevance=0.0)
    ranked = rank(pool, question, DEFAULT, PACKS.half_life_days)
    return select(ranked, question, token_budget=token_budget, limit=limit, overlap=0.9)


def _text(selection: Selection) -> str:
    return block([line.text for line in selection.lines], selection.frame)


@given(
    st.lists(st.text(max_size=80), min_size=1, max_size=12),
    st.integers(min_value=1, max_value=200),
    st.integers(min_value=1, max_value=12),
)
def test_the_block_is_never_longer_than_the_budget(texts: list[str], token_budget: int, limit: int) -> None:
    """Counted on the finished text, header and annotations included; everybody left out is counted once."""
    heads = [head(f"m{at:02d}", text) for at, text in enumerate(texts)]
    selection = _select(heads, token_budget=token_budget, limit=limit)
    assert count_tokens(_text(selection)) <= token_budget
    assert len(selection.lines) <= limit
    assert len(selection.lines) + selection.duplicate + selection.budget + selection.limit == len(heads)


def test_a_line_that_is_too_long_is_passed_over_for_shorter_ones() -> None:
    """Greedy, best first, and what does not fit is counted."""
    selection = _select([head("m1", "很长的一段话" * 100), head("m2", "意向城市：杭州")], token_budget=60)
    assert [line.memory.memory_id for line in selection.lines] == ["m2"]
    assert selection.budget == 1


def test_a_budget_below_the_header_gives_nothing() -> None:
    """No header without a line."""
    selection = _select([head("m1", "意向城市：杭州")], token_budget=10)
    assert (_text(selection), selection.budget) == ("", 1)


def test_without_a_budget_everything_up_to_the_limit_is_taken() -> None:
    """What follows the limit is counted."""
    texts = ["杭州西湖", "上海外滩", "北京故宫", "成都火锅", "广州早茶"]
    selection = _select([head(f"m{at}", text) for at, text in enumerate(texts)], token_budget=None, limit=3)
    assert [line.memory.memory_id for line in selection.lines] == ["m0", "m1", "m2"]
    assert selection.limit == 2


def test_near_duplicates_keep_the_better_one() -> None:
    """The second of two equal texts is left out and counted."""
    selection = _select(
        [head("m1", "喜欢羽毛球"), head("m2", "喜欢羽毛球！"), head("m3", "喜欢游泳")], token_budget=None
    )
    assert [line.memory.memory_id for line in selection.lines] == ["m1", "m3"]
    assert selection.duplicate == 1


@pytest.mark.parametrize(
    ("texts", "intent", "lang"),
    [
        (["likes jazz", "likes tea", "喜欢羽毛球"], "我喜欢什么", "en"),
        (["喜欢羽毛球", "喜欢游泳", "likes tea"], "what do I like", "zh"),
        (["喜欢羽毛球", "likes tea"], "what do I like", "en"),
        (["喜欢羽毛球", "likes tea"], "我喜欢什么", "zh"),
    ],
)
def test_the_header_speaks_the_language_of_most_memories(texts: list[str], intent: str, lang: str) -> None:
    """The intent's language decides a draw."""
    heads = [head(f"m{at}", text) for at, text in enumerate(texts)]
    selection = _select(heads, token_budget=None, intent=intent)
    assert selection.frame == frame(Lang(lang))


def test_future_memories_are_no_trouble() -> None:
    """A clock that ran ahead when it was written does not break recency."""
    ahead = head("m1", "意向城市：杭州", valid_from=datetime(2030, 1, 1, tzinfo=UTC))
    assert "2030年1月" in _text(_select([ahead], token_budget=None))
