"""The words of the built-in packs, read once."""

import pytest

from ltm.packs import PackSet
from ltm.write.word_index import WordIndex, index_words


@pytest.fixture(scope="session")
def words(packs: PackSet) -> WordIndex:
    """Return the lexicons of all built-in packs."""
    return index_words(packs)
