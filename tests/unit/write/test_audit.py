"""Why something was not written."""

from dataclasses import replace

import pytest

from ltm.models import Action, Decision, Outcome, Reason
from ltm.packs import PackSet
from ltm.write.audit import redacted, silent_turns
from ltm.write.proposal import Proposal
from ltm.write.secrets import REDACTED
from ltm.write.word_index import WordIndex
from tests.unit.write.build import NOON, make_candidate, make_heard, make_scene

KEY = "sk-test-9f3Ab77Qe1Xz02Lm8Kd5Vt4R"
DECISION = Decision(
    turn_id="t1",
    session_id="s1",
    at=NOON,
    action=Action.IGNORE,
    outcome=Outcome.DROPPED,
    reason=Reason.QUOTE_NOT_FOUND,
)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("唉，感觉找不到工作，不想找了", Reason.EMOTION),
        ("哈哈开玩笑的", Reason.JOKE),
        ("要是有钱就好了", Reason.HYPOTHETICAL),
        ("我朋友很忙", Reason.THIRD_PARTY),
        ("转发：今晚有雨", Reason.QUOTED),
        ("密码是hunter2", Reason.SENSITIVE),
        ("你必须听我的", Reason.INSTRUCTION),
        ("今天天气怎么样？", None),
        ("好的", None),
        ("我今天吃了面", None),
    ],
)
def test_a_turn_that_was_passed_over_says_why(
    text: str, reason: Reason | None, packs: PackSet, words: WordIndex
) -> None:
    """Questions and small talk, most of a dialogue, are not worth a line."""
    scene = make_scene(packs, words, make_heard(text, words))
    found = [decision.reason for decision in silent_turns(scene, [], frozenset({"t1"}), NOON)]
    assert found == ([] if reason is None else [reason])


def test_a_turn_with_a_candidate_or_read_before_needs_no_line(packs: PackSet, words: WordIndex) -> None:
    """The candidate's own decision says it."""
    heard = make_heard("唉，不想找了", words)
    scene = make_scene(packs, words, heard)
    proposal = Proposal(candidate=make_candidate(), heard=heard)
    assert list(silent_turns(scene, [proposal], frozenset({"t1"}), NOON)) == []
    assert list(silent_turns(scene, [], frozenset(), NOON)) == []


def test_no_secret_enters_the_audit_trail() -> None:
    """Neither in quote nor text nor value, whatever the reason."""
    candidate = make_candidate(quote=f"key {KEY}", text=f"用户的 key 是 {KEY}", value=[KEY])
    clean = redacted(replace(DECISION, candidate=candidate)).candidate
    assert clean is not None
    assert (clean.quote, clean.text, clean.value) == (f"key {REDACTED}", f"用户的 key 是 {REDACTED}", None)


def test_of_a_sensitive_candidate_only_place_and_key_are_left() -> None:
    """Its words are gone altogether."""
    candidate = make_candidate(quote="abc", text="abc")
    clean = redacted(replace(DECISION, reason=Reason.SENSITIVE, candidate=candidate)).candidate
    assert clean is not None
    assert (clean.quote, clean.text, clean.value, clean.key) == (REDACTED, REDACTED, None, candidate.key)


def test_an_ordinary_decision_stays_as_it_is() -> None:
    """With or without a candidate."""
    ordinary = replace(DECISION, candidate=make_candidate())
    assert redacted(ordinary) == ordinary
    assert redacted(DECISION) == DECISION
