"""A user who asks for what was said in a conversation, not on a day."""

from datetime import UTC, datetime

import pytest

from ltm import Memory, Turn
from ltm.models import Kind, Recall
from tests.acceptance.told import SALARY, salary

TOLD = [
    (datetime(2026, 3, 2, 9, 0, tzinfo=UTC), "今天聊到运动，我在学游泳 I take up swimming as a sport"),
    (datetime(2026, 3, 2, 9, 40, tzinfo=UTC), "我的猫叫年糕 My cat is called Mochi"),
    (datetime(2026, 3, 2, 15, 0, tzinfo=UTC), "今天聊到运动，我在学网球 I take up tennis as a sport"),
    (datetime(2026, 3, 9, 20, 0, tzinfo=UTC), "今天聊到运动，我在学攀岩 I take up climbing as a sport"),
]
DURING = datetime(2026, 3, 9, 20, 30, tzinfo=UTC)
LATER = datetime(2026, 4, 1, tzinfo=UTC)


@pytest.fixture
def told(memory: Memory) -> Memory:
    """Return a memory of three conversations, two of them on one day."""
    for at, text in TOLD:
        memory.remember("ann", text, kind=Kind.EPISODE, at=at)
    return memory


def _said(recall: Recall) -> list[str]:
    return [item.memory.text for item in recall.items]


@pytest.mark.parametrize(
    ("intent", "now", "at"),
    [
        ("In the first session, what sport did I take up?", LATER, 0),
        ("What sport did I take up in session number 2?", LATER, 2),
        ("Which sport did I take up in our third conversation?", LATER, 3),
        ("Which sport did I say last time we talked?", LATER, 3),
        ("Which sport did I say last time we talked?", DURING, 2),
        ("第一次聊天的时候我说在学什么运动", LATER, 0),
        ("第二次对话里我说在学什么运动", LATER, 2),
        ("上次聊天我说在学什么运动", LATER, 3),
        ("上次聊天我说在学什么运动", DURING, 2),
    ],
)
def test_what_was_said_in_a_conversation_comes_first(told: Memory, intent: str, now: datetime, at: int) -> None:
    """Of statements alike the one of the named conversation; what still goes on is not the last time."""
    assert _said(told.recall("ann", intent, now=now, explain=True))[0] == TOLD[at][1]


@pytest.mark.parametrize("intent", ["What did I tell you in our first chat?", "我们第一次聊天的时候我说了什么"])
def test_a_conversation_alone_is_enough(told: Memory, intent: str) -> None:
    """With no word of what was said: something passes the floor, and all of that conversation comes before the rest."""
    first = {TOLD[0][1], TOLD[1][1]}
    assert _said(told.recall("ann", intent, now=LATER))[0] in first
    assert set(_said(told.recall("ann", intent, now=LATER, min_relevance=0))[:2]) == first


@pytest.mark.parametrize("intent", ["Which sport did I take up in session 30?", "第三十次聊天我说在学什么运动"])
def test_a_conversation_that_was_not_lifts_nothing(told: Memory, intent: str) -> None:
    """The rest of the intent is answered as ever."""
    recall = told.recall("ann", intent, now=LATER, explain=True)
    assert len(_said(recall)) >= 3
    assert {item.terms.day_boost for item in recall.items if item.terms} == {0.0}


def test_a_conversation_counts_though_what_it_taught_was_replaced(memory: Memory) -> None:
    """A salary that is another one by now was told in the first conversation all the same."""
    for month, low in ((1, 15), (2, 20)):
        memory.remember(
            "ann", f"期望薪资：{low}k/月", key=SALARY, value=salary(low, None), at=datetime(2026, month, 1, tzinfo=UTC)
        )
    recall = memory.recall("ann", "第二次聊天我说的期望薪资", now=LATER, explain=True)
    assert [item.terms.day_boost for item in recall.items if item.terms] == [4.0]
    then = datetime(2026, 1, 2, tzinfo=UTC)
    recall = memory.recall("ann", "第一次聊天我说的期望薪资", now=LATER, as_of=then, explain=True)
    assert [item.terms.day_boost for item in recall.items if item.terms] == [4.0]


def test_sessions_of_the_application_are_not_asked(memory: Memory) -> None:
    """What was observed without any session id has its conversations too."""
    for at, text in ((9, "我在杭州工作"), (15, "我喜欢打羽毛球")):
        memory.observe("ann", [Turn(role="user", text=text, at=datetime(2026, 3, 2, at, tzinfo=UTC))])
    recall = memory.recall("ann", "第二次聊天我说了什么", now=LATER)
    assert "羽毛球" in _said(recall)[0]
