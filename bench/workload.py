"""The texts and questions of the speed measurement: those of `eval.bench`, the same on every run."""

from dataclasses import dataclass
from datetime import timedelta

import numpy as np

from eval.bench.texts import START, intents, memories
from eval.datasets import CorpusMemory, Query
from eval.errors import EvaluationError

_NOW = START + timedelta(days=365)


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """What every system is given at one size.

    Attributes:
        memories: Spread evenly over the users.
        first: A question of each user, not timed: whatever is made ready at a user's first search is made ready here.
        rounds: Questions never asked before, of all users in turn.
    """

    memories: tuple[CorpusMemory, ...]
    first: tuple[Query, ...]
    rounds: tuple[tuple[Query, ...], ...]


def make_workload(count: int, *, users: int, calls: int, rounds: int) -> Workload:
    """Return `count` memories of so many users, and `calls` questions in rounds.

    Raises:
        EvaluationError: The memories or the calls cannot be dealt out evenly.
    """
    if count % users or calls % rounds:
        raise EvaluationError(f"{count} memories of {users} users, {calls} calls in {rounds} rounds: not even")
    rng = np.random.default_rng(count)
    stored = tuple(
        CorpusMemory(memory_id=f"{_user(at)}-{number}", user=_user(at), text=one.text, at=one.at or START)
        for at in range(users)
        for number, one in enumerate(memories(rng, count // users))
    )
    asked = [
        Query(query_id=str(number), user=_user(number % users), intent=intent, now=_NOW, relevant={})
        for number, intent in enumerate(intents(rng, users + calls))
    ]
    first, timed = asked[:users], asked[users:]
    return Workload(memories=stored, first=tuple(first), rounds=tuple(tuple(timed[at::rounds]) for at in range(rounds)))


def _user(number: int) -> str:
    return f"user-{number:05d}"
