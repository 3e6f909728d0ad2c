"""What generations there are, and how far each is behind."""

from collections.abc import Iterator
from dataclasses import dataclass

from indexing.opening import open_generation
from ltm.errors import VectorIndexError
from ltm.house import House
from ltm.ports import Generation
from ltm.spaces import spec_of


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationStatus:
    """One generation.

    Attributes:
        points: None where its index cannot be asked; `trouble` says why.
        rows: Outbox rows that wait; dead letters are not counted.
        seconds: Age of the oldest of them.
    """

    number: int
    name: str
    state: str
    embedder: str
    dim: int
    points: int | None
    rows: int
    seconds: float
    dead: int
    checkpoint: str | None
    trouble: str | None


def list_statuses(house: House) -> Iterator[GenerationStatus]:
    """Yield the generations, the oldest first."""
    for generation in house.store.generations.list_all():
        points, trouble = _count(house, generation)
        lag = house.store.outbox.lag(generation.generation_id)
        yield GenerationStatus(
            number=generation.generation_id,
            name=generation.name,
            state=generation.state,
            embedder=spec_of(generation).name,
            dim=generation.dim,
            points=points,
            rows=lag.rows,
            seconds=round(lag.seconds, 1),
            dead=lag.dead,
            checkpoint=generation.checkpoint,
            trouble=trouble,
        )


def _count(house: House, generation: Generation) -> tuple[int | None, str | None]:
    try:
        opened = open_generation(house, generation)
        return (None if opened.space is None else opened.space.index.count()), opened.trouble
    except VectorIndexError as error:
        return None, str(error)
