from hypothesis import given
from hypothesis import strategies as st

from ltm.models import Owner
from ltm.ports import owner_cache_key, owner_cache_prefix

IDS = st.text(min_size=1, max_size=8)


def test_keys_show_neither_ids_nor_texts() -> None:
    """Whoever reads the cache's keys learns nobody's name and no words."""
    key = owner_cache_key(Owner(namespace="prod", user_id="alice").key, "pool", 7, "where do I live?")

    assert "alice" not in key
    assert "prod" not in key
    assert "live" not in key
    assert key.split(":")[1] == "pool"


@given(one=st.tuples(IDS, IDS), other=st.tuples(IDS, IDS))
def test_two_owners_never_share_a_prefix(one: tuple[str, str], other: tuple[str, str]) -> None:
    """Owners that differ in any code point have different prefixes, and neither begins with the other."""
    prefixes = [owner_cache_prefix(Owner(namespace=name, user_id=user).key) for name, user in (one, other)]

    assert (prefixes[0] == prefixes[1]) == (one == other)
    assert len(prefixes[0]) == len(prefixes[1])


@given(st.lists(st.lists(IDS, max_size=3), min_size=2, max_size=2))
def test_parts_are_hashed_with_their_boundaries(parts: list[list[str]]) -> None:
    """("ab", "c") is another key than ("a", "bc"), and the order counts."""
    one, other = (owner_cache_key("o", "pool", *each) for each in parts)

    assert (one == other) == (parts[0] == parts[1])


def test_every_key_begins_with_its_owner_prefix() -> None:
    """So that an owner's entries are found by that prefix alone."""
    assert owner_cache_key("o", "query", "x").startswith(owner_cache_prefix("o"))
