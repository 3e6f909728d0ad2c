"""Relay and reindex over an embedded store, from the first row to the switch."""

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from indexing.bench.filling import fill
from indexing.bench.stopwatch import Lap, Stopwatch
from indexing.bench.work import rebuild, relay_all
from ltm.settings import Settings
from ltm.wiring import open_embedder, open_parts


@dataclass(frozen=True, slots=True, kw_only=True)
class Speed:
    """One embedder.

    Attributes:
        relay: Every memory from the outbox to the index.
        build: Every memory into a new generation.
        reindex: Build, probe, comparison with SQL, and switch.
    """

    points: int
    relay: Lap
    build: Lap
    reindex: Lap

    def per_s(self, lap: Lap) -> float:
        """Return the points a second."""
        return self.points / lap.seconds


def measure_speed(folder: Path, points: int, embedder: str) -> Speed:
    """Fill an empty folder, bring everything to the index, and build it anew.

    Raises:
        ConfigurationError: The embedder is not installed.
    """
    fill(folder, points, embedder)
    settings = Settings(embedder=embedder)
    with closing(Stopwatch(open_embedder(settings, embedder))) as watch:
        # A model is loaded at its first use.
        watch.embed_query("load")
        with closing(open_parts(folder, settings, embedder=watch)) as house:
            with watch.stage("relay", points):
                relay_all(house)
            with watch.stage("reindex", points):
                rebuild(house, watch)
    return Speed(points=points, relay=watch.laps["relay"], build=watch.laps["build"], reindex=watch.laps["reindex"])
