"""Many processes write the same user, slot and turns: one gapless chain, nothing twice, nothing lost."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from pydantic import SecretStr

from ltm import Memory, MemoryInput, Settings, Turn
from ltm.errors import IllegalTransitionError, MemoryNotFoundError
from ltm.models import Json, Status
from tests.support.backends import BACKENDS
from tests.support.databases import own_database
from tests.support.writers import USER, Done, Job, run_together


def _check(memory: Memory, jobs: list[Job], done: list[Done]) -> None:
    rounds = jobs[0].rounds
    cities = _chain(memory, "city")
    assert sorted(map(str, cities)) == sorted(f"{job.number}.{at}" for job in jobs for at in range(rounds))
    assert _chain(memory, "count") == list(range(1, len(jobs) * rounds + 1))
    assert sorted(map(str, _chain(memory, "note"))) == sorted(map(str, range(rounds)))
    assert all(one.conflicts >= 0 for one in done)
    texts = Counter(record.text for record in memory.list(USER, status=None))
    assert all(texts[f"common words {at}"] == texts[f"walk {at}"] == 1 for at in range(rounds))
    assert sum(count for text, count in texts.items() if text.startswith("word")) == len(jobs) * rounds
    for user in (USER, *(f"user-{job.number}" for job in jobs)):
        salaries = memory.history(user, key="job.expected_salary")
        said = [(item.session_id, item.turn_id) for record in salaries for item in record.evidence]
        assert sorted(said) == sorted((f"s{at}", f"t{at}") for at in range(rounds))
        assert len(salaries) == rounds
        assert len(memory.decisions(user)) == rounds


def _chain(memory: Memory, key: str) -> list[Json]:
    """Return the values of a chain that has neither gap nor overlap."""
    chain = memory.history(USER, key=key)
    assert [record.version for record in chain] == list(range(1, len(chain) + 1))
    standing = sorted(chain, key=lambda record: (record.valid_from, record.version))
    assert all(now.valid_to == after.valid_from for now, after in pairwise(standing))
    assert [record.status for record in standing] == [Status.SUPERSEDED] * (len(chain) - 1) + [Status.ACTIVE]
    return [record.value for record in chain]


def _check_index(memory: Memory, jobs: list[Job]) -> None:
    """Find with one recall a word of each process, whichever of them held the index when it was written."""
    for job in jobs:
        word = f"word{job.number}x"
        recall = memory.recall(USER, word, min_relevance=0, limit=200, token_budget=None)
        found = [item for item in recall.items if word in item.memory.text]
        assert (len(found), recall.degraded) == (job.rounds, ())


@pytest.mark.timeout(300)
def test_four_processes_share_a_folder(tmp_path: Path) -> None:
    """One of them holds the index; what the others wrote waits for it, and each finds its own words meanwhile."""
    folder = tmp_path / "store"
    jobs = [Job(folder=folder, url=None, number=number, rounds=5) for number in range(4)]
    done = run_together(jobs)
    assert all(one.recalled for one in done)
    assert any(not one.degraded for one in done)
    with Memory.open(folder, settings=Settings(packs=("job_search",), embedder="hash")) as memory:
        _check(memory, jobs, done)
        _check_index(memory, jobs)


def _share_a_server(tmp_path: Path, *, rounds: int) -> None:
    with own_database() as url:
        jobs = [Job(folder=tmp_path / "store", url=url, number=number, rounds=rounds) for number in range(16)]
        done = run_together(jobs)
        settings = Settings(
            path=tmp_path / "store", database_url=SecretStr(url), packs=("job_search",), embedder="hash"
        )
        with Memory.open(settings=settings) as memory:
            _check(memory, jobs, done)
            _check_index(memory, jobs)


@pytest.mark.service
@pytest.mark.timeout(300)
def test_sixteen_processes_share_a_server(tmp_path: Path) -> None:
    """The user's row is locked first, so that nobody sees a deadlock, and a conflict only who asked for one."""
    _share_a_server(tmp_path, rounds=3)


@pytest.mark.parametrize("name", ["embedded", pytest.param("servers", marks=pytest.mark.service)])
def test_threads_do_everything_at_once(name: str, tmp_path: Path) -> None:
    """Writing, undoing, moving, erasing, recalling at once raises nothing, and index and SQL agree after it."""
    with BACKENDS[name](tmp_path / "store", ("job_search",)) as backend, ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda seed: _do_everything(backend.memory, seed), range(8)))
        users = backend.memory.users()
        for user in users:
            backend.memory.recall(user, "text")
        listed = {record.memory_id for user in users for record in backend.memory.list(user)}
        assert {point.memory_id for point in backend.points() if point.status is Status.ACTIVE} == listed


def _do_everything(memory: Memory, seed: int) -> None:
    dice = np.random.default_rng(seed)
    for number in range(25):
        user, session = f"u{dice.integers(3)}", f"s{dice.integers(3)}"
        act = int(dice.integers(9))
        if act < 3:
            memory.remember_many(user, [MemoryInput(text=f"text {seed}.{number}.{at}") for at in range(act + 1)])
        elif act == 3:
            memory.remember(user, "note", key="note", value=number, session_id=session)
        elif act == 4:
            memory.observe(user, [Turn(role="user", text="上海也可以", id=f"{seed}.{number}")], session)
        elif act == 5:
            memory.recall(user, f"text {number}", min_relevance=0)
        elif act == 6:
            memory.revert(user, session_id=session)
        elif act == 7:
            with suppress(IllegalTransitionError):
                memory.transition(user, "job_search", ("hired", "searching")[number % 2])
        else:
            _erase(memory, user, is_whole=number % 4 == 0)


def _erase(memory: Memory, user: str, *, is_whole: bool) -> None:
    if is_whole:
        memory.erase(user)
        return
    with suppress(MemoryNotFoundError, IndexError):
        memory.erase(user, memory.list(user)[0].memory_id)


@pytest.mark.long
@pytest.mark.service
@pytest.mark.timeout(3600)
def test_sixteen_processes_share_a_server_for_long(tmp_path: Path) -> None:
    """The same, twenty times over."""
    _share_a_server(tmp_path, rounds=20)
