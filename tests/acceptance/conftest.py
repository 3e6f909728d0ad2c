"""A memory on the embedded default; the schema is made once a run."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from ltm import Memory, Settings
from ltm.wiring import migrate

SETTINGS = Settings(packs=("job_search", "venue_booking"), embedder="hash")


@pytest.fixture(scope="session")
def empty_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a store with its schema and nothing in it."""
    folder = tmp_path_factory.mktemp("empty") / "store"
    migrate(SETTINGS.model_copy(update={"path": folder}))
    return folder


@pytest.fixture
def folder(empty_store: Path, tmp_path: Path) -> Path:
    """Return a store's folder of the test's own."""
    return Path(shutil.copytree(empty_store, tmp_path / "store"))


@pytest.fixture
def memory(folder: Path) -> Iterator[Memory]:
    """Return a memory with the job search and venue packs and the hash embedder."""
    with Memory.open(folder, settings=SETTINGS) as opened:
        yield opened
