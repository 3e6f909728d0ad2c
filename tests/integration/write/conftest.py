"""An observer over an empty SQLite store, with a model that says what it is told."""

import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from ltm.lifecycle.revert import revert_taught
from ltm.lifecycle.transition import follow_statement
from ltm.models import Decision, MemoryVersion, Owner, Turn
from ltm.packs import PackSet, load_packs
from ltm.ports import HeldCandidate, Origin, Store
from ltm.store import migrate, open_store
from ltm.write.pipeline import Observer
from ltm.write.word_index import index_words
from tests.support.manual_clock import ManualClock
from tests.support.parrot import Parrot


class Desk:
    """One user's memory without the facade: says things, and looks at what became of them."""

    def __init__(self, observer: Observer, store: Store, clock: ManualClock, parrot: Parrot) -> None:
        self.observer = observer
        self.store = store
        self.clock = clock
        self.parrot = parrot
        self.owner = Owner(namespace="test", user_id="ann")

    @property
    def with_model(self) -> "Desk":
        """Return the same desk with the model asked."""
        return Desk(replace(self.observer, model=self.parrot), self.store, self.clock, self.parrot)

    def say(
        self, *said: str | tuple[str, str], session: str | None = "s1", ids: Sequence[str] = (), days: float = 0
    ) -> tuple[Decision, ...]:
        """Observe texts of the user, or (role, text), said so many days from the clock's noon; return the decisions."""
        at = self.clock.now() + timedelta(days=days)
        turns = [
            Turn(
                role="user" if isinstance(item, str) else item[0],
                text=item if isinstance(item, str) else item[1],
                id=ids[place] if ids else None,
                at=at + timedelta(seconds=place),
            )
            for place, item in enumerate(said)
        ]
        return self.observer.observe(self.owner, turns, session_id=session).receipt.decisions

    def revert(self, session: str) -> None:
        """Undo what a session taught."""
        origin = Origin(session_id=session, since=None)
        observer = self.observer
        self.store.transact(
            self.owner,
            lambda unit: revert_taught(
                unit,
                origin,
                reason="polluted",
                is_enough=observer.policy.is_enough,
                hold_again=observer.hold_again,
                packs=observer.packs,
            ),
        )

    def active(self) -> dict[str | None, object]:
        """Return the active values by key; of free texts the texts."""
        records = self.records()
        values: dict[str | None, object] = {record.key: record.value for record in records if record.key is not None}
        if texts := [record.text for record in records if record.key is None]:
            values[None] = texts
        return values

    def records(self) -> list[MemoryVersion]:
        """Return the active memories."""
        return self.store.read.list_records(self.owner)

    def held(self) -> list[HeldCandidate]:
        """Return what waits."""
        return self.store.read.list_pending(self.owner)

    def history(self, key: str) -> list[MemoryVersion]:
        """Return a chain."""
        memory_id = self.store.read.find_memory_id(self.owner, key)
        return [] if memory_id is None else self.store.read.history(self.owner, memory_id)

    def as_of(self, when: datetime) -> dict[str | None, object]:
        """Return what was true then, by key."""
        return {record.key: record.value for record in self.store.read.as_of(self.owner, when)}


def reply(*candidates: dict[str, object]) -> str:
    """Return what a model says."""
    return json.dumps({"candidates": candidates}, ensure_ascii=False)


@pytest.fixture(scope="session")
def packs() -> PackSet:
    """Return all built-in packs."""
    return load_packs(("job_search", "venue_booking"))


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file with the schema and nothing in it."""
    path = tmp_path_factory.mktemp("template") / "ltm.db"
    migrate(f"sqlite:///{path}")
    return path


@pytest.fixture(scope="session")
def make_observer(packs: PackSet) -> Callable[[Store, ManualClock], Observer]:
    """Return a maker of observers; the words are indexed once."""
    words = index_words(packs)
    return lambda store, clock: Observer(store=store, packs=packs, words=words, clock=clock, follow=follow_statement)


@pytest.fixture
def desk(
    template: Path, tmp_path: Path, packs: PackSet, make_observer: Callable[[Store, ManualClock], Observer]
) -> Iterator[Desk]:
    """Return the desk of a user of whom nothing is known."""
    clock = ManualClock()
    url = f"sqlite:///{shutil.copy(template, tmp_path / 'ltm.db')}"
    store = open_store(url, clock=clock, packs=packs, timeout_s=5)
    yield Desk(make_observer(store, clock), store, clock, Parrot())
    store.close()
