"""Stores for jobs: SQL where the test says, vectors where the test says, embedders that it made."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from pydantic import SecretStr

from indexing.verify import Comparison, Report, Sampling
from ltm.embed.hashing import HashEmbedder
from ltm.errors import ConfigurationError
from ltm.house import House
from ltm.memory import Memory
from ltm.models import MemoryInput
from ltm.ports import Embedder, EmbedderSpec, Generation, IndexAdmin
from ltm.recall.profile import find_profile
from ltm.recall.recall import Recaller
from ltm.settings import Settings
from ltm.spaces import OpenSpaces
from ltm.wiring import open_parts


@contextmanager
def house_of(
    url: str,
    folder: Path,
    admin: IndexAdmin,
    *,
    embedder: Embedder | None = None,
    others: Sequence[Embedder] = (),
    packs: tuple[str, ...] = (),
) -> Iterator[House]:
    """Open a house over a database and an index that others may share; the schema is made where it is absent.

    Args:
        url: Of the database.
        folder: For whatever else is local.
        admin: Of the index; not closed here.
        embedder: The configured one, the hashing one for None.
        others: What can be loaded besides.
        packs: Domain packs.
    """
    own = embedder or HashEmbedder()
    known = {one.spec.name: one for one in (own, *others)}

    def load(spec: EmbedderSpec) -> Embedder:
        if spec.name not in known:
            raise ConfigurationError(f"no embedder {spec.name!r}")
        return known[spec.name]

    house = open_parts(None, Settings(path=folder, database_url=SecretStr(url), embedder="hash", packs=packs))
    spaces = OpenSpaces(house.store, admin, own, load)
    try:
        recaller = Recaller(
            reader=house.store.read,
            spaces=spaces,
            cache=house.cache,
            packs=house.packs,
            profile=find_profile("default"),
        )
        yield replace(house, admin=admin, spaces=spaces, embedder=own, recaller=recaller, keeper=None)
    finally:
        spaces.close()
        house.close()


def compare(house: House, generation: Generation | None = None) -> Report:
    """Compare a generation, the live one for None, with every vector."""
    space = house.spaces.live() if generation is None else house.spaces.get(generation)
    return Comparison(house.store, space, sampling=Sampling(every=1)).run()


def remember_texts(house: House, user_id: str, texts: Sequence[str]) -> list[str]:
    """Store memories of one user and return their ids in the order of the texts."""
    records = Memory(house).remember_many(user_id, [MemoryInput(text=text) for text in texts])
    return [record.memory_id for record in records]
