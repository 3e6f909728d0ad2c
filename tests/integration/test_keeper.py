"""The keeper of an index that one process holds: what waits is brought along, and nobody waits long for it."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from ltm.apply.keeper import Keeper
from ltm.embed.hashing import HashEmbedder
from ltm.errors import IndexLockedError, ModelError
from ltm.house import House
from ltm.models import Kind, Owner
from ltm.ports import Matrix, NewVersion
from tests.support.houses import house_of
from tests.support.manual_clock import ManualClock
from tests.support.stand_in_index import StandInAdmin, StandInIndex

ANN, BOB = Owner(namespace="default", user_id="ann"), Owner(namespace="default", user_id="bob")


class _Embedder(HashEmbedder):
    """Can be down, and counts how often it was asked."""

    is_down = False
    calls = 0

    def embed_passages(self, texts: object) -> Matrix:
        """Embed, or not."""
        self.calls += 1
        if self.is_down:
            raise ModelError("down")
        return super().embed_passages(texts)  # type: ignore[arg-type]


@dataclass(frozen=True, kw_only=True)
class Place:
    """A store, an index, and a keeper whose clock the test moves."""

    house: House
    index: StandInIndex
    embedder: _Embedder
    clock: ManualClock
    keeper: Keeper

    def write(self, owner: Owner, count: int) -> None:
        """Commit memories and leave them in the outbox."""
        with self.house.store.unit(owner) as unit:
            for number in range(count):
                unit.append(NewVersion(text=f"text {number}", kind=Kind.FACT, valid_from=unit.now))

    def indexed(self, owner: Owner) -> int:
        """Count points."""
        return self.index.count(owner.key)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """Return an empty place."""
    admin, embedder, clock = StandInAdmin(), _Embedder(), ManualClock()
    with house_of(f"sqlite:///{tmp_path / 'ltm.db'}", tmp_path, admin, embedder=embedder) as house:
        index = house.spaces.live().index
        assert isinstance(index, StandInIndex)
        keeper = Keeper(house.store, house.spaces, clock=clock)
        yield Place(house=house, index=index, embedder=embedder, clock=clock, keeper=keeper)


def test_the_owner_who_asks_comes_first(place: Place) -> None:
    """Only that owner's rows are done, and it is told whether there were any."""
    place.write(BOB, 3)
    place.write(ANN, 3)
    assert place.keeper.settle(ANN)
    assert (place.indexed(ANN), place.indexed(BOB)) == (3, 0)
    assert place.house.store.read.snapshot(ANN).is_settled
    assert not place.keeper.settle(ANN)


def test_nobody_waits_for_everything(place: Place) -> None:
    """A caller waits for some hundred rows; the next calls do the rest."""
    place.write(ANN, 1000)
    place.keeper.settle(ANN)
    first = place.indexed(ANN)
    assert 0 < first < 1000
    while place.keeper.settle(ANN):
        pass
    assert place.indexed(ANN) == 1000


def test_others_are_looked_after_once_a_second(place: Place) -> None:
    """A step at a time, without a question to the embedder where nothing waits."""
    place.keeper.look_after()
    assert place.embedder.calls == 0
    place.write(BOB, 3)
    place.keeper.look_after()
    assert place.indexed(BOB) == 0
    place.clock.advance(1)
    place.keeper.look_after()
    assert place.indexed(BOB) == 3


def test_what_does_not_answer_is_left_alone_for_a_while(place: Place) -> None:
    """The waits grow, nothing is lost, and no attempt is counted against a row."""
    place.write(ANN, 1)
    place.embedder.is_down = True
    asked = []
    for _ in range(60):
        place.keeper.settle(ANN)
        asked.append(place.embedder.calls)
        place.clock.advance(1)
    assert len(set(asked)) < 10
    place.embedder.is_down = False
    place.clock.advance(60)
    assert place.keeper.settle(ANN)
    assert place.indexed(ANN) == 1


def test_a_locked_index_is_asked_every_time(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """As soon as the other process lets go, this one catches up; no row was claimed meanwhile."""
    place.write(ANN, 1)

    def locked(owner_key: str | None = None) -> int:
        raise IndexLockedError("held by another process")

    with monkeypatch.context() as patched:
        patched.setattr(place.index, "count", locked)
        assert not place.keeper.settle(ANN)
    assert place.keeper.settle(ANN)


def test_a_row_that_cannot_be_applied_holds_nobody_up(place: Place) -> None:
    """The others are done; it is tried again later, and is a dead letter in the end."""
    place.write(ANN, 3)
    heads = place.house.store.read.list_heads(ANN)
    place.index.refused.add(heads[1].memory_id)
    assert place.keeper.settle(ANN)
    assert place.indexed(ANN) == 2
    lag = place.house.store.outbox.lag(place.house.spaces.live().generation.generation_id)
    assert (lag.rows, lag.dead) == (1, 0)


def test_points_of_the_erased_go_too(place: Place) -> None:
    """Whoever holds the index removes what an erasure had to leave."""
    place.write(ANN, 3)
    place.keeper.settle(ANN)
    place.house.store.erasure.erase_user(ANN)
    assert place.indexed(ANN) == 3
    place.keeper.look_after()
    assert place.indexed(ANN) == 0


def test_a_store_without_an_index_has_nothing_to_keep(tmp_path: Path) -> None:
    """Before the first generation nothing waits."""
    with house_of(f"sqlite:///{tmp_path / 'ltm.db'}", tmp_path, StandInAdmin()) as house:
        keeper = Keeper(house.store, house.spaces, clock=ManualClock())
        keeper.look_after()
        assert not keeper.settle(ANN)
