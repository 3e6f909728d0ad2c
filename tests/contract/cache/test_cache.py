import time
from concurrent.futures import ThreadPoolExecutor

from ltm.cache.process import ProcessCache
from ltm.cache.redis_cache import RedisCache
from ltm.models import Owner
from ltm.ports import Cache, TurnLog, owner_cache_key

Both = ProcessCache | RedisCache


def key(owner_key: str, part: str = "x") -> str:
    """Return a key of this owner."""
    return owner_cache_key(owner_key, "pool", part)


def test_both_ports_are_met(cache: Both) -> None:
    """A type checker proves it here for each backend."""
    values: Cache = cache
    turns: TurnLog = cache

    assert values.get(key("o")) is None
    assert turns.entries("o", "s") == []


def test_a_value_comes_back_until_its_time_is_over(cache: Both) -> None:
    """Bytes are kept as they are; afterwards there is nothing."""
    cache.set(key("o"), b"\x00\xff", ttl_s=0.3)
    cache.set(key("o", "empty"), b"", ttl_s=60)

    assert cache.get(key("o")) == b"\x00\xff"
    assert cache.get(key("o", "empty")) == b""
    assert cache.get(key("o", "other")) is None
    time.sleep(0.4)
    assert cache.get(key("o")) is None
    assert cache.count_owner("o") == 1


def test_the_last_value_wins(cache: Both) -> None:
    """Setting a key again replaces its value and its time."""
    cache.set(key("o"), b"1", ttl_s=0.1)
    cache.set(key("o"), b"2", ttl_s=60)
    time.sleep(0.2)

    assert cache.get(key("o")) == b"2"


def test_erasing_an_owner_finds_everything_and_nobody_elses(cache: Both) -> None:
    """Values and dialogues of exactly this owner go, whatever characters its id holds."""
    ids = ["*", "a", "a*", "A", "a ", "á", "a\u0301", "%", "?", "[a]", "🙂"]
    owners = [Owner(namespace="n", user_id=user_id).key for user_id in ids]
    for owner in owners:
        for part in "123":
            cache.set(key(owner, part), b"v", ttl_s=60)
        cache.append(owner, "s", b"turn", ttl_s=60)

    for gone, owner in enumerate(owners):
        assert cache.count_owner(owner) == 4
        assert cache.delete_owner(owner) == 4
        assert cache.delete_owner(owner) == 0
        assert [cache.count_owner(other) for other in owners] == [0] * (gone + 1) + [4] * (len(owners) - gone - 1)


def test_erasing_finds_more_than_one_batch_of_keys(cache: Both) -> None:
    """A walk over the keys goes on to its end."""
    for number in range(2500):
        cache.set(key("o", str(number)), b"v", ttl_s=60)

    assert cache.count_owner("o") == 2500
    assert cache.delete_owner("o") == 2500
    assert cache.count_owner("o") == 0


def test_turns_keep_their_order_by_dialogue(cache: Both) -> None:
    """Each owner and session has its own log, also where ids could run into each other."""
    for entry in (b"1", b"2", b"3"):
        cache.append("o", "s", entry, ttl_s=60)
    cache.append("o", "s2", b"4", ttl_s=60)
    cache.append("os", "2", b"5", ttl_s=60)

    assert cache.entries("o", "s") == [b"1", b"2", b"3"]
    assert cache.entries("o", "s2") == [b"4"]
    assert cache.entries("os", "2") == [b"5"]
    assert cache.entries("o", "never") == []


def test_turns_are_removed_one_by_one_by_content(cache: Both) -> None:
    """Equal entries go one at a time; what is gone already is no error; an empty dialogue is not counted."""
    for entry in (b"1", b"2", b"1", b"3"):
        cache.append("o", "s", entry, ttl_s=60)

    cache.remove("o", "s", [b"1", b"never"])
    assert cache.entries("o", "s") == [b"2", b"1", b"3"]
    cache.remove("o", "s", [])
    cache.remove("o", "s", [b"1", b"2", b"3"])

    assert cache.entries("o", "s") == []
    assert cache.count_owner("o") == 0


def test_a_turn_renews_the_time_of_its_dialogue(cache: Both) -> None:
    """A dialogue lives as long as somebody speaks."""
    cache.append("o", "s", b"1", ttl_s=0.1)
    cache.append("o", "s", b"2", ttl_s=0.6)
    time.sleep(0.2)
    assert cache.entries("o", "s") == [b"1", b"2"]
    time.sleep(0.5)
    assert cache.entries("o", "s") == []


def test_threads_do_not_lose_turns(cache: Both) -> None:
    """Many writers of one dialogue are all heard."""
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: cache.append("o", "s", str(number).encode(), ttl_s=60), range(200)))

    assert sorted(map(int, cache.entries("o", "s"))) == list(range(200))


def test_closing_twice_is_no_error(cache: Both) -> None:
    """Whoever closes need not know whether somebody did before."""
    cache.close()
    cache.close()
