"""Users held out of tuning."""

from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256

from eval.datasets.values import Dataset


def with_splits(dataset: Dataset) -> Dataset:
    """Return the set with every user in `train` or `test`: as its rows say, else half of the users each.

    The order is by the hash of the user's id, so that neighbours in the file are parted alike on every machine.
    """
    if any(memory.split for memory in dataset.memories):
        return dataset
    users = sorted({memory.user for memory in dataset.memories}, key=lambda user: sha256(user.encode()).digest())
    split: Mapping[str, str] = {user: ("train", "test")[at % 2] for at, user in enumerate(users)}
    return replace(
        dataset,
        memories=tuple(replace(memory, split=split[memory.user]) for memory in dataset.memories),
        queries=tuple(replace(query, split=split.get(query.user)) for query in dataset.queries),
    )
