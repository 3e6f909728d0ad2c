"""What unit tests of several floors need."""

import pytest

from ltm.packs import PackSet, load_packs


@pytest.fixture(scope="session")
def packs() -> PackSet:
    """Return all built-in packs."""
    return load_packs(("job_search", "venue_booking"))
