"""The whole comparison: which systems can be run here, quality on every set, speed at every size."""

import os
import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rich.console import Console

from bench.adapters import MODULES, OURS
from bench.peer import About, PeerUnavailableError
from bench.process import open_process
from bench.quality import measure_quality
from bench.speed import EMBEDDER, LIMIT, measure_speed
from bench.values import Comparison, Quality, Speed
from bench.workload import Workload, make_workload
from eval.datasets import Dataset
from eval.errors import EvaluationError
from eval.runner.ingest import BATCH
from eval.runner.progress import Bars, bars
from eval.session import Choice, read_sets
from ltm.clock import SystemClock
from ltm.commands.scratch import has_tmpfs


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is compared, and how long it may take.

    Attributes:
        sets: Labelled sets, for quality.
        embedder: For quality, as in `Settings.embedder`.
        joins_context: Give the others the turn before in front of the text.
        sizes: Memories in all, for speed.
        users: Over whom they are spread evenly, at every size.
        calls: Searches of each system at each size, in `rounds` rounds.
        limit_s: How long a system may take to store everything at one size, and again to search.
    """

    systems: tuple[str, ...]
    sets: Choice
    embedder: str
    joins_context: bool
    sizes: tuple[int, ...]
    users: int
    calls: int
    rounds: int
    limit_s: float


def compare_systems(plan: Plan, console: Console) -> Comparison:
    """Run everything; a system that cannot be run here, and a folder that is missing, is named in the result.

    Raises:
        EvaluationError: The library is not among the systems, one is unknown, no set is left, or a size is not even.
        PeerFailedError: A system's process ended in the middle.
    """
    if OURS not in plan.systems or not MODULES.keys() >= set(plan.systems):
        raise EvaluationError(f"systems are {', '.join(MODULES)}, and {OURS} must be among them")
    load = os.getloadavg()[0]
    found = read_sets(plan.sets, console)
    sets = [one for one in found if any(query.relevant for query in one.queries)]
    works = [make_workload(at, users=plan.users, calls=plan.calls, rounds=plan.rounds) for at in plan.sizes]
    abouts, left_out = _survey(plan.systems)
    if not plan.sets.data.is_dir():
        left_out[str(plan.sets.data)] = "is not there: none of its labelled sets was run"
    left_out |= {one.name: "no query of it has a relevant memory" for one in found if one not in sets}
    names = [about.system for about in abouts]
    with bars(console) as show:
        quality = tuple(_quality(plan, sets, names, show))
        speed = tuple(_speed(plan, works, names, show))
    return Comparison(
        made_at=SystemClock().now().isoformat(timespec="seconds"),
        setup=_setup(plan, load),
        systems=tuple(abouts),
        left_out=left_out,
        quality=quality,
        speed=speed,
    )


def _survey(systems: Sequence[str]) -> tuple[list[About], dict[str, str]]:
    abouts, left_out = [], {}
    for system in systems:
        try:
            with open_process(system, embedder=EMBEDDER) as (_, about):
                abouts.append(about)
        except PeerUnavailableError as error:
            left_out[system] = str(error)
    return abouts, left_out


def _quality(plan: Plan, sets: Sequence[Dataset], systems: Sequence[str], show: Bars) -> Iterator[Quality]:
    for dataset in sets:
        yield from measure_quality(dataset, systems, plan.embedder, show, joins_context=plan.joins_context)


def _speed(plan: Plan, works: Sequence[Workload], systems: Sequence[str], show: Bars) -> Iterator[Speed]:
    for work in works:
        size = len(work.memories)
        with show.bar(f"{size:,} memories", len(systems) * (size + plan.calls)) as advance:
            yield from measure_speed(work, systems, plan.limit_s, advance)


def _setup(plan: Plan, load: float) -> Mapping[str, str]:
    context = "in front of the text for all but ltm, which takes it as `context`"
    return {
        "machine": f"Python {platform.python_version()}, {os.cpu_count()} cores, load {load:.1f} at the start and "
        f"{os.getloadavg()[0]:.1f} at the end, files {'in memory (tmpfs)' if has_tmpfs() else 'on disk'}, no network",
        "quality": f"embedder {plan.embedder}, the same cached vectors for every system; "
        f"{LIMIT} results without a floor; the turn before "
        f"{context if plan.joins_context else 'only for ltm, as `context`, where a set has it'}",
        "speed": f"embedder {EMBEDDER}, its time included; {plan.users} users at every size, at most {BATCH} memories "
        f"of one user a call; {plan.calls} searches in {plan.rounds} rounds, after one of each user that is not timed",
        "turns": "each system in a process of its own, several at once for quality, where nothing is timed; for speed "
        "adds batch by batch and searches round by round, one system "
        f"after the other; at most {plan.limit_s:.0f} s a system for each",
    }
