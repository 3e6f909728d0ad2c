"""Turns of the speaker whom a request names."""

import pytest

from ltm.recall.speaker import names_speaker, speaker_boost
from tests.unit.recall.fakes import head

TURNS = [
    head("m1", "Caroline: I painted a lake"),
    head("m2", "Mel: Caroline, that is great"),
    head("m3", "小林：我画了一个湖"),
    head("m4", "Painted a lake, Mel said: lovely"),
    head("m5", "Caroline: and a house"),
    head("m6", "Mel: and a tree"),
    head("m7", "小林：还有一棵树"),
    head("m8", "Target city: Hangzhou"),
]


@pytest.mark.parametrize(
    ("intent", "lifted"),
    [
        ("What did Caroline paint?", ["m1", "m5"]),
        ("what does MEL think", ["m2", "m6"]),
        ("小林画了什么", ["m3", "m7"]),
        ("What did Mel say to Caroline?", []),
        ("Did somebody tell a melodrama?", []),
        ("What was painted?", []),
        ("What is my target city?", []),
    ],
)
def test_only_one_named_speaker_counts(intent: str, lifted: list[str]) -> None:
    """Whole names count, in any case; where nobody or several are named, nobody is lifted, and a label is nobody."""
    boosts = speaker_boost(TURNS, intent, 1.0)
    assert [turn.memory_id for turn, boost in zip(TURNS, boosts, strict=True) if boost == 1.0] == lifted


def test_the_boost_can_be_off() -> None:
    """A weight of 0 looks at nothing."""
    assert not speaker_boost(TURNS, "Caroline", 0.0).any()


@pytest.mark.parametrize(
    ("intent", "named"),
    [("When did Mel say so to Caroline?", True), ("小林哪一年毕业的", True), ("When did Marx die?", False)],
)
def test_a_request_that_names_speakers_is_about_them(intent: str, named: bool) -> None:
    """However many it names."""
    assert names_speaker(TURNS, intent) is named
