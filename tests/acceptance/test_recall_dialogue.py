"""Turns of a dialogue that were remembered with the turn before them help each other to be found."""

import pytest

from ltm import Memory, MemoryInput
from ltm.recall import DEFAULT
from tests.acceptance.told import day

ASKED = "Ann: Any plans for the holidays?"
ANSWERED = "Ben: Mostly Lisbon, then a week in Porto."
OTHERS = (
    "Ann: My sister bought a cello.",
    "Ben: The dishwasher is broken again.",
    "Ann: Nobody watered these tomatoes.",
    "Ben: Our team lost in overtime.",
    "Ann: They closed the library early.",
    "Ben: I finally finished that novel.",
)


def _mixed(dense_z: float, lexical_z: float) -> float:
    return DEFAULT.dense_weight * dense_z + (1.0 - DEFAULT.dense_weight) * lexical_z


@pytest.mark.parametrize(
    ("intent", "found", "beside", "share"),
    [
        ("holidays, plans", ASKED, ANSWERED, DEFAULT.turn_before_weight),
        ("Lisbon, Porto", ANSWERED, ASKED, DEFAULT.turn_after_weight),
    ],
)
def test_the_turn_beside_the_one_that_matches_is_lifted(
    memory: Memory, intent: str, found: str, beside: str, share: float
) -> None:
    """Question and answer share no word: who finds the one has the other next, and `explain` tells by how much."""
    said = [MemoryInput(text=ASKED, at=day(1)), MemoryInput(text=ANSWERED, at=day(1), context=ASKED)]
    memory.remember_many("u1", [*said, *(MemoryInput(text=text, at=day(1)) for text in OTHERS)])
    items = memory.recall("u1", intent, min_relevance=0, explain=True, now=day(2)).items
    assert [item.memory.text for item in items[:2]] == [found, beside]
    terms = {item.memory.text: item.terms for item in items}
    of_found, of_beside = terms[found], terms[beside]
    assert of_found is not None
    assert of_beside is not None
    lift = _mixed(of_found.dense_z, of_found.lexical_z)
    own = _mixed(of_beside.dense_z, of_beside.lexical_z)
    assert lift > 0.0
    assert of_beside.neighbour_boost == pytest.approx(share * lift)
    assert of_beside.mixed == pytest.approx(own + of_beside.neighbour_boost)
