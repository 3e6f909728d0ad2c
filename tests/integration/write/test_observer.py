"""From turns to versions, decisions and held candidates, on a real store."""

from datetime import timedelta

import pytest

from ltm.errors import InvalidRequestError, MemoryNotFoundError
from ltm.models import Action, Decision, Outcome, Reason, Status
from tests.integration.write.conftest import Desk, reply

CITY = "job.target_cities"
SALARY = "job.expected_salary"


def reasons(decisions: tuple[Decision, ...]) -> list[str]:
    """Return the reasons in order."""
    return [str(decision.reason) for decision in decisions]


def test_what_is_said_outright_is_stored_with_its_evidence(desk: Desk) -> None:
    """Value, sentence, place of the quote, and the turn before as context."""
    desk.say(("assistant", "意向城市呢？"), "3年工作经验，base只考虑杭州哈", ids=["t1", "t2"])
    record = next(item for item in desk.records() if item.key == CITY)
    (evidence,) = record.evidence
    assert (record.value, record.text, record.context) == (["杭州"], "意向城市：杭州", "意向城市呢？")
    assert "3年工作经验，base只考虑杭州哈"[evidence.start : evidence.end] == evidence.quote
    assert (evidence.turn_id, evidence.session_id, record.actor) == ("t2", "s1", "user")
    assert (record.pack or "").startswith("job_search@")


def test_a_replay_teaches_nothing_and_asks_nobody(desk: Desk) -> None:
    """Turns are observed exactly once, also those that taught nothing."""
    desk = desk.with_model
    desk.say("只考虑杭州", "我最近很忙", ids=["t1", "t2"])
    assert desk.say("只考虑杭州", "我最近很忙", ids=["t1", "t2"]) == ()
    assert len(desk.parrot.asked) == 1
    assert len(desk.history(CITY)) == 1


def test_a_growing_window_is_read_where_it_is_new(desk: Desk) -> None:
    """Earlier turns are context for the model, and no news."""
    desk = desk.with_model
    desk.say("只考虑杭州", ids=["t1"])
    desk.parrot.teach([reply({"turn_id": "t1", "quote": "只考虑杭州", "text": "用户只考虑杭州", "confidence": 0.9})])
    assert reasons(desk.say("只考虑杭州", "我在学Go", ids=["t1", "t2"])) == ["duplicate"]
    assert '"read": false' in desk.parrot.asked[1].splitlines()[0]


def test_one_id_with_other_words_later_is_a_conflict(desk: Desk) -> None:
    """Nobody knows which of the two was said."""
    desk.say("只考虑杭州", ids=["t1"])
    assert reasons(desk.say("只考虑上海", ids=["t1"])) == ["turn_conflict"]
    assert desk.active() == {CITY: ["杭州"]}


def test_erased_turns_stay_erased(desk: Desk) -> None:
    """New ones are welcome."""
    desk.say("只考虑杭州", ids=["t1"])
    desk.store.erasure.erase_user(desk.owner)
    assert reasons(desk.say("只考虑杭州", "我是本科", ids=["t1", "t2"])) == ["erased", "new"]
    assert desk.active() == {"job.education": "bachelor"}


def test_reverted_turns_stay_reverted(desk: Desk) -> None:
    """What a polluted session said is not learnt again."""
    desk.say("只考虑杭州", ids=["t1"])
    desk.revert("s1")
    assert reasons(desk.say("只考虑杭州", ids=["t1"])) == ["reverted_turn"]
    assert desk.active() == {}


def test_what_was_promoted_waits_again_without_one_of_its_sessions(desk: Desk) -> None:
    """Two sessions are not enough; a third one is again."""
    for session in ("a", "b", "c"):
        desk.say("也许可以考虑苏州", session=session)
    assert desk.active() == {CITY: ["苏州"]}
    desk.revert("b")
    assert (desk.active(), desk.held()[0].sessions_seen) == ({}, 2)
    desk.say("苏州可能也行", session="d", days=0.01)
    assert (desk.active(), desk.held()) == ({CITY: ["苏州"]}, [])


def test_nothing_is_written_when_a_turn_is_not_acceptable(desk: Desk) -> None:
    """All or nothing."""
    with pytest.raises(InvalidRequestError):
        desk.say("只考虑杭州", "我是本科", ids=["t1", "t1"])
    assert desk.store.read.list_decisions(desk.owner) == []


def test_the_order_of_time_counts_not_that_of_the_call(desk: Desk) -> None:
    """An imported log may come in any order."""
    at = desk.clock.now()
    desk.say("期望薪资改成 22-25k", days=-1, session="b")
    decisions = desk.say("期望薪资15-18k", days=-9, session="a")
    assert reasons(decisions) == ["stale_statement"]
    assert desk.active()[SALARY] == {"min": 22000, "max": 25000, "currency": "CNY", "period": "month"}
    was = desk.as_of(at - timedelta(days=5))[SALARY]
    assert was == {"min": 15000, "max": 18000, "currency": "CNY", "period": "month"}


def test_an_old_wish_does_not_undo_a_later_refusal(desk: Desk) -> None:
    """Beijing was fine once; it is not now."""
    desk.say("不去北京", days=-1, session="b")
    assert reasons(desk.say("北京也可以", days=-9, session="a")) == ["stale_statement"]
    assert desk.active() == {"job.excluded": ["北京"]}


def test_what_is_wanted_is_not_excluded_any_more(desk: Desk) -> None:
    """And what is refused is no target: each with a decision of its own."""
    desk.say("上海和北京都可以")
    decisions = desk.say("不用考虑上海了", session="s2", days=0.1)
    assert [(item.action, item.outcome) for item in decisions] == [
        (Action.CREATE, Outcome.STORED),
        (Action.DELETE, Outcome.STORED),
    ]
    assert desk.active() == {CITY: ["北京"], "job.excluded": ["上海"]}


def test_a_maybe_waits_for_three_sessions(desk: Desk) -> None:
    """Three times in one session is once."""
    for session in ("a", "a", "a", "b"):
        decisions = desk.say("也许可以考虑苏州", session=session, ids=[f"t{desk.clock.monotonic()}"])
        desk.clock.advance(60)
        assert [item.outcome for item in decisions] == [Outcome.PENDING]
    assert (desk.active(), desk.held()[0].sessions_seen) == ({}, 2)
    (promoted,) = desk.say("苏州可能也行", session="c")
    assert (promoted.outcome, promoted.reason) == (Outcome.PROMOTED, Reason.NEW)
    assert (desk.active(), desk.held()) == ({CITY: ["苏州"]}, [])
    assert len(desk.records()[0].evidence) == 5


def test_turns_without_a_session_count_one_by_one(desk: Desk) -> None:
    """Three calls without a session are three sessions, even with the same words."""
    for _ in range(3):
        desk.say("也许可以考虑苏州", session=None)
    assert desk.active() == {CITY: ["苏州"]}


def test_said_outright_what_waited_waits_no_more(desk: Desk) -> None:
    """The held candidate is gone."""
    desk.say("也许可以考虑苏州")
    desk.say("苏州也可以", session="s2")
    assert (desk.active(), desk.held()) == ({CITY: ["苏州"]}, [])


def test_what_waited_too_long_begins_anew(desk: Desk) -> None:
    """Ninety days later nobody remembers the first time."""
    desk.say("也许可以考虑苏州", session="a")
    desk.say("也许可以考虑苏州", session="b")
    desk.clock.advance(91 * 86400)
    desk.say("也许可以考虑苏州", session="c")
    assert (desk.active(), desk.held()[0].sessions_seen) == ({}, 1)


def test_members_of_a_set_wait_one_by_one(desk: Desk) -> None:
    """Each is promoted for itself."""
    desk.say("也许苏州和南京都可以", session="a")
    desk.say("可能苏州也可以吧", session="b")
    desk.say("苏州可能也行", session="c")
    assert desk.active() == {CITY: ["苏州"]}
    assert [item.value for item in desk.held()] == [["南京"]]


def test_what_waits_can_be_confirmed_or_rejected(desk: Desk) -> None:
    """By whoever knows better; both leave a decision."""
    desk.say("也许苏州和南京都可以")
    by_city = {str(item.value): item.pending_id for item in desk.held()}
    memory_id = desk.store.transact(desk.owner, lambda unit: desk.observer.confirm(unit, by_city["['苏州']"]))
    desk.store.transact(desk.owner, lambda unit: desk.observer.reject(unit, by_city["['南京']"]))
    (record,) = desk.records()
    assert (record.memory_id, record.value, record.confidence) == (memory_id, ["苏州"], 1.0)
    assert desk.held() == []
    last = desk.store.read.list_decisions(desk.owner)[-2:]
    assert [item.outcome for item in last] == [Outcome.PROMOTED, Outcome.DROPPED]
    with pytest.raises(MemoryNotFoundError):
        desk.store.transact(desk.owner, lambda unit: desk.observer.confirm(unit, "unknown"))


def test_a_statement_drives_the_state_machine(desk: Desk) -> None:
    """Who was hired is no longer looking; what was said in the same breath ends too."""
    desk.say("期望薪资15-20k，只考虑杭州")
    desk.say("我是本科，我已经入职了，期望薪资20k", session="s2", days=0.5)
    assert desk.active() == {"job.education": "bachelor", "job.current_status": "hired"}
    assert desk.history(SALARY)[-1].status is Status.EXPIRED


def test_a_mood_drives_nothing(desk: Desk) -> None:
    """The first accident."""
    desk = desk.with_model
    desk.say("期望薪资11-14k")
    said = "唉，感觉找不到工作，不想找了"
    desk.parrot.teach(
        [reply({"turn_id": "t9", "quote": "不想找了", "key": "job.current_status", "value": "paused", "confidence": 1})]
    )
    assert reasons(desk.say(said, session="s2", ids=["t9"])) == ["emotion"]
    assert list(desk.active()) == [SALARY]


def test_the_same_free_text_is_one_memory_and_an_episode_never(desk: Desk) -> None:
    """Said again it is reinforced; asked again it is another event."""
    desk = desk.with_model
    for session in ("a", "b"):
        desk.parrot.teach([reply({"quote": "看重团队氛围", "text": "用户看重团队氛围", "confidence": 0.9})])
        desk.say("比较看重团队氛围", "凌晨能不能订场？", session=session)
    assert sorted(map(str, desk.active()[None])) == [  # type: ignore[call-overload]
        "用户看重团队氛围",
        "用户询问：凌晨能不能订场",
        "用户询问：凌晨能不能订场",
    ]


def test_a_failing_model_is_told_for_each_turn_and_hinders_nothing(desk: Desk) -> None:
    """The rules go on."""
    desk = desk.with_model
    desk.parrot.teach([None])
    decisions = desk.say("只考虑杭州", "好的", "我在学Go", ids=["t1", "t2", "t3"])
    assert [(item.turn_id, item.reason) for item in decisions] == [
        ("t1", Reason.NEW),
        ("t1", Reason.LLM_FAILED),
        ("t3", Reason.LLM_FAILED),
    ]


def test_no_secret_is_sent_stored_or_told(desk: Desk) -> None:
    """Not as memory, not as context, not in the audit trail."""
    desk = desk.with_model
    key = "sk-test-9f3Ab77Qe1Xz02Lm8Kd5Vt4R"
    desk.parrot.teach([reply({"turn_id": "t1", "quote": f"my key is {key}", "text": f"key {key}", "confidence": 1})])
    decisions = desk.say(f"my key is {key}", "I have 3 years of experience", ids=["t1", "t2"])
    assert reasons(decisions) == ["sensitive", "new"]
    assert key not in repr(decisions)
    assert key not in repr(desk.parrot.asked)
    assert key not in repr(desk.records())


def test_what_a_later_question_says_does_not_hide_what_was_stated(desk: Desk) -> None:
    """Of two amounts the last one counts, unless it is only a wish."""
    desk.say("期望薪资15-20k，要是能有25k就好了")
    assert desk.active()[SALARY] == {"min": 15000, "max": 20000, "currency": "CNY", "period": "month"}


def test_a_thousand_turns_are_one_transaction(desk: Desk) -> None:
    """Each is decided in its place."""
    revision = desk.store.read.snapshot(desk.owner).revision
    desk.say(*(f"期望薪资{10 + number % 20}k" for number in range(1000)))
    assert desk.store.read.snapshot(desk.owner).revision == revision + 1
    assert len(desk.history(SALARY)) == 1000
