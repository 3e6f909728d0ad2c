"""Whatever is done to a user's memory, in whatever order, it shows what a simple model of it says."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from itertools import count, pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from pydantic import SecretStr

from ltm import Memory, Settings, Turn
from ltm.errors import IllegalTransitionError, VersionConflictError
from ltm.models import Json
from ltm.wiring import open_house
from tests.integration.lived import ACTIVE, EXPIRED, RETRACTED, Chain, Entry
from tests.support.databases import own_database
from tests.support.manual_clock import ManualClock

CITIES, NOTE, STATUS = "job.target_cities", "note", "job.current_status"
NAMES = ("杭州", "上海", "成都", "南京")
STATES = ("searching", "applied", "interviewing", "offered", "hired")
_users = count()

sessions = st.sampled_from(["s1", "s2", "s3"])
days_ago = st.integers(0, 6)
cities = st.sampled_from(NAMES)


class LifeOfAUser(RuleBasedStateMachine):
    """One user's memory, told to `Memory` and to the model."""

    memory: Memory
    clock: ManualClock

    @initialize()
    def begin(self) -> None:
        """Take a user whom nobody has used."""
        self.user = f"u{next(_users)}"
        self.chains: dict[str, Chain] = {}
        self.state = "searching"
        self.turns: dict[tuple[str, str], str] = {}
        self.believed: list[tuple[datetime, datetime, dict[str, Json]]] = []
        self.ids = count()

    @rule(value=st.integers(1, 3), ago=days_ago, session=sessions | st.none())
    def remember(self, value: int, ago: int, session: str | None) -> None:
        """Write a single value."""
        self._pass()
        at = self._ago(ago)
        self.memory.remember(self.user, f"note {value}", key=NOTE, value=value, at=at, session_id=session)
        self._said(NOTE, Entry(at=at, does="set", value=value, said_in=session))

    @rule(value=st.integers(1, 3), offset=st.integers(-1, 1))
    def remember_expecting(self, value: int, offset: int) -> None:
        """Write a value where a version is expected, which may be another one."""
        self._pass()
        chain = self.chains.get(NOTE)
        head = 0 if chain is None else chain.head + 1
        expected = max(head + offset, 0)
        text = f"note {value}"
        if expected != head:
            with pytest.raises(VersionConflictError):
                self.memory.remember(self.user, text, key=NOTE, value=value, expected_version=expected)
            return
        self.memory.remember(self.user, text, key=NOTE, value=value, expected_version=expected)
        self._said(NOTE, Entry(at=self.clock.now(), does="set", value=value))

    @rule(chosen=st.lists(cities, min_size=1, max_size=2, unique=True), ago=days_ago)
    def remember_cities(self, chosen: list[str], ago: int) -> None:
        """Write a whole set."""
        self._pass()
        at = self._ago(ago)
        self.memory.remember(self.user, "、".join(chosen), key=CITIES, value=chosen, at=at)
        self._said(CITIES, Entry(at=at, does="set", value=list(chosen)))

    @rule(city=cities, ago=days_ago, session=sessions)
    def observe(self, city: str, ago: int, session: str) -> None:
        """Say in a new turn that one more city would do."""
        self._pass()
        turn, at = f"t{next(self.ids)}", self._ago(ago)
        self._observe(session, turn, city, at)
        self._said(CITIES, Entry(at=at, does="add", value=[city], said_in=session))
        self.turns[session, turn] = "heard"

    @precondition(lambda self: bool(self.turns))
    @rule(data=st.data())
    def observe_again(self, data: st.DataObject) -> None:
        """Hear a turn again, whatever became of it: it teaches nothing."""
        session, turn = data.draw(st.sampled_from(sorted(self.turns)))
        reasons = self._observe(session, turn, "杭州", self.clock.now(), is_again=True)
        assert set(reasons) <= {"turn_conflict", "reverted_turn", "erased"}
        if self.turns[session, turn] == "erased":
            assert reasons == ["erased"]

    @rule(key=st.sampled_from([NOTE, CITIES]))
    def retract(self, key: str) -> None:
        """End a memory."""
        if key in self.chains:
            self._pass()
            self.memory.retract(self.user, self._id(key))
            self.chains[key].end(RETRACTED, self.clock.now())

    @rule(key=st.sampled_from([NOTE, CITIES]), number=st.integers(0, 8))
    def roll_back(self, key: str, number: int) -> None:
        """Go back to a version that stands."""
        chain = self.chains.get(key)
        if chain is not None and number < len(chain.entries) and chain.entries[number].stands:
            self._pass()
            self.memory.rollback(self.user, self._id(key), to_version=number + 1)
            chain.roll_back(number)

    @rule(session=sessions)
    def revert(self, session: str) -> None:
        """Undo a session, after a preview that says the same."""
        self._pass()
        preview = self.memory.revert(self.user, session_id=session, dry_run=True)
        report = self.memory.revert(self.user, session_id=session)
        assert preview.changes == report.changes
        for chain in self.chains.values():
            chain.revert(session)
        for place in self.turns:
            if place[0] == session and self.turns[place] == "heard":
                self.turns[place] = "reverted"

    @rule(state=st.sampled_from(STATES))
    def move(self, state: str) -> None:
        """Move the machine, if it allows that."""
        self._pass()
        if not _allows(self.state, state):
            with pytest.raises(IllegalTransitionError):
                self.memory.transition(self.user, "job_search", state)
            return
        preview = self.memory.transition(self.user, "job_search", state, dry_run=True)
        report = self.memory.transition(self.user, "job_search", state)
        assert [item.memory_id for item in preview.expired] == [item.memory_id for item in report.expired]
        if state == self.state:
            return
        if state == "hired" and CITIES in self.chains:
            self.chains[CITIES].end(EXPIRED, self.clock.now())
        self._said(STATUS, Entry(at=self.clock.now(), does="set", value=state))
        self.state = state

    @rule(key=st.sampled_from([NOTE, CITIES]))
    def erase(self, key: str) -> None:
        """Erase one memory; the turns that taught it are erased with it."""
        if key not in self.chains:
            return
        told = {
            (str(item.session_id), str(item.turn_id))
            for record in self.memory.history(self.user, key=key)
            for item in record.evidence
        }
        assert self.memory.erase(self.user, self._id(key)).verified
        del self.chains[key]
        self.turns |= {place: "erased" for place in told if place in self.turns}
        self.believed.clear()

    @rule()
    def erase_user(self) -> None:
        """Erase everything."""
        assert self.memory.erase(self.user).verified
        self.chains, self.state = {}, "searching"
        self.turns = dict.fromkeys(self.turns, "erased")
        self.believed.clear()

    @rule(ago=days_ago)
    def look_back(self, ago: int) -> None:
        """Note what is believed now about a time, to be asked for later."""
        when = self._ago(ago)
        self.believed.append((when, self.clock.now(), self._true_at(when)))

    @invariant()
    def what_holds_is_what_the_model_says(self) -> None:
        """Heads, states, what was true at any time, and what a recall finds."""
        heads = {record.key: record for record in self.memory.list(self.user, status=None)}
        assert heads.keys() == self.chains.keys()
        for key, chain in self.chains.items():
            assert (str(heads[key].status), heads[key].value) == chain.now()
        for ago in (0, 2, 5, 9):
            when = self._ago(ago)
            told = {key: chain.true_at(when) for key, chain in self.chains.items()}
            assert self._true_at(when) == {key: value for key, value in told.items() if value is not None}
        assert self.memory.state(self.user, "job_search") == self.state
        recall = self.memory.recall(self.user, "note 1 杭州 求职状态", min_relevance=0, now=self.clock.now())
        assert recall.degraded == ()
        active = {heads[key].memory_id for key, chain in self.chains.items() if chain.now()[0] == ACTIVE}
        assert {item.memory.memory_id for item in recall.items} == active

    @invariant()
    def chains_have_neither_gap_nor_overlap(self) -> None:
        """Versions count up, intervals follow one another, what was undone has none."""
        for key, chain in self.chains.items():
            history = self.memory.history(self.user, key=key)
            assert [record.version for record in history] == list(range(1, len(chain.entries) + 1))
            standing = [history[number] for number in chain.order()]
            assert all(now.valid_to == after.valid_from for now, after in pairwise(standing))
            assert standing[-1].valid_to is None
            shown = chain.shown()
            assert all(history[number].value == shown[number][1] for number in shown)
            gone = [record for number, record in enumerate(history) if number not in shown]
            assert all(record.valid_to == record.valid_from and record.status == "reverted" for record in gone)

    @invariant()
    def the_past_stays_what_it_was(self) -> None:
        """What was believed is still known to have been believed."""
        for when, known_at, believed in self.believed:
            assert self._true_at(when, known_at) == believed

    def _said(self, key: str, entry: Entry) -> None:
        """Append to the model, or stand behind what says the same already."""
        chain = self.chains.setdefault(key, Chain())
        support = set() if entry.said_in is None else {entry.said_in}
        if chain.entries and entry.at >= chain.entries[chain.head].at and _is_said(chain, entry):
            chain.entries[chain.source(chain.head)].support |= support
            return
        entry.support = support
        chain.entries.append(entry)

    def _observe(self, session: str, turn: str, city: str, at: datetime, *, is_again: bool = False) -> list[str]:
        text = f"{city}也可以" + ("吧" if is_again else "")
        turns = [Turn(role="user", text=text, at=at, id=turn)]
        return [str(decision.reason) for decision in self.memory.observe(self.user, turns, session).decisions]

    def _true_at(self, when: datetime, known_at: datetime | None = None) -> dict[str, Json]:
        return {str(record.key): record.value for record in self.memory.as_of(self.user, when, known_at)}

    def _id(self, key: str) -> str:
        return self.memory.history(self.user, key=key)[0].memory_id

    def _ago(self, days: int) -> datetime:
        return self.clock.now() - timedelta(days=days)

    def _pass(self) -> None:
        self.clock.advance(3600 * 7)


def _is_said(chain: Chain, entry: Entry) -> bool:
    status, value = chain.now()
    if status != ACTIVE:
        return False
    if entry.does == "add":
        return isinstance(value, list) and isinstance(entry.value, list) and set(entry.value) <= set(value)
    same = sorted(value) == sorted(entry.value) if isinstance(value, list) and isinstance(entry.value, list) else False
    return same or value == entry.value


def _allows(old: str, new: str) -> bool:
    return new in (old, "searching") or (old != "hired" and STATES.index(new) > STATES.index(old))


@pytest.fixture(params=["sqlite", pytest.param("mariadb", marks=pytest.mark.service)])
def machine(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[type[LifeOfAUser]]:
    """Return the machine over a memory whose clock the test moves."""
    clock = ManualClock()
    monkeypatch.setattr("ltm.wiring.opening.SystemClock", lambda: clock)
    with _database(request.param) as url:
        settings = Settings(path=tmp_path, database_url=url, packs=("job_search",), embedder="hash")
        house = open_house(None, settings)

        class Machine(LifeOfAUser):
            memory = Memory(house)

        Machine.clock = clock
        yield Machine
        house.close()


@contextmanager
def _database(name: str) -> Iterator[SecretStr | None]:
    if name == "sqlite":
        yield None
    else:
        with own_database() as url:
            yield SecretStr(url)


def _run(machine: type[LifeOfAUser], examples: int) -> None:
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=20,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


@pytest.mark.timeout(300)
def test_memory_is_what_was_lived(machine: type[LifeOfAUser]) -> None:
    """Twenty acts in random order, twelve times."""
    _run(machine, 12)


@pytest.mark.long
@pytest.mark.timeout(7200)
def test_memory_is_what_was_lived_for_long(machine: type[LifeOfAUser]) -> None:
    """Twenty acts in random order, three hundred times on each database."""
    _run(machine, 300)
