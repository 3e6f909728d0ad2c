import numpy as np
import pytest

from ltm.cache.process import ProcessCache
from ltm.embed import CachedQueries
from ltm.embed.hashing import HashEmbedder
from ltm.errors import CacheError
from ltm.ports import Vector


class CountingEmbedder(HashEmbedder):
    """Counts what it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def embed_query(self, text: str) -> Vector:
        """Count, and embed."""
        self.asked += 1
        return super().embed_query(text)


class DeadCache(ProcessCache):
    """Answers nothing, or only reads."""

    def __init__(self, *, can_read: bool = False) -> None:
        super().__init__()
        self._can_read = can_read

    def get(self, key: str) -> bytes | None:
        """Find nothing, or fail."""
        if self._can_read:
            return None
        raise CacheError("dead")

    def set(self, key: str, value: bytes, *, ttl_s: float) -> None:
        """Fail."""
        raise CacheError("dead")


def test_a_second_question_is_answered_from_the_cache() -> None:
    """The same text of the same owner is embedded once, and comes back bit by bit."""
    embedder = CountingEmbedder()
    queries = CachedQueries(embedder, ProcessCache(), ttl_s=60)

    first, second = queries.embed("o", "where"), queries.embed("o", "where")

    assert embedder.asked == 1
    np.testing.assert_array_equal(first.vector, second.vector)
    assert second.vector.dtype == np.float32
    assert not second.is_cache_down


def test_owners_do_not_share_entries() -> None:
    """What one user asked is cached, counted and erased for that user alone."""
    cache = ProcessCache()
    queries = CachedQueries(CountingEmbedder(), cache, ttl_s=60)

    queries.embed("o", "where")
    queries.embed("p", "where")

    assert cache.delete_owner("o") == 1
    assert cache.count_owner("p") == 1


@pytest.mark.parametrize("can_read", [False, True])
def test_a_dead_cache_is_a_miss_that_is_reported(can_read: bool) -> None:
    """The vector comes all the same, with a flag."""
    answer = CachedQueries(HashEmbedder(), DeadCache(can_read=can_read), ttl_s=60).embed("o", "where")

    assert answer.is_cache_down
    np.testing.assert_array_equal(answer.vector, HashEmbedder().embed_query("where"))


def test_garbage_in_the_cache_is_a_miss() -> None:
    """A value of another length is no vector of this model."""

    class Garbage(ProcessCache):
        def get(self, key: str) -> bytes | None:
            return b"garbage"

    embedder = CountingEmbedder()

    CachedQueries(embedder, Garbage(), ttl_s=60).embed("o", "where")

    assert embedder.asked == 1
