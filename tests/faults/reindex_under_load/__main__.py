"""`python -m tests.faults.reindex_under_load TARGET COUNT`: kill a reindex twice under load, look at what it leaves.

A program of its own, since it forks: where a model has run, a forked child waits for threads that are not there.
"""

import json
import os
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event

import typer

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


def main(target: str, count: int) -> None:
    """Kill the process twice, let it end, and print what there is; raises where anything is missing or different."""
    with TemporaryDirectory(prefix="ltm-reindex-") as name:
        folder = Path(name)
        store, ledger = Store(folder=folder / "store", target=target), Ledger()
        finish(start(lambda: fill(store, count)))
        said = [folder / f"said{number}" for number in range(len(KILLED_AT) + 1)]
        for number, share in enumerate(KILLED_AT):
            pid = start(partial(run, store, said[number], count=count, number=number))
            wait_for(said[number], pid, built=int(count * share))
            kill(pid)
            ledger.read(said[number])
            ledger.forget(ask(lambda: missing(store, ledger), folder / "answer"))
        finish(start(lambda: run(store, said[-1], count=count, number=len(KILLED_AT))))
        ledger.read(said[-1])
        lines = [json.loads(line) for line in said[-1].read_text().splitlines()]
        found = ask(lambda: look(store, ledger, count), folder / "answer")
        typer.echo(f"{target}: {count} memories, {ledger.writes} writes, {lines[-1]}, {found}")
        assert [line["ending"] for line in lines if "ending" in line] == ["switched"]
        assert [failure for path in said for failure in failures(path)] == []
        assert found.states == ["retired", "live"]
        assert (found.lost, found.returned, found.different) == ([], [], (0, 0))
        assert found.recalled == len(USERS)


def wait_for(said: Path, pid: int, *, built: int) -> None:
    """Wait until the build has come so far.

    Raises:
        RuntimeError: The child ended before that, or is too slow.
    """
    deadline = time.monotonic() + 1800
    while time.monotonic() < deadline:
        lines = said.read_bytes().split(b"\n")[:-1] if said.exists() else []
        told = [json.loads(line) for line in lines]
        if sum(line["done"] for line in told if line.get("stage") == "build") >= built:
            return
        if os.waitpid(pid, os.WNOHANG)[0]:
            raise RuntimeError("the child ended before the build had come far enough")
        time.sleep(0.01)
    raise RuntimeError("the build did not come far enough")


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


if __name__ == "__main__":
    typer.run(main)
