import pytest

from ltm.errors import InvalidRequestError
from ltm.models import Owner, Status
from ltm.ports import Store, UnitOfWork
from tests.contract.store.said import cities, head, quote, salary, tell, text
from tests.support.manual_clock import ManualClock


def _revert(unit: UnitOfWork, session_id: str) -> dict[str, tuple[int, ...]]:
    taught = unit.taught_by(session_id=session_id)
    unit.undo(taught, reason="polluted", actor="application")
    unit.withdraw_evidence(session_id=session_id)
    return taught


def test_a_session_is_undone_and_others_stay(store: Store, ann: Owner) -> None:
    """What session B taught goes; what A and C said, before and after, to the same set, stays."""
    memory_id = tell(
        store,
        ann,
        cities("杭州", at=1, evidence=(quote("A"),)),
        cities("北京", at=5, evidence=(quote("B"),)),
        cities("上海", at=9, evidence=(quote("C"),)),
    )
    alone = tell(store, ann, text("polluted", evidence=(quote("B"),)))
    with store.unit(ann) as unit:
        assert _revert(unit, "B") == {memory_id: (2,), alone: (1,)}
    assert (head(store, ann, memory_id).value, head(store, ann, memory_id).status) == (["杭州", "上海"], Status.ACTIVE)
    assert head(store, ann, alone).status is Status.REVERTED
    assert [item.status for item in store.read.history(ann, memory_id)] == [
        Status.SUPERSEDED,
        Status.REVERTED,
        Status.ACTIVE,
        Status.SUPERSEDED,
    ]
    with store.unit(ann) as unit:
        assert _revert(unit, "B") == {}


def test_undo_says_what_it_did(store: Store, ann: Owner) -> None:
    """The head before and after, and which versions went; reverted versions are passed over."""
    memory_id = tell(store, ann, salary(15, 1), salary(99, 5))
    with store.unit(ann) as unit:
        (done,) = unit.undo({memory_id: [2]}, reason="polluted", actor="application")
        assert unit.undo({memory_id: [2]}, reason="again", actor="application") == []
    assert (done.before.version, done.after.version, done.versions) == (2, 3, (2,))
    assert done.after == head(store, ann, memory_id)
    assert store.read.history(ann, memory_id)[2].reason == "polluted"


def test_a_denial_is_undone(store: Store, ann: Owner) -> None:
    """A memory that a session retracted is active again."""
    memory_id = tell(store, ann, text("likes tea", 1, evidence=(quote("A"),)))
    with store.unit(ann) as unit:
        unit.end([memory_id], Status.RETRACTED, at=unit.now, reason="denied", actor="user", evidence=[quote("B")])
    with store.unit(ann) as unit:
        assert _revert(unit, "B") == {memory_id: (2,)}
    assert head(store, ann, memory_id).status is Status.ACTIVE


def test_what_two_sessions_said_stays_while_one_of_them_stands(store: Store, ann: Owner) -> None:
    """Undoing the one takes its evidence and its confidence; undoing the other as well takes the version."""
    memory_id = tell(store, ann, text("likes tea", confidence=0.9, evidence=(quote("A"),)))
    with store.unit(ann) as unit:
        unit.reinforce(memory_id, confidence=0.7, evidence=[quote("B", at=2)])
    with store.unit(ann) as unit:
        assert _revert(unit, "A") == {}
    record = store.read.records(ann, [memory_id])[memory_id]
    assert (record.status, record.confidence) == (Status.ACTIVE, 0.7)
    assert [item.session_id for item in record.evidence] == ["B"]
    with store.unit(ann) as unit:
        assert _revert(unit, "B") == {memory_id: (1,)}
    assert head(store, ann, memory_id).status is Status.REVERTED


def test_what_an_application_wrote_is_nobodys_session(store: Store, ann: Owner) -> None:
    """A trusted write stays when the session that repeated it is undone, and has its own confidence again."""
    memory_id = tell(store, ann, text("likes tea", confidence=0.5))
    with store.unit(ann) as unit:
        unit.reinforce(memory_id, confidence=0.9, evidence=[quote("B")])
    with store.unit(ann) as unit:
        assert _revert(unit, "B") == {}
    record = store.read.records(ann, [memory_id])[memory_id]
    assert (record.status, record.confidence, record.evidence) == (Status.ACTIVE, 0.5, ())


def test_a_span_of_time_is_undone(store: Store, ann: Owner, clock: ManualClock) -> None:
    """Everything learnt since then, but nothing that the life cycle, a rollback or an earlier undoing did."""
    early = tell(store, ann, salary(15, 1))
    ended = tell(store, ann, text("old"))
    clock.advance(60)
    since = clock.now()
    tell(store, ann, salary(99, 5))
    late = tell(store, ann, text("polluted"))
    with store.unit(ann) as unit:
        unit.end([ended], Status.EXPIRED, at=unit.now, reason="ttl", actor="lifecycle")
        taught = unit.taught_by(since=since)
        assert taught == {early: (2,), late: (1,)}
        unit.undo(taught, reason="polluted", actor="application")
        assert unit.taught_by(since=since) == {}
    assert head(store, ann, early).value == {"min": 15, "max": None, "currency": "CNY", "period": "month"}
    assert head(store, ann, late).status is Status.REVERTED
    assert head(store, ann, ended).status is Status.EXPIRED


def test_evidence_of_a_span_of_time_is_withdrawn(store: Store, ann: Owner, clock: ManualClock) -> None:
    """What was said before and repeated since stays with what it was before."""
    memory_id = tell(store, ann, text("likes tea", confidence=0.5, evidence=(quote("A"),)))
    clock.advance(60)
    with store.unit(ann) as unit:
        unit.reinforce(memory_id, confidence=0.9, evidence=[quote("A", "t2")])
        assert unit.withdraw_evidence(since=clock.now()) == 1
    record = store.read.records(ann, [memory_id])[memory_id]
    assert (record.confidence, len(record.evidence)) == (0.5, 1)


def test_a_session_or_a_time_has_to_be_given(store: Store, ann: Owner) -> None:
    """Neither, or both, is refused."""
    with store.unit(ann) as unit:
        for arguments in ({}, {"session_id": "s", "since": unit.now}):
            with pytest.raises(InvalidRequestError):
                unit.taught_by(**arguments)  # type: ignore[arg-type]


def test_a_memory_of_one_unit_can_be_undone_in_it(store: Store, ann: Owner) -> None:
    """Writing, undoing and writing again in one unit gives one chain."""
    with store.unit(ann) as unit:
        made = unit.append(salary(15, 1, evidence=(quote("A"),)))
        assert _revert(unit, "A") == {made.memory_id: (1,)}
        unit.append(salary(20, 2))
    assert [item.status for item in store.read.history(ann, made.memory_id)] == [
        Status.REVERTED,
        Status.REVERTED,
        Status.ACTIVE,
    ]
