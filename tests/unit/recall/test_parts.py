"""Intents that ask several things."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ltm.models import Recall
from ltm.recall.parts import parts
from tests.unit.recall.fakes import FakeReader, World, head, request


@pytest.mark.parametrize(
    ("intent", "found"),
    [
        ("What is my name, and which team do I follow?", ("What is my name", "which team do I follow")),
        ("Where do I live? Who is my dentist?", ("Where do I live", "Who is my dentist")),
        ("what do I eat and where do I work", ("what do I eat", "where do I work")),
        ("我住在哪？另外我的牙医是谁？", ("我住在哪", "另外我的牙医是谁")),
        ("帮我找个岗位，顺便看看我的薪资要求是多少", ("帮我找个岗位", "顺便看看我的薪资要求是多少")),
        ("Why not? Why not?", ()),
        ("What is my name?", ()),
        ("I moved last week. Where do I live?", ()),
        ("jobs in Berlin and Paris", ()),
        ("bread and butter, and what else", ()),
        ("推荐几个岗位，最好双休", ()),
        ("What did I say? " * 40, ()),
    ],
)
def test_parts_are_questions_of_their_own(intent: str, found: tuple[str, ...]) -> None:
    """What is told beside a question, lists, and pasted texts are no parts; one part is none."""
    assert parts(intent) == found


@given(st.text(alphabet="what is, and? 吗，还有。why\n", max_size=120))
def test_there_are_two_or_three_parts_or_none(intent: str) -> None:
    """Whatever is written."""
    assert len(parts(intent)) in (0, 2, 3)


def _ids(recall: Recall) -> list[str]:
    return [item.memory.memory_id for item in recall.items]


CAT = head("m1", "Her cat is called Mochi")
RENT = head("m2", "The rent is 900 euros")
NOISE = [head(f"n{n}", f"Which team and what score on day {n}, and what is the weather") for n in range(8)]
ASKED = "What is the cat called, and what is the rent?"


def test_each_part_finds_its_own() -> None:
    """Both answers stand before what resembles the whole; one read of the heads is enough for all."""
    world = World().put(CAT, RENT, *NOISE)
    recall = world.recaller().recall(request(ASKED, min_relevance=0))
    assert set(_ids(recall)[:2]) == {"m1", "m2"}
    assert world.index.searches == 3


def test_a_stale_hit_of_a_part_is_dropped() -> None:
    """The heads check holds for what only a part found."""
    world = World().put(CAT, RENT, *NOISE)
    reader: FakeReader = world.reader
    reader.all["m2"] = RENT._replace(last_version=2)
    recall = world.recaller().recall(request(ASKED, min_relevance=0))
    assert "m2" not in _ids(recall)
    assert recall.suppressed.status == 1
