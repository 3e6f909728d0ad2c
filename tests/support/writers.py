"""What a process does that writes beside others; it is run by `tests.integration.test_many_writers`."""

import multiprocessing
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from multiprocessing.managers import SyncManager
from pathlib import Path
from threading import Barrier

from pydantic import SecretStr

from ltm import Memory, MemoryInput, Settings, Turn
from ltm.errors import VersionConflictError

USER = "u1"
START = datetime(2026, 3, 1, 12, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One process's part.

    Attributes:
        url: Of the database; None is SQLite in the folder.
        rounds: How often everything is done.
    """

    folder: Path
    url: str | None
    number: int
    rounds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What a process has seen.

    Attributes:
        conflicts: How often somebody else was faster where a version was expected.
        recalled: Whether it had found its own words at the end.
        degraded: Whether it had to do without the index then.
    """

    conflicts: int
    recalled: bool
    degraded: bool


def run_together(jobs: Sequence[Job]) -> list[Done]:
    """Run the jobs in a process each, which begin at the same moment."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["ltm.memory", "tests.support.writers"])
    with SyncManager(ctx=context) as manager, ProcessPoolExecutor(len(jobs), mp_context=context) as pool:
        barrier = manager.Barrier(len(jobs))
        return list(pool.map(write, jobs, [barrier] * len(jobs)))


def write(job: Job, barrier: Barrier) -> Done:
    """Write beside the others: the same slot, the same ids, the same turns, and a counter that must not lose one."""
    settings = Settings(
        path=job.folder,
        database_url=None if job.url is None else SecretStr(job.url),
        packs=("job_search",),
        embedder="hash",
        database_timeout_s=60,
    )
    with Memory.open(settings=settings) as memory:
        barrier.wait(120)
        conflicts = 0
        for at in range(job.rounds):
            _say(memory, job.number, at)
            conflicts += _count_up(memory)
        recall = memory.recall(USER, f"word{job.number}x", min_relevance=0, limit=200, token_budget=None)
        own = [item for item in recall.items if f"word{job.number}x" in item.memory.text]
        barrier.wait(120)
        return Done(conflicts=conflicts, recalled=len(own) == job.rounds, degraded="index" in recall.degraded)


def _say(memory: Memory, number: int, at: int) -> None:
    when = START + timedelta(days=at)
    memory.remember(USER, f"city {number}.{at}", key="city", value=f"{number}.{at}", at=when)
    memory.remember(USER, f"note {at}", key="note", value=at, at=when, external_id=f"note-{at}")
    memory.remember_many(
        USER,
        [
            MemoryInput(text=f"word{number}x number{at}", at=when),
            MemoryInput(text=f"common words {at}", at=when),
            MemoryInput(text=f"walk {at}", kind="episode", at=when, external_id=f"walk-{at}"),
        ],
    )
    turns = [Turn(role="user", text=f"期望薪资 {10 + at}k", at=when, id=f"t{at}")]
    memory.observe(USER, turns, f"s{at}")
    memory.observe(f"user-{number}", turns, f"s{at}")


def _count_up(memory: Memory) -> int:
    """Add one to a counter, again where somebody was faster; return how often that was."""
    conflicts = 0
    while True:
        chain = memory.history(USER, key="count")
        head = max(chain, key=lambda record: record.version, default=None)
        value = 0 if head is None or not isinstance(head.value, int) else head.value
        version = 0 if head is None else head.version
        try:
            memory.remember(USER, "count", key="count", value=value + 1, expected_version=version)
        except VersionConflictError:
            conflicts += 1
        else:
            return conflicts


Run = Callable[[Sequence[Job]], list[Done]]
