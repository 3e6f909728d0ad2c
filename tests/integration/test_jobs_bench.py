"""The benchmark of the jobs measures what it says, and a job's memory does not grow with the store."""

import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from indexing.bench.footprint import can_measure, measure_footprint
from indexing.bench.rows import MOST_GROWTH, measure_jobs
from indexing.bench.speed import measure_speed
from indexing.bench.stopwatch import Stopwatch
from ltm.embed.hashing import HashEmbedder
from ltm.ports import Matrix


class Slow(HashEmbedder):
    """Takes a while for each call."""

    def embed_passages(self, texts: Sequence[str]) -> Matrix:
        """Wait, then embed."""
        time.sleep(0.05)
        return super().embed_passages(texts)


def test_a_lap_knows_the_embedders_part() -> None:
    """The rest of a stage is the job's; what was embedded outside of it does not count."""
    watch = Stopwatch(Slow())
    watch.embed_passages(["before"])
    with watch.stage("half", 1):
        watch.embed_passages(["within"])
        time.sleep(0.05)
    with watch.stage("none", 1):
        time.sleep(0.01)
    assert 0.3 < watch.laps["half"].embedder_share < 0.7
    assert watch.laps["none"].embedder_share == 0.0


def test_both_jobs_are_timed_over_every_point(tmp_path: Path) -> None:
    """A build is a part of its reindex, and nothing of a fill is timed."""
    found = measure_speed(tmp_path, 250, "hash")
    assert found.points == 250
    assert found.reindex.seconds > found.build.seconds > 0
    assert found.per_s(found.relay) == pytest.approx(250 / found.relay.seconds)


@pytest.mark.slow
@pytest.mark.skipif(not can_measure(), reason="the system does not say how much memory a process had")
def test_a_jobs_memory_does_not_grow_with_the_store(tmp_path: Path) -> None:
    """With ten times the points relay and reindex hold no more than a page of them, as before."""
    small, large = (measure_footprint(tmp_path / str(points), points) for points in (600, 6_000))
    assert large.relay_mb < MOST_GROWTH * small.relay_mb
    assert large.reindex_mb < MOST_GROWTH * small.reindex_mb


@pytest.mark.model
def test_every_figure_has_a_row() -> None:
    """Rates with the hashing embedder, shares of the bundled model's."""
    names = [row.name for row in measure_jobs(200, 20, with_footprint=False)]
    assert names == [
        "relay",
        "reindex, probe to switch",
        "relay",
        "relay, of the embedder's rate",
        "build of a reindex, of the embedder's rate",
    ]
