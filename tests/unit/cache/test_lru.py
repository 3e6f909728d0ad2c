from ltm.cache.lru import LruCache
from tests.support.manual_clock import ManualClock


def test_too_many_entries_push_out_the_one_unused_for_longest() -> None:
    """Reading counts as use."""
    cache = LruCache(max_entries=2)
    cache.set("a", b"1", ttl_s=60)
    cache.set("b", b"2", ttl_s=60)
    cache.get("a")
    cache.set("c", b"3", ttl_s=60)

    assert [cache.get(key) for key in "abc"] == [b"1", None, b"3"]


def test_too_many_bytes_push_out_as_many_as_needed() -> None:
    """Keys and values count."""
    cache = LruCache(max_bytes=30)
    cache.set("a", b"1" * 9, ttl_s=60)
    cache.set("b", b"2" * 9, ttl_s=60)
    cache.set("c", b"3" * 19, ttl_s=60)

    assert [cache.get(key) for key in "abc"] == [None, b"2" * 9, b"3" * 19]


def test_a_value_that_can_never_fit_pushes_out_nothing() -> None:
    """But it does not leave an older value under its key either."""
    cache = LruCache(max_bytes=30)
    cache.set("a", b"1", ttl_s=60)
    cache.set("b", b"2", ttl_s=60)
    cache.set("b", b"2" * 100, ttl_s=60)

    assert cache.get("a") == b"1"
    assert cache.get("b") is None


def test_replacing_a_value_does_not_count_it_twice() -> None:
    """The room of the old value is free again."""
    cache = LruCache(max_bytes=25)
    for _ in range(10):
        cache.set("a", b"1" * 9, ttl_s=60)
    cache.set("b", b"2" * 9, ttl_s=60)

    assert cache.get("a") == b"1" * 9


def test_entries_expire_by_the_clock_that_never_goes_back() -> None:
    """At the end of its time an entry is gone, and uncounted."""
    clock = ManualClock()
    cache = LruCache(monotonic=clock.monotonic)
    cache.set("a", b"1", ttl_s=10)

    clock.advance(9.9)
    assert cache.get("a") == b"1"
    clock.advance(0.1)
    assert cache.get("a") is None
