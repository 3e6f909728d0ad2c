"""The store against a model: whatever is done, in whatever order, it shows what the chain's rules say."""

from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import count

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from ltm.models import MemoryVersion, Op, Owner, Status
from ltm.ports import NewVersion, Origin, Store, UnitOfWork
from ltm.store.chain import Placed, find_true_at
from tests.contract.store.said import cities, day, quote, salary
from tests.support.manual_clock import ManualClock
from tests.unit.store.chains import Story, content
from tests.unit.store.chains import day as model_day

KEYS = ("job.target_cities", "job.expected_salary")
_users = count()

keys = st.sampled_from(KEYS)
days = st.integers(1, 12)
sessions = st.sampled_from(["s1", "s2", "s3"])
numbers = st.integers(1, 5)


class StoreMachine(RuleBasedStateMachine):
    """One user's life, told to the store and to the model."""

    store: Store
    clock: ManualClock

    @initialize()
    def begin(self) -> None:
        """Take a user whom nobody has used."""
        self.owner = Owner(namespace="machine", user_id=f"u{next(_users)}")
        self.stories: dict[str, Story] = {}
        self.ids: dict[str, str] = {}
        self.believed: list[tuple[datetime, dict[str, Sequence[object]]]] = []

    @rule(key=keys, number=numbers, at=days, session=sessions, op=st.sampled_from(list(Op)))
    def tell(self, key: str, number: int, at: int, session: str, op: Op) -> None:
        """Say something new."""
        self._write(lambda unit: self._tell(unit, key, number, at, session, op))

    @rule(key=keys, told=st.lists(st.tuples(numbers, days), min_size=2, max_size=4), session=sessions)
    def tell_many(self, key: str, told: list[tuple[int, int]], session: str) -> None:
        """Say several things in one unit."""

        def work(unit: UnitOfWork) -> None:
            for number, at in told:
                self._tell(unit, key, number, at, session, Op.SET)

        self._write(work)

    @rule(key=keys, status=st.sampled_from([Status.RETRACTED, Status.EXPIRED]), at=days)
    def end(self, key: str, status: Status, at: int) -> None:
        """End what is active."""
        if key not in self.stories:
            return

        def work(unit: UnitOfWork) -> None:
            made = unit.end([self.ids[key]], status, at=day(at), reason="r", actor="application")
            assert len(made) == (self.stories[key].head.status is Status.ACTIVE)

        self._write(work)
        if self.stories[key].head.status is Status.ACTIVE:
            self.stories[key].end(status, at)

    @rule(key=keys, number=numbers)
    def rollback(self, key: str, number: int) -> None:
        """Go back to a version."""
        story = self.stories.get(key)
        if story is None or number > len(story.links):
            return
        self._write(lambda unit: unit.rollback(self.ids[key], number, reason="r", actor="application"))
        if any(link.version > number and link.reverted_at is None for link in story.links):
            story.rollback(number)

    @rule(session=sessions)
    def revert(self, session: str) -> None:
        """Undo a session."""

        def work(unit: UnitOfWork) -> None:
            unit.undo(unit.taught_by(Origin(session_id=session)), reason="r", actor="application")

        self._write(work)
        for story in self.stories.values():
            story.revert(session)

    @rule(key=keys)
    def reinforce(self, key: str) -> None:
        """Say the same again."""
        if key in self.stories:
            self._write(lambda unit: unit.reinforce(self.ids[key], confidence=1.0))

    @rule(key=keys, number=numbers)
    def preview(self, key: str, number: int) -> None:
        """Do something and keep nothing of it."""

        def work(unit: UnitOfWork) -> None:
            unit.append(_said(key, number, 13, "s1", Op.SET))
            unit.undo(unit.taught_by(Origin(session_id="s1")), reason="r", actor="application")
            unit.discard()

        self._write(work)

    @rule(key=keys)
    def erase(self, key: str) -> None:
        """Erase one memory."""
        if key in self.stories:
            self.store.erasure.erase_memory(self.owner, self.ids.pop(key))
            del self.stories[key]
            self.believed.clear()

    @rule()
    def erase_user(self) -> None:
        """Erase everything."""
        self.store.erasure.erase_user(self.owner)
        assert self.store.erasure.residue(self.owner) == 0
        self.stories, self.ids = {}, {}
        self.believed.clear()

    @rule()
    def look_back(self) -> None:
        """Note what is believed now, to be asked for later."""
        self.believed.append((self.clock.now(), {str(at): self._true_at(at) for at in range(1, 14)}))

    @invariant()
    def heads_are_those_of_the_model(self) -> None:
        """Heads, chains and what was true at any time agree, and what is stored of a chain is what its rules give."""
        heads = {head.key: head for head in self.store.read.list_heads(self.owner, status=None)}
        assert set(heads) == set(self.stories)
        for key, story in self.stories.items():
            head, expected = heads[key], story.head
            assert (head.status, head.version, head.last_version) == (
                expected.status,
                expected.link.version,
                len(story.links),
            )
            assert _members(key, head.value) == expected.value
            history = self.store.read.history(self.owner, self.ids[key])
            assert [_shown(key, record) for record in history] == [_expected(item) for item in story.placed]
        for at in (1, 4, 8, 13):
            assert self._true_at(at) == self._model_true_at(at)

    @invariant()
    def the_past_stays_what_it_was(self) -> None:
        """What was believed is still what is known to have been believed."""
        for known_at, believed in self.believed:
            for at, expected in believed.items():
                assert self._true_at(int(at), known_at) == expected

    def _write(self, work: Callable[[UnitOfWork], object]) -> None:
        self.clock.advance(60)
        with self.store.unit(self.owner) as unit:
            work(unit)

    def _tell(self, unit: UnitOfWork, key: str, number: int, at: int, session: str, op: Op) -> None:
        op = op if key == KEYS[0] else Op.SET
        self.ids[key] = unit.append(_said(key, number, at, session, op)).memory_id
        story = self.stories.setdefault(key, Story())
        story.append(content([f"m{number}"], at, op), session=session)

    def _true_at(self, at: int, known_at: datetime | None = None) -> Sequence[object]:
        found = self.store.read.as_of(self.owner, day(at), known_at)
        return sorted((str(record.key), record.version, _members(str(record.key), record.value)) for record in found)

    def _model_true_at(self, at: int) -> Sequence[object]:
        found = {key: find_true_at(story.placed, model_day(at)) for key, story in self.stories.items()}
        return sorted((key, item.link.version, item.value) for key, item in found.items() if item is not None)


def _said(key: str, number: int, at: int, session: str, op: Op) -> NewVersion:
    evidence = (quote(session, f"t{number}"),)
    if key == KEYS[0]:
        return cities(f"m{number}", at=at, op=op, evidence=evidence)
    return salary(number, at, evidence=evidence)


def _members(key: str, value: object) -> object:
    """Return a value as the model has it: a list of members, a salary as a list of one."""
    return [f"m{value['min']}"] if key == KEYS[1] and isinstance(value, dict) else value


def _shown(key: str, record: MemoryVersion) -> tuple[object, ...]:
    return record.version, record.status, _members(key, record.value), record.valid_from, record.valid_to


def _expected(item: Placed) -> tuple[object, ...]:
    shift = day(0) - model_day(0)
    valid_to = None if item.valid_to is None else item.valid_to + shift
    return item.link.version, item.status, item.value, item.link.content.valid_from + shift, valid_to


def _run(store: Store, clock: ManualClock, examples: int) -> None:
    class Machine(StoreMachine):
        pass

    Machine.store, Machine.clock = store, clock
    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=20,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_the_store_keeps_to_the_rules(store: Store, clock: ManualClock) -> None:
    """Twenty acts in random order, thirty times."""
    _run(store, clock, 30)


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_the_store_keeps_to_the_rules_for_long(store: Store, clock: ManualClock) -> None:
    """The same, five hundred times."""
    _run(store, clock, 500)
