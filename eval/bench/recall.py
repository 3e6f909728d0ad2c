"""Recall beside what it is made of: the index query and the heads check."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from time import perf_counter

import numpy as np
import numpy.typing as npt

from eval.bench.texts import START, intents, memories
from eval.bench.timing import Timings, time_calls, time_in_turns, timings
from ltm.house import House
from ltm.lexical import encode_query
from ltm.memory import Memory
from ltm.models import Owner
from ltm.ports import PoolQuery
from ltm.settings import Settings
from ltm.wiring import open_house

POOL = 50
_NOW = START + timedelta(days=60)
_ROUNDS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much is stored: memories in all, spread evenly over users."""

    memories: int
    users: int

    @property
    def name(self) -> str:
        """Return the size in words."""
        return f"{self.memories:,} memories, {self.users:,} users"


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One size.

    Attributes:
        ingest_per_s: Through `remember_many`, a user's memories a call.
        raw: The index's batched query of two channels with 50 hits each.
        heads: The heads check of a pool's ids in SQL.
        cold: Recall of an intent never asked before.
        warm: The same intent asked again.
        first: The first recall of each user, which takes the user's mean vector.
    """

    size: Size
    ingest_per_s: float
    raw: Timings
    heads: Timings
    cold: Timings
    warm: Timings
    first: Timings


@dataclass(frozen=True, slots=True, kw_only=True)
class _Question:
    user: str
    intent: str


def measure_recall(folder: Path, size: Size, calls: int) -> Measured:
    """Fill a store in the folder, and time each part on the same questions."""
    house = open_house(folder, Settings(embedder="hash"))
    with Memory(house) as memory:
        rng = np.random.default_rng(size.memories)
        ingest_per_s = _fill(memory, size, rng)

        def recall(one: _Question) -> object:
            return memory.recall(one.user, one.intent, now=_NOW)

        # All questions are of users who have asked before, so that the first recall of a user is in no other figure;
        # they are spread over the whole store.
        chosen = rng.permutation(size.users)[: min(size.users, max(calls // 10, 1))]
        first = timings(time_calls(recall, [_Question(user=_user(int(at)), intent="推荐 a job") for at in chosen]))
        questions = _questions(chosen, rng, calls)
        parts = _Parts(house)
        parts.prepare(questions)
        found = time_in_turns(
            {"raw": parts.search, "heads": parts.check_heads, "cold": recall, "warm": recall},
            [questions[at::_ROUNDS] for at in range(_ROUNDS)],
        )
    return Measured(size=size, ingest_per_s=ingest_per_s, first=first, **found)


def _fill(memory: Memory, size: Size, rng: np.random.Generator) -> float:
    """Store every user's memories and return how many a second went in."""
    batches = [memories(rng, size.memories // size.users) for _ in range(size.users)]
    started = perf_counter()
    for at, batch in enumerate(batches):
        memory.remember_many(_user(at), batch)
    return size.memories / (perf_counter() - started)


def _questions(chosen: npt.NDArray[np.int64], rng: np.random.Generator, count: int) -> list[_Question]:
    users = rng.choice(chosen, size=count)
    return [
        _Question(user=_user(int(user)), intent=intent) for user, intent in zip(users, intents(rng, count), strict=True)
    ]


def _user(number: int) -> str:
    return f"user-{number:05d}"


class _Parts:
    """The two calls that recall cannot do without, prepared as recall prepares them."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._space = house.spaces.live()
        self._pools: dict[tuple[str, str], tuple[PoolQuery, list[str]]] = {}

    def search(self, one: _Question) -> object:
        """Ask the index for both channels."""
        return self._space.index.search(self._prepared(one)[0])

    def check_heads(self, one: _Question) -> object:
        """Read the heads of what the index answers."""
        owner = Owner(namespace=self._house.namespace, user_id=one.user)
        return self._house.store.read.heads(owner, self._prepared(one)[1])

    def prepare(self, questions: Sequence[_Question]) -> None:
        """Embed and search beforehand, so that only the call itself is timed."""
        for one in questions:
            self._prepared(one)

    def _prepared(self, one: _Question) -> tuple[PoolQuery, list[str]]:
        found = self._pools.get((one.user, one.intent))
        if found is None:
            owner = Owner(namespace=self._house.namespace, user_id=one.user)
            dense, sparse = self._house.embedder.embed_query(one.intent), encode_query(one.intent)
            query = PoolQuery(owner_key=owner.key, dense=dense, sparse=sparse, limit=POOL)
            pool = self._space.index.search(query)
            ids = list(dict.fromkeys(hit.memory_id for hit in (*pool.dense, *pool.lexical)))
            found = self._pools[one.user, one.intent] = (query, ids)
        return found
