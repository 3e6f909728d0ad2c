"""A second look at the first of a ranking."""

import logging
from dataclasses import replace

import pytest

from ltm.models import Recall
from ltm.recall.profile import DEFAULT
from tests.unit.recall.fakes import FakeReranker, World, head, request

HEADS = [
    head("m1", "意向城市：杭州"),
    head("m2", "意向城市以前是上海", context="那换个城市呢，离家再近一点的那种"),
    head("m3", "意向城市定下来之前先看看杭州的房价再说"),
]
ASKED = request("我的意向城市是哪个", min_relevance=0)


def _ids(recall: Recall) -> list[str]:
    return [item.memory.memory_id for item in recall.items]


def test_the_model_orders_the_first_and_leaves_the_rest_behind_them() -> None:
    """A context is read before its text; beyond the depth nothing is read and nothing moves; figures stay."""
    plain = World().put(*HEADS).recaller().recall(ASKED)
    reranker = FakeReranker()
    whole = World(reranker=reranker).put(*HEADS).recaller().recall(ASKED)
    assert _ids(whole) == ["m2", "m3", "m1"]
    assert sorted(whole.items, key=lambda item: -item.score) == list(plain.items)
    assert f"{HEADS[1].context}\n{HEADS[1].text}" in reranker.read[0]

    shallow = World(reranker=reranker, profile=replace(DEFAULT, rerank_depth=2)).put(*HEADS).recaller().recall(ASKED)
    assert len(reranker.read[1]) == 2
    assert _ids(shallow)[2] == _ids(plain)[2]


def test_a_reranker_that_does_not_answer_changes_nothing(caplog: pytest.LogCaptureFixture) -> None:
    """Nothing is flagged as degraded, for nothing is missing; the log says it, without a user's words."""
    plain = World().put(*HEADS).recaller().recall(ASKED)
    with caplog.at_level(logging.WARNING):
        recall = World(reranker=FakeReranker(is_down=True)).put(*HEADS).recaller().recall(ASKED)
    assert recall == plain
    assert recall.degraded == ()
    assert "reranker" in caplog.text
    assert "城市" not in caplog.text


def test_it_is_not_asked_about_nothing() -> None:
    """One candidate has no order, and below the floor there is none."""
    reranker = FakeReranker()
    World(reranker=reranker).put(HEADS[0]).recaller().recall(ASKED)
    World(reranker=reranker).put(*HEADS).recaller().recall(request("法国的首都是哪里"))
    assert reranker.read == []
