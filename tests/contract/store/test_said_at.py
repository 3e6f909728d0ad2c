"""When something was said: what conversations are made of."""

from datetime import timedelta

from ltm.models import Owner, Status
from ltm.ports import Origin, Store
from tests.contract.store.said import cities, day, quote, salary, tell, text


def test_what_was_said_has_its_times(store: Store, ann: Owner, bob: Owner) -> None:
    """Ascending, each instant once, with what was superseded and what has no evidence; nobody else's."""
    tell(store, ann, text("b", 9), salary(15, 1), salary(20, 22), text("c", 9, evidence=(quote("s2", at=9),)))
    tell(store, ann, cities("杭州", at=2), cities("上海", at=30))
    tell(store, bob, text("a", 5))
    assert store.read.list_said_at(ann) == [day(1), day(2), day(9), day(22), day(30)]
    assert store.read.list_said_at(Owner(namespace="other", user_id="ann")) == []


def test_what_was_said_by_a_time(store: Store, ann: Owner) -> None:
    """The instant itself is included, to the microsecond."""
    tell(store, ann, text("a", 1), text("b", 9))
    assert store.read.list_said_at(ann, until=day(9)) == [day(1), day(9)]
    assert store.read.list_said_at(ann, until=day(9) - timedelta(microseconds=1)) == [day(1)]


def test_what_was_reverted_was_not_said_and_what_ends_or_mends_says_nothing(store: Store, ann: Owner) -> None:
    """A reverted session is no conversation, nor are an expiry and a rollback; what expired was said."""
    ended = tell(store, ann, text("a", 1))
    rolled_back = tell(store, ann, salary(15, 3), salary(20, 5))
    tell(store, ann, text("b", 9, evidence=(quote("s2", at=9),)))
    with store.unit(ann) as unit:
        unit.end([ended], Status.EXPIRED, at=day(12), reason="over", actor="system")
        unit.rollback(rolled_back, 1, reason="polluted", actor="application")
        unit.undo(unit.taught_by(Origin(session_id="s2")), reason="polluted", actor="application")
    assert store.read.list_said_at(ann) == [day(1), day(3)]
