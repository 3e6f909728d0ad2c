from datetime import timedelta

import pytest

from ltm.errors import MemoryNotFoundError, VersionConflictError
from ltm.models import Kind, Op, Owner, Status, fingerprint
from ltm.ports import Store
from tests.contract.store.said import CITIES, SALARY, append_all, cities, day, head, quote, salary, tell, text
from tests.support.manual_clock import ManualClock


def test_a_record_comes_back_as_it_was_told(store: Store, ann: Owner, clock: ManualClock) -> None:
    """Every field survives the way into SQL and back, emoji, other scripts and microseconds included."""
    at = day(1) + timedelta(microseconds=123_457)
    new = text(
        "likes 羊肉 😀 'quoted' \\ % _ ;--",
        kind=Kind.EPISODE,
        value={"a": [1, 2.5, None, "ü", True], "ж": {"b": "\n"}},
        context="and then?\n```",
        confidence=0.123456789,
        external_id="x-1",
        pack="core@1.0.0",
        pack_hash="ab" * 32,
        reason="said so",
        evidence=(quote("s1", "t2", "羊肉 😀", 2), quote(None, None, "first", 1)),
    )
    with store.unit(ann) as unit:
        made = unit.append(
            type(new)(**{**{name: getattr(new, name) for name in new.__dataclass_fields__}, "valid_from": at})
        )
    (found,) = store.read.history(ann, made.memory_id)
    assert found.value == new.value
    assert (found.text, found.context, found.confidence) == (new.text, new.context, new.confidence)
    assert (found.valid_from, found.recorded_at) == (at, clock.now())
    assert (found.external_id, found.pack, found.reason, found.kind) == ("x-1", "core@1.0.0", "said so", Kind.EPISODE)
    assert [item.quote for item in found.evidence] == ["first", "羊肉 😀"]
    assert store.read.records(ann, [made.memory_id]) == {made.memory_id: found}


def test_a_second_value_goes_on_with_the_chain(store: Store, ann: Owner) -> None:
    """One key is one memory: its second value is version 2, and closes the first one's interval."""
    memory_id = tell(store, ann, salary(15, 1), salary(20, 22))
    first, second = store.read.history(ann, memory_id)
    assert (first.version, first.status, first.valid_to) == (1, Status.SUPERSEDED, day(22))
    assert (second.version, second.status, second.valid_to) == (2, Status.ACTIVE, None)
    assert store.read.find_memory_id(ann, SALARY) == memory_id
    assert [record.memory_id for record in store.read.list_records(ann)] == [memory_id]


def test_a_late_statement_does_not_move_the_head(store: Store, ann: Owner) -> None:
    """It lengthens the chain, so that points of before are known to be older, and takes its place in the past."""
    memory_id = tell(store, ann, salary(20, 22))
    with store.unit(ann) as unit:
        late = unit.append(salary(15, 1))
    assert (late.status, late.version, late.valid_to) == (Status.SUPERSEDED, 2, day(22))
    found = head(store, ann, memory_id)
    assert (found.version, found.last_version, found.valid_from) == (1, 2, day(22))
    (then,) = store.read.as_of(ann, day(3))
    assert (then.version, then.status) == (2, Status.ACTIVE)


def test_members_are_folded_into_the_head(store: Store, ann: Owner) -> None:
    """The head of a set shows all members, in a sentence of its slot, and its order does not change what it says."""
    memory_id = tell(store, ann, cities("杭州", at=1), cities("上海", at=9), cities("杭州", at=12, op=Op.REMOVE))
    found = head(store, ann, memory_id)
    assert (found.value, found.text) == (["上海"], "意向城市：上海")
    assert [record.value for record in store.read.history(ann, memory_id)] == [
        ["杭州"],
        ["杭州", "上海"],
        ["上海"],
    ]
    assert found.fingerprint == fingerprint(["上海"], "", is_set=True)


def test_as_of_folds_what_was_true_then(store: Store, ann: Owner) -> None:
    """A set's value at a time is made of what was said up to then."""
    tell(store, ann, cities("杭州", at=1), cities("上海", at=9))
    assert store.read.as_of(ann, day(1) - timedelta(microseconds=1)) == []
    assert [record.value for record in store.read.as_of(ann, day(1))] == [["杭州"]]
    assert [record.value for record in store.read.as_of(ann, day(9))] == [["杭州", "上海"]]


def test_as_of_knows_only_what_was_recorded(store: Store, ann: Owner, clock: ManualClock) -> None:
    """`known_at` leaves out what the store learnt later, and still shows what was undone later."""
    memory_id = tell(store, ann, salary(15, 1))
    before_second = clock.now()
    clock.advance(60)
    tell(store, ann, salary(99, 5))
    before_rollback = clock.now()
    clock.advance(60)
    with store.unit(ann) as unit:
        unit.rollback(memory_id, 1, reason="polluted", actor="application")
    amounts = [
        record.value["min"]  # type: ignore[call-overload,index]
        for known_at in (before_second, before_rollback, clock.now(), None)
        for record in store.read.as_of(ann, day(6), known_at)
    ]
    assert amounts == [15, 99, 15, 15]
    (believed,) = store.read.as_of(ann, day(2), before_second)
    assert believed.valid_to is None


def test_what_ended_is_not_true_any_more(store: Store, ann: Owner) -> None:
    """A retracted memory holds until its end, is listed as such, and goes on when it is said again."""
    memory_id = tell(store, ann, text("plays chess", 1))
    with store.unit(ann) as unit:
        (ended,) = unit.end([memory_id], Status.RETRACTED, at=day(5), reason="no more", actor="application")
    assert (ended.version, ended.status, ended.text, ended.reason) == (2, Status.RETRACTED, "plays chess", "no more")
    assert store.read.list_records(ann) == []
    assert [record.memory_id for record in store.read.list_records(ann, status=Status.RETRACTED)] == [memory_id]
    assert len(store.read.as_of(ann, day(4))) == 1
    assert store.read.as_of(ann, day(6)) == []
    with store.unit(ann) as unit:
        assert unit.end([memory_id], Status.EXPIRED, at=day(7), reason="again", actor="lifecycle") == []
        unit.append(text("plays chess", 8, memory_id=memory_id))
    assert head(store, ann, memory_id).status is Status.ACTIVE
    assert [item.status for item in store.read.history(ann, memory_id)] == [
        Status.SUPERSEDED,
        Status.RETRACTED,
        Status.ACTIVE,
    ]


def test_reinforcing_makes_no_version(store: Store, ann: Owner) -> None:
    """Saying the same again adds evidence and raises the confidence, never lowers it."""
    memory_id = tell(store, ann, text("likes tea", 1, confidence=0.6, evidence=(quote("s1"),)))
    with store.unit(ann) as unit:
        unit.reinforce(memory_id, confidence=0.8, evidence=[quote("s2", at=2)])
        record = unit.reinforce(memory_id, confidence=0.3, evidence=[quote("s3", at=3)])
        assert not unit.touched
    assert (record.version, record.confidence, len(record.evidence)) == (1, 0.8, 3)
    assert store.read.history(ann, memory_id) == [record]
    assert store.read.snapshot(ann).revision == 2


def test_an_expected_version_is_held(store: Store, ann: Owner) -> None:
    """A head that is another one than the caller has seen is a conflict, and nothing is written."""
    memory_id = tell(store, ann, salary(15, 1, expected_version=0), salary(20, 2, expected_version=1))
    for wrong in (salary(25, 3, expected_version=1), salary(25, 3, expected_version=0)):
        with pytest.raises(VersionConflictError), store.unit(ann) as unit:
            unit.append(wrong)
    with pytest.raises(VersionConflictError), store.unit(ann) as unit:
        unit.rollback(memory_id, 1, reason="r", actor="application", expected_version=1)
    with pytest.raises(VersionConflictError), store.unit(ann) as unit:
        unit.append(text("new", expected_version=3))
    assert len(store.read.history(ann, memory_id)) == 2


def test_rollback_to_the_last_version_changes_nothing(store: Store, ann: Owner) -> None:
    """There is nothing behind the head to be undone."""
    memory_id = tell(store, ann, salary(15, 1))
    revision = store.read.snapshot(ann).revision
    with store.unit(ann) as unit:
        assert unit.rollback(memory_id, 1, reason="r", actor="application").version == 1
    assert store.read.snapshot(ann).revision == revision


@pytest.mark.parametrize("to_version", [0, 2, -1])
def test_rollback_needs_a_version_that_is_there(store: Store, ann: Owner, to_version: int) -> None:
    """Neither a version to come nor one before the first can be gone back to."""
    memory_id = tell(store, ann, salary(15, 1))
    with pytest.raises(MemoryNotFoundError), store.unit(ann) as unit:
        unit.rollback(memory_id, to_version, reason="r", actor="application")


def test_bulk_append_sees_its_own_versions(store: Store, ann: Owner) -> None:
    """Versions of one key in one bulk follow each other, and the results come in input order."""
    tell(store, ann, salary(10, 1))
    with store.unit(ann) as unit:
        made = append_all(unit, [salary(15, 2), text("a"), salary(20, 3), cities("上海"), text("b")])
    assert [record.version for record in made] == [2, 1, 3, 1, 1]
    assert made[0].memory_id == made[2].memory_id
    assert [record.status for record in store.read.history(ann, made[0].memory_id)] == [
        Status.SUPERSEDED,
        Status.SUPERSEDED,
        Status.ACTIVE,
    ]


def test_a_bulk_of_thousands_is_stored_whole(store: Store, ann: Owner) -> None:
    """Lists longer than what one statement takes are cut in pieces that nobody sees."""
    with store.unit(ann) as unit:
        unit.prefetch(fingerprints=[fingerprint(None, f"fact {number}") for number in range(1500)])
        made = append_all(unit, [text(f"fact {number}") for number in range(1500)])
    assert len({record.memory_id for record in made}) == 1500
    found = store.read.records(ann, [record.memory_id for record in made])
    assert [found[record.memory_id].text for record in made] == [f"fact {number}" for number in range(1500)]


def test_lookups_see_what_the_unit_has_changed(store: Store, ann: Owner) -> None:
    """By key, by fingerprint, by external id and by id: before and after a write of the same unit."""
    with store.unit(ann) as unit:
        assert unit.find_by_key(CITIES) is None
        made = unit.append(cities("上海", external_id="x1"))
        found = unit.find_by_key(CITIES)
        assert found is not None
        assert (found.memory_id, unit.find(made.memory_id)) == (made.memory_id, found)
        assert unit.find_by_external_id("x1") == made
        same = fingerprint(None, "Likes   TEA")
        assert unit.find_by_fingerprint(Kind.FACT, same) is None
        tea = unit.append(text("likes tea"))
        like = unit.find_by_fingerprint(Kind.FACT, same)
        assert like is not None
        assert like.memory_id == tea.memory_id
        assert unit.find_by_fingerprint(Kind.EPISODE, same) is None
        assert [item.memory_id for item in unit.list_heads()] == sorted([made.memory_id, tea.memory_id])
        assert [item.key for item in unit.list_heads(keys=[CITIES])] == [CITIES]
    with store.unit(ann) as unit:
        assert unit.find_by_external_id("x1") == made
        again = unit.find_by_fingerprint(Kind.FACT, same)
        assert again is not None
        assert again.memory_id == tea.memory_id


def test_a_changed_text_is_no_longer_found_by_the_old_one(store: Store, ann: Owner) -> None:
    """A fingerprint finds what the head says now, and nothing that it said before."""
    memory_id = tell(store, ann, text("likes tea", 1))
    with store.unit(ann) as unit:
        unit.append(text("likes coffee", 2, memory_id=memory_id))
        assert unit.find_by_fingerprint(Kind.FACT, fingerprint(None, "likes tea")) is None
        assert unit.find_by_fingerprint(Kind.FACT, fingerprint(None, "likes coffee")) is not None


def test_a_clock_set_back_does_not_make_the_future_known_earlier(store: Store, ann: Owner, clock: ManualClock) -> None:
    """A version is never recorded before the one it follows."""
    memory_id = tell(store, ann, salary(15, 1))
    clock.advance(-3600)
    tell(store, ann, salary(20, 2))
    first, second = store.read.history(ann, memory_id)
    assert second.recorded_at >= first.recorded_at


@pytest.mark.parametrize("value", [0, 1, 1.5, True, False, "", "1", [], {}, [1, [2]], "null", None])
def test_json_values_keep_their_type(store: Store, ann: Owner, value: object) -> None:
    """Numbers, texts that look like numbers, empty values and null are told apart."""
    memory_id = tell(store, ann, text("v", value=value))
    found = head(store, ann, memory_id).value
    assert (found, type(found)) == (value, type(value))
