"""A polluted session is undone as if it had never been, and what others said stays."""

import pytest

from ltm import Memory
from ltm.models import RevertReport, Status
from tests.acceptance.told import CITIES, SALARY, STATUS, active, day, reasons, salary, say, shown

Before = dict[str, object]


def _everything(memory: Memory, user: str = "u1") -> Before:
    """Return all that can be seen of a user."""
    heads = memory.list(user, status=None)
    return {
        "chains": [memory.history(user, memory_id=head.memory_id) for head in heads],
        "pending": list(memory.pending(user)),
        "state": memory.state(user, "job_search"),
        "decisions": list(memory.decisions(user)),
        "recall": memory.recall(user, "找工作 城市 薪资", min_relevance=0, now=day(30)),
    }


def _revert(memory: Memory, session: str) -> RevertReport:
    """Revert a session, having seen that the preview says the same and changes nothing."""
    before = _everything(memory)
    preview = memory.revert("u1", session_id=session, dry_run=True)
    assert _everything(memory) == before
    report = memory.revert("u1", session_id=session, reason="polluted")
    assert (preview.dry_run, report.dry_run) == (True, False)
    assert (preview.changes, preview.pending_dropped, preview.pending_again, preview.turns) == (
        report.changes,
        report.pending_dropped,
        report.pending_again,
        report.turns,
    )
    return report


def test_what_a_session_created_is_gone(memory: Memory) -> None:
    """It is `reverted`, no recall shows it, and the same turns teach nothing when they come again."""
    say(memory, "u1", "期望薪资 15-20k，base 只考虑杭州", on=1, session="bad")
    report = _revert(memory, "bad")
    assert {change.key for change in report.changes} == {SALARY, CITIES}
    assert {change.status_after for change in report.changes} == {Status.REVERTED}
    assert report.turns == 1
    assert memory.list("u1") == []
    assert memory.recall("u1", "找工作", min_relevance=0, now=day(30)).items == ()
    assert memory.as_of("u1", day(2)) == []
    assert reasons(say(memory, "u1", "期望薪资 15-20k，base 只考虑杭州", on=1, session="bad")) == ["reverted_turn"]
    assert memory.list("u1") == []
    assert reasons(say(memory, "u1", "期望薪资 15-20k", on=9)) == ["new"]
    assert [item.version for item in memory.history("u1", key=SALARY)] == [1, 2, 3]


def test_what_a_session_changed_is_as_before(memory: Memory) -> None:
    """The old value holds again from the time of the bad one, with its own evidence; the chain has no hole."""
    say(memory, "u1", "期望薪资 15-20k", on=1)
    say(memory, "u1", "期望薪资改成 99k 以上", on=5, session="bad")
    (change,) = _revert(memory, "bad").changes
    assert (change.key, change.versions, change.value_before, change.value_after) == (
        SALARY,
        (2,),
        salary(99000, None),
        salary(15000, 20000),
    )
    first, bad, now = memory.history("u1", key=SALARY)
    assert (first.valid_to, bad.valid_to, now.valid_from, now.valid_to) == (day(5), day(5), day(5), None)
    assert (now.reason, now.value, now.evidence) == ("polluted", first.value, first.evidence)
    assert shown(memory.as_of("u1", day(6))) == [(first.value, "active")]
    assert shown(memory.as_of("u1", day(6), known_at=bad.recorded_at)) == [(bad.value, "active")]


def test_what_others_added_to_the_same_set_stays(memory: Memory) -> None:
    """Before it and behind it; reverting them one by one leaves what is left."""
    for at, (session, city) in enumerate((("a", "杭州"), ("b", "上海"), ("c", "成都")), start=1):
        say(memory, "u1", f"{city}也可以", on=at, session=session)
    assert active(memory, "u1")[CITIES] == ["杭州", "上海", "成都"]
    _revert(memory, "b")
    assert active(memory, "u1")[CITIES] == ["杭州", "成都"]
    say(memory, "u1", "南京也可以", on=9, session="d")
    assert active(memory, "u1")[CITIES] == ["杭州", "成都", "南京"]
    _revert(memory, "a")
    assert active(memory, "u1")[CITIES] == ["成都", "南京"]
    _revert(memory, "c")
    _revert(memory, "d")
    assert CITIES not in active(memory, "u1")


def test_what_a_session_denied_comes_back(memory: Memory) -> None:
    """A member that was taken out, and a memory that was ended."""
    say(memory, "u1", "杭州和上海都可以", on=1)
    say(memory, "u1", "上海不考虑了", on=5, session="bad")
    assert active(memory, "u1")[CITIES] == ["杭州"]
    _revert(memory, "bad")
    left = active(memory, "u1")
    assert left[CITIES] == ["杭州", "上海"]
    assert "job.excluded" not in left


def test_a_promotion_is_taken_back(memory: Memory) -> None:
    """Said unsurely in three sessions it is believed; without one of them two sightings wait again."""
    for at in (1, 2, 3):
        decided = say(memory, "u1", "可能上海也可以", on=at)
    assert str(decided[0].outcome) == "promoted"
    assert active(memory, "u1")[CITIES] == ["上海"]
    report = _revert(memory, "day-2")
    assert (report.pending_again, report.pending_dropped) == (1, 0)
    assert CITIES not in active(memory, "u1")
    (held,) = memory.pending("u1")
    assert (held.key, held.value, held.sessions_seen) == (CITIES, ["上海"], 2)
    assert (held.first_said_at, held.last_said_at, held.confidence) == (day(1), day(3), 0.45)
    say(memory, "u1", "可能上海也可以", on=9)
    assert (active(memory, "u1")[CITIES], list(memory.pending("u1"))) == (["上海"], [])


def test_a_promotion_that_a_fourth_session_supports_stays(memory: Memory) -> None:
    """Three of four are still enough."""
    for at in (1, 2, 3, 4):
        say(memory, "u1", "可能上海也可以", on=at)
    report = _revert(memory, "day-2")
    assert (report.changes, report.pending_again) == ((), 0)
    (record,) = memory.list("u1")
    assert (record.value, [item.session_id for item in record.evidence]) == (["上海"], ["day-1", "day-3", "day-4"])


def test_what_waits_loses_the_sightings_of_the_session(memory: Memory) -> None:
    """A candidate that only this session proposed is dropped."""
    say(memory, "u1", "可能上海也可以，或许南京也行", on=1, session="bad")
    say(memory, "u1", "可能上海也可以", on=2)
    report = _revert(memory, "bad")
    assert report.pending_dropped == 1
    (held,) = memory.pending("u1")
    assert (held.value, held.sessions_seen) == (["上海"], 1)


def test_what_another_session_said_too_stays(memory: Memory) -> None:
    """With that session's evidence and confidence; said unsurely there, it waits there."""
    say(memory, "u1", "我是本科", on=1, session="bad")
    say(memory, "u1", "我本科毕业", on=2)
    say(memory, "u1", "杭州也可以", on=3, session="bad", turn="t2")
    say(memory, "u1", "可能杭州也可以", on=4)
    report = _revert(memory, "bad")
    assert [change.key for change in report.changes] == [CITIES]
    (record,) = memory.list("u1")
    assert (record.key, [item.session_id for item in record.evidence]) == ("job.education", ["day-2"])
    assert [(held.value, held.sessions_seen) for held in memory.pending("u1")] == [(["杭州"], 1)]


def test_a_step_that_a_session_drove_is_taken_back(memory: Memory) -> None:
    """With everything that it had ended; the machine stands where it stood."""
    say(memory, "u1", "期望薪资 15-20k，base 只考虑杭州", on=1)
    memory.transition("u1", "job_search", "interviewing", at=day(2))
    say(memory, "u1", "我已经入职了", on=5, session="bad")
    assert SALARY not in active(memory, "u1")
    _revert(memory, "bad")
    assert memory.state("u1", "job_search") == "interviewing"
    left = active(memory, "u1")
    assert (left[SALARY], left[CITIES], left[STATUS]) == (salary(15000, 20000), ["杭州"], "interviewing")
    assert reasons(say(memory, "u1", "我已经入职了", on=5, session="bad")) == ["reverted_turn"]


def test_a_later_step_keeps_the_machine_where_it_is(memory: Memory) -> None:
    """What the session's step had ended comes back all the same: nobody else ended it."""
    say(memory, "u1", "期望薪资 15-20k", on=1)
    say(memory, "u1", "我已经入职了", on=5, session="bad")
    memory.transition("u1", "job_search", "searching", at=day(7))
    _revert(memory, "bad")
    assert memory.state("u1", "job_search") == "searching"
    assert active(memory, "u1") == {SALARY: salary(15000, 20000), STATUS: "searching"}


def test_an_applications_own_writes_belong_to_the_session_they_name(memory: Memory) -> None:
    """`remember` with a session is undone with it, without one it stays."""
    memory.remember("u1", "likes tea", session_id="bad", at=day(1))
    memory.remember("u1", "likes milk", at=day(1))
    memory.remember("u1", "likes milk", session_id="bad", at=day(2))
    _revert(memory, "bad")
    (record,) = memory.list("u1")
    assert (record.text, record.evidence) == ("likes milk", ())


def test_a_rollback_to_what_a_session_said_goes_with_it(memory: Memory) -> None:
    """Going back to a value does not make it anybody else's."""
    memory.remember("u1", "15k", key=SALARY, value="15k", session_id="bad", at=day(1))
    made = memory.remember("u1", "20k", key=SALARY, value="20k", session_id="good", at=day(2))
    memory.rollback("u1", made.memory_id, to_version=1)
    _revert(memory, "bad")
    assert memory.list("u1") == []


def test_everything_since_a_time_is_undone(memory: Memory) -> None:
    """What was recorded from then on, whoever wrote it and whatever time it speaks of; older sightings wait again."""
    say(memory, "u1", "可能上海也可以", on=1)
    kept = memory.remember("u1", "15k", key=SALARY, value="15k", at=day(1))
    say(memory, "u1", "可能上海也可以", on=2)
    first = memory.remember("u1", "likes tea", at=day(9))
    memory.remember("u1", "99k", key=SALARY, value="99k", at=day(3))
    say(memory, "u1", "可能上海也可以", on=3)
    say(memory, "u1", "我已经入职了", on=4)
    say(memory, "u1", "也许南京也行", on=5)
    report = memory.revert("u1", since=first.recorded_at, reason="bad import")
    assert memory.state("u1", "job_search") == "searching"
    assert active(memory, "u1") == {SALARY: kept.value}
    assert [(held.value, held.sessions_seen) for held in memory.pending("u1")] == [(["上海"], 2)]
    assert (report.pending_dropped, report.pending_again, report.turns) == (1, 1, 3)
    assert reasons(say(memory, "u1", "可能上海也可以", on=3)) == ["reverted_turn"]
    assert reasons(say(memory, "u1", "可能上海也可以", on=1)) == []


@pytest.mark.parametrize("session", ["unknown", "u1", "%", "*"])
def test_an_unknown_session_has_taught_nothing(memory: Memory, session: str) -> None:
    """The report is empty, and so is a second report of the same session."""
    say(memory, "u1", "期望薪资 15-20k", on=1)
    report = _revert(memory, session)
    assert (report.changes, report.pending_dropped, report.pending_again, report.turns) == ((), 0, 0, 0)
    _revert(memory, "day-1")
    again = _revert(memory, "day-1")
    assert (again.changes, again.turns) == ((), 0)


def test_another_users_session_of_the_same_name_stays(memory: Memory) -> None:
    """Sessions belong to users."""
    for user in ("u1", "u2"):
        say(memory, user, "期望薪资 15-20k", on=1, session="s")
    _revert(memory, "s")
    assert active(memory, "u2") == {SALARY: salary(15000, 20000)}


def test_a_step_that_another_session_told_too_stays(memory: Memory) -> None:
    """Reverting one of two leaves machine and slot, and what has ended; reverting both takes the step back."""
    say(memory, "u1", "期望薪资 15-20k", on=1)
    say(memory, "u1", "我已经入职了", on=5, session="bad")
    say(memory, "u1", "我已经入职了", on=6, session="good")
    _revert(memory, "bad")
    assert (memory.state("u1", "job_search"), active(memory, "u1")) == ("hired", {STATUS: "hired"})
    _revert(memory, "good")
    assert memory.state("u1", "job_search") == "searching"
    assert active(memory, "u1") == {SALARY: salary(15000, 20000)}
