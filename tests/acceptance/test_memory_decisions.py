"""Why something was, or was not, remembered; what waits for a decision; and the window of a dialogue."""

from datetime import timedelta

import pytest

from ltm import Memory, Turn
from ltm.clock import SystemClock
from ltm.errors import InvalidRequestError, MemoryNotFoundError
from ltm.models import Action, Outcome, Reason, Status
from tests.acceptance.told import CITIES, SALARY, active, day, reasons, salary, say


def test_the_audit_trail_says_why(memory: Memory) -> None:
    """Every candidate ends in a decision, in the order in which they were taken, with what it touched."""
    say(memory, "u1", "期望薪资 15-20k", on=1)
    say(memory, "u1", "可能上海也可以", on=2)
    say(memory, "u1", "唉，感觉找不到工作，不想找了", on=3)
    trail = list(memory.decisions("u1"))
    assert [(item.action, item.outcome, item.reason) for item in trail] == [
        (Action.CREATE, Outcome.STORED, Reason.NEW),
        (Action.CREATE, Outcome.PENDING, Reason.HEDGED),
        (Action.IGNORE, Outcome.DROPPED, Reason.EMOTION),
    ]
    (record,) = memory.list("u1")
    first = trail[0]
    assert (first.memory_id, first.version, first.turn_id, first.session_id) == (record.memory_id, 1, "t1", "day-1")
    assert first.candidate is not None
    assert (first.candidate.key, first.candidate.value) == (SALARY, salary(15000, 20000))
    ids = [item.decision_id or 0 for item in trail]
    assert ids == sorted(ids)
    assert list(memory.decisions("u1", limit=2)) == trail[:2]
    assert list(memory.decisions("u1", limit=2, after=ids[1])) == trail[2:]
    assert list(memory.decisions("u2")) == []


def test_what_waits_can_be_confirmed(memory: Memory) -> None:
    """It is remembered at once and waits no longer; nobody else can do that, and nobody twice."""
    say(memory, "u1", "可能上海也可以", on=2)
    (held,) = memory.pending("u1")
    assert (held.key, held.value, held.sessions_seen, held.reason) == (CITIES, ["上海"], 1, Reason.HEDGED)
    assert held.expires_at > SystemClock().now() + timedelta(days=30)
    with pytest.raises(MemoryNotFoundError):
        memory.confirm("u2", held.pending_id)
    record = memory.confirm("u1", held.pending_id)
    assert (record.key, record.value, record.status, record.confidence) == (CITIES, ["上海"], Status.ACTIVE, 1.0)
    assert [item.session_id for item in record.evidence] == ["day-2"]
    assert list(memory.pending("u1")) == []
    with pytest.raises(MemoryNotFoundError):
        memory.confirm("u1", held.pending_id)
    memory.revert("u1", session_id="day-2")
    assert active(memory, "u1") == {}


def test_what_waits_can_be_rejected(memory: Memory) -> None:
    """It is dropped with a decision; said again, it waits anew."""
    say(memory, "u1", "可能上海也可以", on=2)
    (held,) = memory.pending("u1")
    memory.reject("u1", held.pending_id)
    assert (list(memory.pending("u1")), active(memory, "u1")) == ([], {})
    assert [item.outcome for item in memory.decisions("u1")] == [Outcome.PENDING, Outcome.DROPPED]
    with pytest.raises(MemoryNotFoundError):
        memory.reject("u1", held.pending_id)
    say(memory, "u1", "可能上海也可以", on=3)
    assert [item.sessions_seen for item in memory.pending("u1")] == [1]


def test_a_turn_teaches_once(memory: Memory) -> None:
    """The same turn again is passed over in silence; with other words under its id it is a conflict."""
    assert reasons(say(memory, "u1", "期望薪资 15-20k", on=1)) == ["new"]
    assert reasons(say(memory, "u1", "期望薪资 15-20k", on=1)) == []
    assert reasons(say(memory, "u1", "期望薪资 99k", on=1)) == ["turn_conflict"]
    assert active(memory, "u1") == {SALARY: salary(15000, 20000)}


def test_what_leaves_the_window_was_observed(memory: Memory) -> None:
    """Nothing falls between the window and long-term memory, and what both saw was learnt once."""
    window = memory.chat("u1", "s1")
    window.append(Turn(role="system", text="You help with jobs.", at=day(1), id="t0"))
    window.append(Turn(role="user", text="期望薪资 15-20k", at=day(1), id="t1"))
    for number in range(2, 12):
        window.append(Turn(role="user", text="好的", at=day(1), id=f"t{number}"))
    turns = [turn.id for turn in window.turns()]
    assert (turns[0], len(turns)) == ("t0", 9)
    assert "t1" not in turns
    assert active(memory, "u1") == {SALARY: salary(15000, 20000)}
    window.append(Turn(role="user", text="可能上海也可以", at=day(2), id="t20"))
    window.clear()
    assert window.turns() == ()
    assert [held.value for held in memory.pending("u1")] == [["上海"]]
    assert active(memory, "u1") == {SALARY: salary(15000, 20000)}
    assert memory.chat("u1", "s2").turns() == memory.chat("u2", "s1").turns() == ()


def test_a_window_keeps_what_could_not_be_observed(memory: Memory) -> None:
    """A turn that observing refuses stays in the window, and the caller hears of it."""
    window = memory.chat("u1", "s1")
    window.append(Turn(role="user", text="期望薪资 15-20k", at=SystemClock().now() + timedelta(days=30), id="t1"))
    with pytest.raises(InvalidRequestError, match="ahead"):
        window.clear()
    assert [turn.id for turn in window.turns()] == ["t1"]
