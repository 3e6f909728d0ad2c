"""The built-in packs and their words, read once."""

import pytest

from ltm.packs import PackSet, load_packs
from ltm.write.word_index import WordIndex, index_words


@pytest.fixture(scope="session")
def packs() -> PackSet:
    """Return all built-in packs."""
    return load_packs(("job_search", "venue_booking"))


@pytest.fixture(scope="session")
def words(packs: PackSet) -> WordIndex:
    """Return the lexicons of all built-in packs."""
    return index_words(packs)
