"""What a speaker takes back in the turn in which they said it, or at the beginning of the next one."""

import pytest

from ltm.models import Json, Turn
from ltm.packs import PackSet
from ltm.write.hearing import hear
from ltm.write.policy import Policy
from ltm.write.proposing import propose
from ltm.write.stages import Scene
from ltm.write.word_index import WordIndex
from tests.unit.write.build import NOON


def read(packs: PackSet, words: WordIndex, *texts: str) -> list[tuple[str | None, Json]]:
    """Return what is proposed, and not refused or held, from turns of the user."""
    turns = [Turn(role="user", text=text, id=f"t{place}", at=NOON) for place, text in enumerate(texts)]
    heard = hear(turns, [str(turn.id) for turn in turns], "s1", words)
    scene = Scene(packs=packs, words=words, policy=Policy(), heard=heard, others=())
    return [(item.candidate.key, item.candidate.value) for item in propose(scene, ()) if item.is_open]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("base杭州……算了还是上海吧", [["上海"]]),
        ("只考虑杭州，不对，是苏州", [["苏州"]]),
        ("Looking in Berlin. Actually no, make that Hamburg.", [["Hamburg"]]),
        ("我3年经验，哦不，4年了已经", []),
        ("我3年经验，说错了，应该是4年", [4]),
        ("不去北京，说错了，是不去上海", [["上海"]]),
        ("只考虑杭州。不对啊，薪资怎么没变", []),
        ("只考虑杭州，专业不对口的也行", [["杭州"]]),
        ("期望年薪30-40万，不对，35-45", []),
    ],
)
def test_only_the_correction_counts(text: str, values: list[Json], packs: PackSet, words: WordIndex) -> None:
    """Where it cannot be read, nothing is left: what was said before it is known to be wrong."""
    assert [value for _, value in read(packs, words, text)] == values


def test_a_correction_of_something_else_takes_nothing_back(packs: PackSet, words: WordIndex) -> None:
    """The salary stands, the years are new."""
    read_values = dict(read(packs, words, "我3年经验，期望15k，不对，4年"))
    assert read_values["job.years_of_experience"] == 4
    assert "job.expected_salary" in read_values


def test_a_turn_may_begin_with_a_correction_of_the_turn_before(packs: PackSet, words: WordIndex) -> None:
    """It is about what was stated last."""
    assert read(packs, words, "base杭州", "说错了，苏州")[-1] == ("job.target_cities", ["苏州"])
    assert read(packs, words, "你好", "说错了，苏州") == []
