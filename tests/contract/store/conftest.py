"""One suite over SQLite and MariaDB. A schema is made once a run; every test finds it empty."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from ltm.models import Owner
from ltm.packs import load_packs
from ltm.packs.pack_set import PackSet
from ltm.ports import EmbedderSpec, Generation, Store
from ltm.store import migrate, open_store
from ltm.store.database import Database
from ltm.store.tables import meta, metadata
from tests.support.databases import own_database
from tests.support.manual_clock import ManualClock

SPEC = EmbedderSpec(name="hash", model="hash", revision="", dim=8)


@pytest.fixture(scope="session")
def packs() -> PackSet:
    """Return the packs whose slots the tests use."""
    return load_packs(("job_search",))


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file with the schema and nothing in it."""
    path = tmp_path_factory.mktemp("template") / "ltm.db"
    migrate(f"sqlite:///{path}")
    return path


@pytest.fixture(scope="session")
def server_url() -> Iterator[str]:
    """Return a server's database with the schema."""
    with own_database() as url:
        migrate(url)
        yield url


@pytest.fixture(params=["sqlite", pytest.param("mariadb", marks=pytest.mark.service)])
def url(request: pytest.FixtureRequest, sqlite_template: Path, tmp_path: Path) -> str:
    """Return the URL of an empty store."""
    if request.param == "sqlite":
        return f"sqlite:///{shutil.copy(sqlite_template, tmp_path / 'ltm.db')}"
    url: str = request.getfixturevalue("server_url")
    _empty(url)
    return url


@pytest.fixture
def clock() -> ManualClock:
    """Return a clock that the test moves."""
    return ManualClock()


@pytest.fixture
def store(url: str, clock: ManualClock, packs: PackSet) -> Iterator[Store]:
    """Return an empty store, and check that no connection is left in use."""
    opened = open_store(url, clock=clock, packs=packs, timeout_s=5)
    yield opened
    opened.close()


@pytest.fixture
def live(store: Store) -> Generation:
    """Return the live generation."""
    return store.generations.ensure_live("g1", fingerprint="f1", spec=SPEC)


@pytest.fixture
def ann() -> Owner:
    """Return an owner."""
    return Owner(namespace="test", user_id="ann")


@pytest.fixture
def bob() -> Owner:
    """Return another owner of the same namespace."""
    return Owner(namespace="test", user_id="bob")


def _empty(url: str) -> None:
    database = Database(url, pool_size=1, timeout_s=5)
    with database.engine.connect() as connection:
        connection.exec_driver_sql("START TRANSACTION")
        for table in reversed(metadata.sorted_tables):
            if table is not meta:
                connection.execute(table.delete())
        connection.execute(meta.update().where(meta.c.name == "live_generation").values(value=""))
        connection.exec_driver_sql("COMMIT")
    database.close()
