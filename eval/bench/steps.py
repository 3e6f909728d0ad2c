"""A step of a state machine that ends all that its user has."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np

from eval.bench.texts import memories
from eval.bench.timing import Timings, time_calls, timings
from ltm.house import House
from ltm.lifecycle.transition import find_machine
from ltm.memory import Memory
from ltm.models import Kind, Owner
from ltm.ports import NewVersion, UnitOfWork
from ltm.settings import Settings
from ltm.wiring import open_house

_MACHINE, _TO = "job_search", "hired"
_USERS = 5


def measure_transition(folder: Path, count: int) -> Timings:
    """Move users of so many memories each, all of which end with the step: SQL, outbox and index in one call.

    Raises:
        RuntimeError: Not all of them ended.
    """
    house = open_house(folder, Settings(embedder="hash", packs=("job_search",)))
    with Memory(house) as memory:
        users = [f"user {number}" for number in range(_USERS)]
        for number, user in enumerate(users):
            news = list(_bound(house, np.random.default_rng(number), count))
            house.write(Owner(namespace=house.namespace, user_id=user), partial(_store, news=news))

        def step(user: str) -> None:
            ended = memory.transition(user, _MACHINE, _TO).expired
            if len(ended) != count:
                raise RuntimeError(f"{len(ended)} of {count} memories ended")

        return timings(time_calls(step, users))


def _bound(house: House, rng: np.random.Generator, count: int) -> Iterator[NewVersion]:
    """Yield key-less memories of the machine's pack, which live as long as the task."""
    pack = house.packs.find_pack(find_machine(house.packs, _MACHINE).pack)
    for one in memories(rng, count):
        yield NewVersion(
            text=one.text,
            kind=Kind.PREFERENCE,
            valid_from=one.at or house.clock.now(),
            pack=None if pack is None else pack.label,
            pack_hash=house.packs.content_hash,
        )


def _store(unit: UnitOfWork, news: list[NewVersion]) -> None:
    for new in news:
        unit.append(new)
