"""Adds a second, search and memory of every system at one size, in turns so that the machine's noise falls on all."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import ExitStack

from bench.adapters import OURS
from bench.process import PeerProcess, open_process
from bench.values import Speed
from bench.workload import Workload
from eval.bench.timing import Timings, timings
from eval.runner.ingest import Advance, batches

EMBEDDER = "hash"
"""So that the stores are measured and no model."""
LIMIT = 10


def measure_speed(work: Workload, systems: Sequence[str], limit_s: float, advance: Advance) -> list[Speed]:
    """Fill every system and search it, all of them open at the same time and only one of them busy.

    Args:
        work: What is stored and asked.
        systems: Names that can be run.
        limit_s: How long a system may take to store everything, and again to search; a system that was too slow to
            store everything is not searched, one that is slow to search is asked fewer questions.
        advance: Told of every memory and question that one system is done with.
    """
    with ExitStack() as stack:
        peers = {name: stack.enter_context(open_process(name, embedder=EMBEDDER))[0] for name in systems}
        added, spent = _fill(peers, work, limit_s, advance)
        full = {name: peer for name, peer in peers.items() if added[name] == len(work.memories)}
        searched = _search(full, work, limit_s, advance)
        ours = searched.get(OURS)
        return [
            Speed(
                system=name,
                memories=len(work.memories),
                added=added[name],
                adds_per_s=added[name] / spent[name],
                search=searched.get(name),
                slower=searched[name].p50 / ours.p50 if ours is not None and name in searched else None,
                peak_rss_mb=peer.peak_rss_mb(),
            )
            for name, peer in peers.items()
        ]


def _fill(
    peers: Mapping[str, PeerProcess], work: Workload, limit_s: float, advance: Advance
) -> tuple[dict[str, int], dict[str, float]]:
    """Return how many memories each took, and in how many seconds."""
    added, spent = dict.fromkeys(peers, 0), dict.fromkeys(peers, 0.0)
    for batch in batches(work.memories):
        for name, peer in peers.items():
            if spent[name] < limit_s:
                spent[name] += peer.add(batch)
                added[name] += len(batch)
            advance(len(batch))
    return added, spent


def _search(peers: Mapping[str, PeerProcess], work: Workload, limit_s: float, advance: Advance) -> dict[str, Timings]:
    seconds: defaultdict[str, list[float]] = defaultdict(list)
    for peer in peers.values():
        peer.search(work.first, LIMIT)
    for questions in work.rounds:
        for name, peer in peers.items():
            if sum(seconds[name]) < limit_s:
                seconds[name].extend(peer.search(questions, LIMIT).seconds)
            advance(len(questions))
    return {name: timings(found) for name, found in seconds.items()}
