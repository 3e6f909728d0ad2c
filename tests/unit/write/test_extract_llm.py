"""The model channel."""

import pytest

from ltm.models import Turn
from ltm.packs import PackSet
from ltm.write.extract_llm import extract_llm
from tests.support.parrot import Parrot
from tests.unit.write.build import NOON

TURNS = [Turn(role="user", text="我在学Go", id="t1", at=NOON)]


def test_candidates_and_cost_are_told(packs: PackSet) -> None:
    """One call a window."""
    model = Parrot('{"candidates": [{"quote": "我在学Go"}]}')
    (answer,) = extract_llm(TURNS, frozenset({"t1"}), packs=packs, model=model, size=8)
    assert [item.quote for item in answer.candidates or ()] == ["我在学Go"]
    assert (answer.tokens, len(model.asked)) == (7, 1)


@pytest.mark.parametrize(("text", "tokens"), [(None, 0), ("", 7), ("I cannot help with that", 7)])
def test_a_failure_is_an_answer_too(text: str | None, tokens: int, packs: PackSet) -> None:
    """Never an exception, never silence."""
    (answer,) = extract_llm(TURNS, frozenset({"t1"}), packs=packs, model=Parrot(text), size=8)
    assert (answer.candidates, answer.tokens, answer.window.read_ids) == (None, tokens, ("t1",))


def test_nothing_to_read_is_no_call(packs: PackSet) -> None:
    """Small talk and replays cost nothing."""
    model = Parrot("{}")
    assert extract_llm(TURNS, frozenset(), packs=packs, model=model, size=8) == []
    assert model.asked == []
