"""The set that ships with the library keeps its promises."""

from collections import Counter

import pytest

from eval.datasets import OWN, Dataset, read_dataset


@pytest.fixture(scope="module")
def own() -> Dataset:
    """Read the set once."""
    return read_dataset(OWN)


def test_own_set_is_large_and_varied(own: Dataset) -> None:
    """At least 300 memories and 150 intents, every category, both languages, nothing skipped."""
    assert len(own.memories) >= 300
    assert len(own.queries) >= 150
    categories = {"direct", "implied", "dated", "stale", "multi", "cross_language", "no_answer"}
    assert {query.category for query in own.queries} == categories
    assert not own.skipped


def test_texts_are_not_cloned(own: Dataset) -> None:
    """No memory says the same as another of any user."""
    assert Counter(memory.text for memory in own.memories).most_common(1)[0][1] == 1


def test_relevant_memories_are_heads_and_forbidden_ones_are_not(own: Dataset) -> None:
    """The right answer is the newest statement on its key, the forbidden one an older one."""
    newest = {(memory.user, memory.key): memory.memory_id for memory in own.memories if memory.key}
    superseded = {memory.memory_id for memory in own.memories if memory.key} - set(newest.values())
    for query in own.queries:
        assert not superseded & query.relevant.keys()
        assert query.forbidden <= superseded


def test_users_are_in_one_split_and_both_splits_have_every_category(own: Dataset) -> None:
    """Tuning on train users says nothing about test users."""
    splits = {split: own.restrict(split) for split in ("train", "test")}
    assert sum(len(part.queries) for part in splits.values()) == len(own.queries)
    users = [{memory.user for memory in part.memories} for part in splits.values()]
    assert not users[0] & users[1]
    assert all(len({query.category for query in part.queries}) == 7 for part in splits.values())


def test_intents_are_asked_after_what_they_ask_for(own: Dataset) -> None:
    """No intent lies before a memory that answers it."""
    at = {memory.memory_id: memory.at for memory in own.memories}
    assert all(at[name] < query.now for query in own.queries for name in query.relevant)
