"""How long the faults last."""

import os

import pytest


@pytest.fixture
def kills() -> int:
    """Return how often a writer is killed: seldom in CI, 200 times by `make faults`."""
    return int(os.environ.get("LTM_TEST_KILLS", "15"))
