"""Users held out of tuning."""

from datetime import UTC, datetime

from eval.datasets import CorpusMemory, Dataset, Query
from eval.datasets.splits import with_splits

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def make(split: str | None) -> Dataset:
    """Return a set of four users with a memory and a query each."""
    users = [f"u{at}" for at in range(4)]
    return Dataset(
        name="s",
        lang="en",
        memories=tuple(CorpusMemory(memory_id=f"m{u}", user=u, text="t", at=NOW, split=split) for u in users),
        queries=tuple(
            Query(query_id=f"q{u}", user=u, intent="?", now=NOW, relevant={f"m{u}": 1}, split=split) for u in users
        ),
    )


def test_half_of_the_users_are_held_out() -> None:
    """Each user is on one side with all that is theirs, the same on every run."""
    parted = with_splits(make(None))
    train, test = parted.restrict("train"), parted.restrict("test")
    assert (len(train.queries), len(test.queries)) == (2, 2)
    assert not {memory.user for memory in train.memories} & {memory.user for memory in test.memories}
    assert with_splits(make(None)) == parted


def test_splits_of_the_set_itself_are_kept() -> None:
    """Who made the set knows best."""
    assert with_splits(make("test")) == make("test")
