"""What is refused whatever it says, and how sure the rest is."""

import pytest

from ltm.models import Candidate, Channel, Kind, Reason, SpeechAct
from ltm.write.places import Mood, Place
from ltm.write.policy import Policy, find_refusal, weigh
from ltm.write.spans import Span
from ltm.write.word_index import WordIndex
from tests.unit.write.build import make_candidate, make_heard

POLICY = Policy()


def make_place(
    *acts: SpeechAct,
    mood: Mood = Mood.CALM,
    is_hedged: bool = False,
    is_instruction: bool = False,
    is_sensitive: bool = False,
) -> Place:
    """Return a place where these things hold."""
    return Place(
        acts=frozenset(acts),
        mood=mood,
        is_hedged=is_hedged,
        is_instruction=is_instruction,
        is_sensitive=is_sensitive,
        span=Span(0, 2),
    )


FACT = make_candidate()
DENIAL = make_candidate(is_denial=True)
STATE = make_candidate(kind=Kind.STATE)
SOFT = make_candidate(channel=Channel.LLM)
EVENT = make_candidate(key=None, kind=Kind.EPISODE, speech_act=SpeechAct.QUESTION)


@pytest.mark.parametrize(
    ("candidate", "place", "reason"),
    [
        (FACT, make_place(), None),
        (FACT, make_place(is_sensitive=True, is_instruction=True), Reason.SENSITIVE),
        (FACT, make_place(SpeechAct.JOKE, is_instruction=True), Reason.INSTRUCTION),
        (FACT, make_place(SpeechAct.QUESTION, SpeechAct.QUOTED), Reason.QUOTED),
        (FACT, make_place(SpeechAct.HYPOTHETICAL, SpeechAct.JOKE), Reason.JOKE),
        (FACT, make_place(SpeechAct.THIRD_PARTY, SpeechAct.HYPOTHETICAL), Reason.HYPOTHETICAL),
        (FACT, make_place(SpeechAct.EMOTION, mood=Mood.OUTBURST), Reason.EMOTION),
        (FACT, make_place(mood=Mood.SENTENCE), None),
        (DENIAL, make_place(mood=Mood.SENTENCE), Reason.EMOTION),
        (DENIAL, make_place(mood=Mood.COLOURED), None),
        (SOFT, make_place(mood=Mood.SENTENCE), Reason.EMOTION),
        (STATE, make_place(mood=Mood.COLOURED), None),
        (STATE, make_place(mood=Mood.SENTENCE), Reason.EMOTION),
        (make_candidate(kind=Kind.STATE, channel=Channel.LLM), make_place(mood=Mood.COLOURED), Reason.EMOTION),
        (make_candidate(speech_act=SpeechAct.EMOTION), make_place(), Reason.EMOTION),
        (EVENT, make_place(SpeechAct.QUESTION, SpeechAct.THIRD_PARTY), None),
        (EVENT, make_place(SpeechAct.QUESTION, SpeechAct.JOKE), Reason.JOKE),
    ],
)
def test_a_refusal_gives_the_gravest_reason(
    candidate: Candidate, place: Place, reason: Reason | None, words: WordIndex
) -> None:
    """Secrets before orders before speech acts before moods."""
    assert find_refusal(candidate, place, make_heard("杭州", words)) is reason


def test_small_talk_teaches_nothing(words: WordIndex) -> None:
    """Whatever somebody reads in it."""
    assert find_refusal(SOFT, make_place(), make_heard("好的", words)) is Reason.MARGINAL_TURN


@pytest.mark.parametrize("channel", [Channel.RULES, Channel.LLM])
def test_what_is_hedged_stays_below_the_threshold(channel: Channel, words: WordIndex) -> None:
    """However sure the channel is."""
    sure = make_candidate(confidence=1.0, channel=channel)
    assert weigh(sure, make_place(is_hedged=True), make_heard("杭州", words), POLICY) < POLICY.threshold


@pytest.mark.parametrize(
    ("mood", "rules", "model"),
    [
        (Mood.CALM, True, True),
        (Mood.LAUGHING, True, True),
        (Mood.NEIGHBOUR, True, True),
        (Mood.COLOURED, True, False),
        (Mood.SENTENCE, False, False),
        (Mood.OUTBURST, False, False),
    ],
)
def test_hard_facts_survive_a_sigh_and_soft_ones_do_not(mood: Mood, rules: bool, model: bool, words: WordIndex) -> None:
    """The darker the place, the less is believed."""
    heard = make_heard("杭州", words)
    place = make_place(mood=mood)
    assert (weigh(make_candidate(confidence=0.85), place, heard, POLICY) >= POLICY.threshold) is rules
    soft = make_candidate(confidence=0.9, channel=Channel.LLM)
    assert (weigh(soft, place, heard, POLICY) >= POLICY.threshold) is model


def test_a_neighbouring_outburst_down_weights(words: WordIndex) -> None:
    """A soft fact of middling confidence is held beside one."""
    soft = make_candidate(confidence=0.7, channel=Channel.LLM)
    calm = weigh(soft, make_place(), make_heard("杭州", words), POLICY)
    beside = weigh(soft, make_place(), make_heard("杭州", words, is_beside_outburst=True), POLICY)
    assert beside < POLICY.threshold <= calm
