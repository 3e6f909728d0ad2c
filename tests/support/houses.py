"""Stores for jobs: SQL where the test says, vectors in a stand-in for a server."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from pydantic import SecretStr

from ltm.embed.hashing import HashEmbedder
from ltm.house import House
from ltm.memory import Memory
from ltm.models import MemoryInput
from ltm.ports import Embedder, IndexAdmin
from ltm.recall.profile import find_profile
from ltm.recall.recall import Recaller
from ltm.settings import Settings
from ltm.spaces import OpenSpaces
from ltm.wiring import open_embedder, open_parts


@contextmanager
def stand_in_house(url: str, folder: Path, admin: IndexAdmin, *, embedder: Embedder | None = None) -> Iterator[House]:
    """Open a house over a database and an index that others may share; the schema is made where it is absent."""
    settings = Settings(path=folder, database_url=SecretStr(url), embedder="hash")
    own = embedder or HashEmbedder()
    house = open_parts(None, settings)
    try:
        spaces = OpenSpaces(house.store, admin, own, lambda spec: open_embedder(settings, spec.name))
        recaller = Recaller(
            reader=house.store.read,
            spaces=spaces,
            cache=house.cache,
            packs=house.packs,
            profile=find_profile("default"),
        )
        yield replace(house, admin=admin, spaces=spaces, embedder=own, recaller=recaller)
    finally:
        house.close()


def remember_texts(house: House, user_id: str, texts: Sequence[str]) -> list[str]:
    """Store memories of one user and return their ids in the order of the texts."""
    records = Memory(house).remember_many(user_id, [MemoryInput(text=text) for text in texts])
    return [record.memory_id for record in records]
