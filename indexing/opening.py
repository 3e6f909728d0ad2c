"""Open a generation as it is found, which may be damaged."""

from dataclasses import dataclass

from ltm.errors import ConfigurationError, FingerprintMismatchError, IndexLockedError, VectorIndexError
from ltm.house import House
from ltm.ports import Generation, Space


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Opened:
    """A generation that was asked to count its points.

    Attributes:
        space: None where its index is damaged, or built with another embedder than its row says.
        trouble: Why, else None.
    """

    space: Space | None
    trouble: str | None = None


def open_generation(house: House, generation: Generation) -> Opened:
    """Open a generation and see whether it answers; nothing is changed by what cannot be opened.

    Raises:
        IndexLockedError: Another process has the embedded index.
        VectorIndexError: The index did not answer; asking again may help.
    """
    try:
        space = house.spaces.get(generation)
        space.index.count()
    except FingerprintMismatchError as error:
        return Opened(space=None, trouble=str(error))
    except VectorIndexError as error:
        if error.retryable or isinstance(error, IndexLockedError):
            raise
        return Opened(space=None, trouble=str(error))
    return Opened(space=space)


def lease_of(house: House) -> float | None:
    """Return how long one thread's claims last: no time where this process alone can serve the index.

    What a killed process had claimed there must not wait; elsewhere leases go by what batches take.
    """
    return None if house.keeper is None else 0.0


def find_generation(house: House, number: int | None) -> Generation:
    """Return a generation by its number, the live one for None.

    Raises:
        ConfigurationError: There is none.
    """
    found = house.store.generations.list_all()
    for generation in found:
        if generation.generation_id == number or (number is None and generation.state == "live"):
            return generation
    if number is None:
        raise ConfigurationError("no generation is live yet: the first write, or `ltm index reindex`, makes one")
    known = ", ".join(str(generation.generation_id) for generation in found) or "none"
    raise ConfigurationError(f"there is no generation {number}; there are: {known}")
