import subprocess
import sys

import pytest

from tests.support.databases import own_database

SECONDS_A_KILL = 30


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("mode", ["embedded", pytest.param("server", marks=pytest.mark.service)])
def test_a_killed_writer_leaves_nothing_half(mode: str, kills: int) -> None:
    """What was acknowledged is there, nothing is half written, and after one relay run SQL and index agree."""
    if mode == "server":
        with own_database():
            pass
    command = [sys.executable, "-m", "tests.faults.kill_writer", "--kills", str(kills), "--mode", mode]
    done = subprocess.run(command, capture_output=True, text=True, timeout=kills * SECONDS_A_KILL, check=False)
    sys.stdout.write(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr
