"""The measurements run, on stores that are too small to say anything of speed."""

from pathlib import Path

import pytest

from eval.bench.caches import measure_caches
from eval.bench.recall import Size, measure_recall
from eval.bench.steps import measure_transition
from eval.bench.writing import measure_writes
from tests.support.servers import OwnRedis


def test_recall_is_measured_in_its_parts(tmp_path: Path) -> None:
    """Each part was timed on the same questions."""
    found = measure_recall(tmp_path, Size(memories=60, users=3), calls=10)
    assert found.raw.count == found.heads.count == found.cold.count == found.warm.count == 10
    assert found.ingest_per_s > 0


def test_where_the_time_of_observe_goes_adds_up(tmp_path: Path) -> None:
    """The shares are shares of a whole."""
    found = measure_writes(tmp_path, calls=10)
    assert sum(found.observe_shares.values()) == pytest.approx(1)


def test_a_step_is_measured_only_if_it_ends_everything(tmp_path: Path) -> None:
    """The store was filled with memories that the machine binds."""
    assert measure_transition(tmp_path, count=20).count == 5


def test_without_a_server_only_the_cache_in_the_process_is_measured(tmp_path: Path) -> None:
    """Every intent is asked twice."""
    found = measure_caches(tmp_path, 10, "")
    assert {name: (cache.cold.count, cache.warm.count) for name, cache in found.items()} == {"in process": (10, 10)}


@pytest.mark.service
def test_the_server_is_measured_beside_it(tmp_path: Path) -> None:
    """A recall that went on without its cache would be no measurement."""
    server = OwnRedis(tmp_path)
    server.start()
    try:
        assert list(measure_caches(tmp_path / "stores", 10, server.url)) == ["in process", "Redis"]
    finally:
        server.kill()
