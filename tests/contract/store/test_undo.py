from collections.abc import Sequence

from ltm.models import Owner, Status
from ltm.ports import Origin, Sighting, Store, UnitOfWork
from tests.contract.store.said import cities, day, head, quote, salary, seen, tell, text
from tests.support.manual_clock import ManualClock


def _revert(unit: UnitOfWork, session_id: str) -> dict[str, tuple[int, ...]]:
    taught = unit.taught_by(Origin(session_id=session_id))
    unit.undo(taught, reason="polluted", actor="application")
    unit.withdraw_evidence(Origin(session_id=session_id))
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
        taught = unit.taught_by(Origin(since=since))
        assert taught == {early: (2,), late: (1,)}
        unit.undo(taught, reason="polluted", actor="application")
        assert unit.taught_by(Origin(since=since)) == {}
    assert head(store, ann, early).value == {"min": 15, "max": None, "currency": "CNY", "period": "month"}
    assert head(store, ann, late).status is Status.REVERTED
    assert head(store, ann, ended).status is Status.EXPIRED


def test_evidence_of_a_span_of_time_is_withdrawn(store: Store, ann: Owner, clock: ManualClock) -> None:
    """What was said before and repeated since stays with what it was before."""
    memory_id = tell(store, ann, text("likes tea", confidence=0.5, evidence=(quote("A"),)))
    clock.advance(60)
    with store.unit(ann) as unit:
        unit.reinforce(memory_id, confidence=0.9, evidence=[quote("A", "t2")])
        assert unit.withdraw_evidence(Origin(since=clock.now())) == 1
    record = store.read.records(ann, [memory_id])[memory_id]
    assert (record.confidence, len(record.evidence)) == (0.5, 1)


def test_reverts_add_up(store: Store, ann: Owner) -> None:
    """What the first revert left goes with the session that had said it; heads and history say so after each."""
    memory_id = tell(
        store,
        ann,
        cities("杭州", at=1, evidence=(quote("A"),)),
        cities("北京", at=5, evidence=(quote("B"),)),
        cities("上海", at=9, evidence=(quote("C"),)),
    )
    for session, left in (("B", ["杭州", "上海"]), ("A", ["上海"])):
        with store.unit(ann) as unit:
            _revert(unit, session)
        assert head(store, ann, memory_id).value == left
        assert [item.value for item in store.read.as_of(ann, day(10))] == [left]
    with store.unit(ann) as unit:
        _revert(unit, "C")
    assert head(store, ann, memory_id).status is Status.REVERTED
    assert store.read.as_of(ann, day(10)) == []


def test_an_undoing_shows_whose_words_remain(store: Store, ann: Owner) -> None:
    """Text, context, confidence and evidence are those of what is left, also when more is undone later."""
    first = text("likes tea", 1, confidence=0.7, context="of tea", evidence=(quote("A"),))
    memory_id = tell(store, ann, first)
    tell(store, ann, text("likes milk", 2, memory_id=memory_id, context="of milk", evidence=(quote("B"),)))
    tell(store, ann, text("likes rum", 3, memory_id=memory_id, context="of rum", evidence=(quote("C"),)))
    for session in "CB":
        with store.unit(ann) as unit:
            _revert(unit, session)
    (listed,) = store.read.list_records(ann)
    for record in (listed, store.read.history(ann, memory_id)[-1], store.read.as_of(ann, day(9))[0]):
        assert (record.text, record.context, record.confidence) == ("likes tea", "of tea", 0.7)
        assert [item.session_id for item in record.evidence] == ["A"]


def test_what_was_not_enough_alone_goes_with_what_made_it_enough(store: Store, ann: Owner) -> None:
    """Of three unsure sightings, two do not keep a version; said outright once, one session does."""

    def is_enough(sightings: Sequence[Sighting]) -> bool:
        return any(item.made_it for item in sightings) or len(sightings) >= 3

    promoted = tell(store, ann, text("maybe tea", confidence=0.6, sightings=(seen("A"), seen("B"), seen("C"))))
    stated = tell(store, ann, text("likes milk", evidence=(quote("A"),)))
    with store.unit(ann) as unit:
        unit.reinforce(stated, confidence=0.45, sightings=[seen("B")])
        assert unit.taught_by(Origin(session_id="C"), is_enough=is_enough) == {promoted: (1,)}
        assert unit.taught_by(Origin(session_id="A"), is_enough=is_enough) == {promoted: (1,), stated: (1,)}
        assert unit.taught_by(Origin(session_id="B"), is_enough=is_enough) == {promoted: (1,)}
        (content,) = unit.get_contents(stated, [1])
    assert [(item.evidence.session_id, item.confidence, item.made_it) for item in content.sightings] == [
        ("A", 1.0, True),
        ("B", 0.45, False),
    ]
    record = store.read.records(ann, [promoted])[promoted]
    assert (record.confidence, [item.session_id for item in record.evidence]) == (0.6, ["A", "B", "C"])


def test_a_rollback_belongs_to_the_session_it_goes_back_to(store: Store, ann: Owner) -> None:
    """Reverting a session takes the rollback along that brought its value back, reverted before or not."""
    for to_version in (1, 2):
        memory_id = tell(store, ann, *(text(f"{to_version}", 1, evidence=(quote("A"),)),))
        tell(store, ann, text("b", 2, memory_id=memory_id, evidence=(quote("A", "t2"),)))
        with store.unit(ann) as unit:
            unit.rollback(memory_id, 1, reason="r", actor="application")
            unit.rollback(memory_id, to_version, reason="r", actor="application")
        with store.unit(ann) as unit:
            _revert(unit, "A")
        assert head(store, ann, memory_id).status is Status.REVERTED


def test_an_input_that_only_reinforced_is_known_by_its_id(store: Store, ann: Owner) -> None:
    """Its external id leads to the version that said the same already, and is erased with it."""
    memory_id = tell(store, ann, text("likes tea", external_id="x1"))
    with store.unit(ann) as unit:
        unit.reinforce(memory_id, confidence=1.0, external_id="x2")
        unit.prefetch(external_ids={"x1", "x2", "x3"})
        found = [unit.find_by_external_id(name) for name in ("x1", "x2", "x3")]
        assert [None if item is None else (item.memory_id, item.version) for item in found] == [
            (memory_id, 1),
            (memory_id, 1),
            None,
        ]
    with store.unit(ann) as unit:
        assert unit.find_by_external_id("x2") is not None
    store.erasure.erase_memory(ann, memory_id)
    with store.unit(ann) as unit:
        assert unit.find_by_external_id("x2") is None
        assert unit.is_external_id_erased("x2")


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
