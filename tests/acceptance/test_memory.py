"""What an application writes is what it reads, and every value that ever held can be told."""

from datetime import datetime, timedelta, timezone

import pytest

from ltm import Memory, MemoryInput
from ltm.clock import SystemClock
from ltm.errors import InvalidRequestError, MemoryNotFoundError, VersionConflictError
from ltm.models import Kind, Role, Status
from tests.acceptance.told import CITIES, SALARY, day, salary, shown


def test_a_record_has_what_was_said(memory: Memory) -> None:
    """Every field of a record comes from the call that made it."""
    before = SystemClock().now() - timedelta(minutes=1)
    record = memory.remember(
        "u1",
        "偏好靠窗的工位",
        kind="preference",
        at=day(1),
        confidence=0.8,
        context="您想坐在哪里？",
        session_id="s1",
        external_id="x1",
    )
    assert (record.user_id, record.key, record.value, record.text) == ("u1", None, None, "偏好靠窗的工位")
    assert (record.kind, record.pack, record.status, record.version) == (Kind.PREFERENCE, None, Status.ACTIVE, 1)
    assert (record.confidence, record.valid_from, record.valid_to) == (0.8, day(1), None)
    assert (record.external_id, record.context) == ("x1", "您想坐在哪里？")
    assert before < record.recorded_at < before + timedelta(minutes=10)
    (evidence,) = record.evidence
    assert (evidence.turn_id, evidence.session_id, evidence.role) == (None, "s1", Role.USER)
    assert (evidence.quote, evidence.start, evidence.end, evidence.said_at) == (record.text, 0, 7, day(1))
    assert memory.get("u1", record.memory_id) == memory.list("u1")[0] == record
    assert memory.history("u1", memory_id=record.memory_id) == memory.as_of("u1", day(2)) == [record]


def test_times_are_kept_in_utc_to_the_microsecond(memory: Memory) -> None:
    """A zone is a way to write a time; what is stored is the time."""
    at = datetime(2026, 3, 1, 8, 30, 0, 123457, tzinfo=timezone(timedelta(hours=8)))
    record = memory.remember("u1", "a", at=at)
    assert record.valid_from == at
    assert record.valid_from.utcoffset() == timedelta(0)
    assert memory.list("u1")[0].valid_from.microsecond == 123457


def test_a_new_value_continues_the_chain(memory: Memory) -> None:
    """An update closes the old version where the new one begins; both stay."""
    first = memory.remember("u1", "期望薪资 15-20k", key=SALARY, value="15-20k", at=day(1))
    second = memory.remember("u1", "20k 以下不考虑", key=SALARY, value="不低于20k", at=day(22))
    assert (second.memory_id, second.version, second.value) == (first.memory_id, 2, salary(20000, None))
    old, new = memory.history("u1", key=SALARY)
    assert (old.status, old.valid_from, old.valid_to) == (Status.SUPERSEDED, day(1), day(22))
    assert (new.status, new.valid_from, new.valid_to) == (Status.ACTIVE, day(22), None)
    assert shown(memory.as_of("u1", day(10))) == [(salary(15000, 20000), "active")]
    assert shown(memory.list("u1")) == [(salary(20000, None), "active")]


def test_the_same_value_again_makes_no_version(memory: Memory) -> None:
    """However it is written, the value counts; evidence is added and the greater confidence stays."""
    first = memory.remember("u1", "15-20k", key=SALARY, value="15-20k", at=day(1), confidence=0.7, session_id="s1")
    again = memory.remember("u1", "一万五到两万", key=SALARY, value="1.5万到2万", at=day(2), session_id="s2")
    assert (again.memory_id, again.version, again.confidence, again.text) == (first.memory_id, 1, 1.0, "15-20k")
    assert [item.session_id for item in again.evidence] == ["s1", "s2"]
    assert memory.history("u1", key=SALARY) == [again]
    assert memory.remember("u1", "x", key=SALARY, value="15-20k", at=day(3), confidence=0.1).confidence == 1.0


def test_the_same_words_are_one_memory_unless_they_tell_of_an_event(memory: Memory) -> None:
    """Facts and preferences that say the same are merged by kind; episodes of two days are two events."""
    fact = memory.remember("u1", "Plays  the CELLO", at=day(1))
    assert memory.remember("u1", "plays the cello", at=day(2)).memory_id == fact.memory_id
    assert memory.remember("u1", "plays the cello", kind="preference").memory_id != fact.memory_id
    walks = {memory.remember("u1", "walked the dog", kind="episode", at=day(at)).memory_id for at in (1, 2)}
    assert len(walks) == 2
    assert len(memory.list("u1")) == 4


def test_a_late_statement_takes_its_place_in_the_past(memory: Memory) -> None:
    """An imported log is known last and true first: the head stays, `as_of` and `history` know where it belongs."""
    memory.remember("u1", "now", key="city", value="Berlin", at=day(20))
    late = memory.remember("u1", "then", key="city", value="Bonn", at=day(1))
    assert (late.version, late.status, late.valid_to) == (2, Status.SUPERSEDED, day(20))
    assert [(item.version, item.value) for item in memory.history("u1", key="city")] == [(1, "Berlin"), (2, "Bonn")]
    assert shown(memory.as_of("u1", day(5))) == [("Bonn", "active")]
    assert shown(memory.list("u1")) == [("Berlin", "active")]
    assert memory.as_of("u1", day(0)) == []


def test_what_is_said_now_is_no_late_statement(memory: Memory) -> None:
    """Another machine's clock may run ahead: without a time of its own, the last word is the head's."""
    ahead = SystemClock().now() + timedelta(minutes=1)
    memory.remember("u1", "then", key="city", value="Bonn", at=ahead)
    said = memory.remember("u1", "now", key="city", value="Berlin", session_id="s1")
    assert (said.version, said.status, said.valid_from) == (2, Status.ACTIVE, ahead)
    assert shown(memory.list("u1")) == [("Berlin", "active")]
    again = memory.remember("u1", "now", key="city", value="Berlin", session_id="s2")
    assert (again.version, len(again.evidence)) == (2, 2)


def test_what_was_known_then_can_be_asked(memory: Memory) -> None:
    """`known_at` leaves out what was learnt later, whatever time it speaks of."""
    first = memory.remember("u1", "Berlin", key="city", value="Berlin", at=day(1))
    second = memory.remember("u1", "Bonn", key="city", value="Bonn", at=day(2))
    assert shown(memory.as_of("u1", day(9), known_at=first.recorded_at)) == [("Berlin", "active")]
    assert shown(memory.as_of("u1", day(9), known_at=second.recorded_at)) == [("Bonn", "active")]
    assert memory.as_of("u1", day(9), known_at=first.recorded_at - timedelta(seconds=1)) == []


def test_an_external_id_is_remembered_once(memory: Memory) -> None:
    """The same id again gives what is stored, whatever else is said, also where it only reinforced or was overtaken."""
    first = memory.remember("u1", "Berlin", key="city", value="Berlin", at=day(1), external_id="1")
    second = memory.remember("u1", "berlin", key="city", value="Berlin", at=day(2), external_id="2")
    third = memory.remember("u1", "Bonn", key="city", value="Bonn", at=day(3), external_id="3")
    for external_id, stored in (("1", first), ("2", first), ("3", third)):
        again = memory.remember("u1", "Rome", key="city", value="Rome", at=day(9), external_id=external_id)
        assert (again.memory_id, again.version) == (stored.memory_id, stored.version)
    assert second.memory_id == first.memory_id
    assert [item.value for item in memory.history("u1", key="city")] == ["Berlin", "Bonn"]
    other = memory.remember("u2", "Rome", key="city", value="Rome", external_id="1")
    assert other.value == "Rome"


def test_whoever_expects_a_version_gets_it_or_an_error(memory: Memory) -> None:
    """0 expects that there is nothing; a conflict changes nothing, and without an expectation nobody conflicts."""
    first = memory.remember("u1", "a", key="k", value="a", at=day(1), expected_version=0)
    with pytest.raises(VersionConflictError):
        memory.remember("u1", "b", key="k", value="b", at=day(2), expected_version=0)
    second = memory.remember("u1", "b", key="k", value="b", at=day(2), expected_version=1)
    with pytest.raises(VersionConflictError):
        memory.rollback("u1", first.memory_id, to_version=1, expected_version=1)
    with pytest.raises(VersionConflictError):
        memory.remember("u1", "b", key="k", value="b", at=day(3), expected_version=1)
    assert memory.get("u1", first.memory_id) == second
    assert memory.rollback("u1", first.memory_id, to_version=1, expected_version=2).version == 3


def test_many_are_stored_in_order_or_not_at_all(memory: Memory) -> None:
    """Records come in input order, later inputs see earlier ones, and one bad input stores nothing and is named."""
    inputs = [
        MemoryInput(text="a", key="k", value="a", at=day(1)),
        MemoryInput(text="b", at=day(1)),
        MemoryInput(text="c", key="k", value="c", at=day(2)),
        MemoryInput(text="B", at=day(2)),
        MemoryInput(text="d", at=day(3), external_id="x"),
        MemoryInput(text="e", at=day(3), external_id="x"),
    ]
    records = memory.remember_many("u1", inputs)
    assert [(item.text, item.version) for item in records] == [
        ("a", 1),
        ("b", 1),
        ("c", 2),
        ("b", 1),
        ("d", 1),
        ("d", 1),
    ]
    before = memory.list("u1", status=None)
    with pytest.raises(InvalidRequestError, match="input 1: ") as raised:
        memory.remember_many(
            "u1", [MemoryInput(text="f"), MemoryInput(text="sk-" + "a1B2" * 12), MemoryInput(text="g")]
        )
    assert raised.value.index == 1
    with pytest.raises(VersionConflictError):
        memory.remember_many("u1", [MemoryInput(text="f"), MemoryInput(text="h", key="k", expected_version=9)])
    assert memory.list("u1", status=None) == before
    assert memory.remember_many("u1", []) == []


def test_lists_are_paged_by_id(memory: Memory) -> None:
    """Pages follow one another without a gap; filters by status and kind hold on every page."""
    made = memory.remember_many("u1", [MemoryInput(text=f"t{at}", kind=("fact", "episode")[at % 2]) for at in range(7)])
    ids = sorted(record.memory_id for record in made)
    pages: list[str] = []
    while page := memory.list("u1", limit=3, after=pages[-1] if pages else None):
        pages += [record.memory_id for record in page]
    assert pages == ids
    memory.retract("u1", ids[0])
    assert [item.memory_id for item in memory.list("u1", limit=2)] == ids[1:3]
    assert [item.memory_id for item in memory.list("u1", status="retracted")] == ids[:1]
    assert len(memory.list("u1", status=None)) == 7
    assert {str(item.kind) for item in memory.list("u1", kind=Kind.EPISODE, limit=9)} == {"episode"}
    assert memory.list("nobody") == []


def test_users_are_listed_by_their_bytes(memory: Memory) -> None:
    """Everybody who was ever written to, once, in pages."""
    for user in ("b", "a", "é", "B"):
        memory.remember(user, "x")
    assert list(memory.users()) == ["B", "a", "b", "é"]
    assert list(memory.users(limit=2, after="a")) == ["b", "é"]


def test_sets_grow_and_are_replaced(memory: Memory) -> None:
    """`remember` sets the whole value; members keep their order and count once."""
    record = memory.remember("u1", "杭州、上海、杭州", key=CITIES, value=["杭州", "上海", "杭州"], at=day(1))
    assert (record.value, record.kind, record.pack is not None) == (["杭州", "上海"], Kind.PREFERENCE, True)
    assert memory.remember("u1", "上海和杭州", key=CITIES, value=["上海", "杭州"], at=day(2)).version == 1
    assert memory.remember("u1", "成都", key=CITIES, value=["成都"], at=day(3)).value == ["成都"]


def test_retracting_ends_a_memory_that_may_begin_again(memory: Memory) -> None:
    """It leaves the list and stays in history; a second retraction changes nothing; a new value continues the chain."""
    made = memory.remember("u1", "Berlin", key="city", value="Berlin", at=day(1))
    gone = memory.retract("u1", made.memory_id, reason="moved away")
    assert (gone.status, gone.version, gone.reason, gone.value) == (Status.RETRACTED, 2, "moved away", "Berlin")
    assert memory.list("u1") == []
    assert memory.retract("u1", made.memory_id) == gone
    back = memory.remember("u1", "Berlin", key="city", value="Berlin")
    assert (back.memory_id, back.version, back.status) == (made.memory_id, 3, Status.ACTIVE)


def test_a_rollback_brings_a_value_back_and_cleans_the_past(memory: Memory) -> None:
    """What is known now never held the bad value; what was believed then still shows it."""
    made = memory.remember("u1", "15-20k", key=SALARY, value="15-20k", at=day(1), session_id="s1")
    bad = memory.remember("u1", "99k", key=SALARY, value="99k", at=day(5))
    back = memory.rollback("u1", made.memory_id, to_version=1, reason="polluted")
    assert (back.version, back.value, back.status, back.valid_from) == (3, made.value, Status.ACTIVE, day(5))
    assert (back.reason, back.evidence) == ("polluted", made.evidence)
    assert shown(memory.history("u1", key=SALARY)) == [
        (made.value, "superseded"),
        (bad.value, "reverted"),
        (made.value, "active"),
    ]
    assert shown(memory.as_of("u1", day(9))) == [(made.value, "active")]
    assert shown(memory.as_of("u1", day(9), known_at=bad.recorded_at)) == [(bad.value, "active")]
    assert memory.rollback("u1", made.memory_id, to_version=3) == back


def test_what_is_not_there_is_not_found(memory: Memory) -> None:
    """Unknown ids, and other users', are errors; a key that was never used is an empty chain."""
    made = memory.remember("u1", "a")
    for user, wrong in (("u2", made.memory_id), ("u1", "unknown")):
        for call in (memory.get, memory.retract, memory.erase, memory.confirm, memory.reject):
            with pytest.raises(MemoryNotFoundError):
                call(user, wrong)
        with pytest.raises(MemoryNotFoundError):
            memory.history(user, memory_id=wrong)
        with pytest.raises(MemoryNotFoundError):
            memory.rollback(user, wrong, to_version=1)
    with pytest.raises(MemoryNotFoundError):
        memory.rollback("u1", made.memory_id, to_version=2)
    assert memory.history("u1", key="never") == []
