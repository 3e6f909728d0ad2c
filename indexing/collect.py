"""Drop generations that nobody reads any more."""

from collections.abc import Collection

from ltm.house import House


def collect(house: House, states: Collection[str]) -> list[str]:
    """Drop the generations in these states and return their names, the oldest first; the live one always stays.

    The index goes first, then the row: what is interrupted is still known, and dropped by the next call.

    Raises:
        IndexLockedError: Another process has the embedded index.
        VectorIndexError: The index did not answer.
    """
    dropped: list[str] = []
    for generation in house.store.generations.list_all():
        if generation.state == "live" or generation.state not in states:
            continue
        house.spaces.forget(generation)
        house.admin.drop(generation.name)
        house.store.generations.drop(generation.generation_id)
        dropped.append(generation.name)
    return dropped
