import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, make_url

from ltm.errors import ConfigurationError, StoreUnavailableError
from ltm.models import Kind, Owner
from ltm.packs import load_packs
from ltm.ports import NewVersion, Store
from ltm.store import migrate, open_store
from ltm.store.database import Database
from ltm.store.dialects.sqlite import SqliteDialect
from ltm.store.schema import LATEST, downgrade
from ltm.store.tables import metadata
from tests.support.databases import own_database
from tests.support.manual_clock import ManualClock
from tests.support.processes import start_together, waiting_process
from tests.support.servers import free_port, talking_server

_OPEN = """
import sys
from ltm.clock import SystemClock
from ltm.models import Kind, Owner
from ltm.packs import load_packs
from ltm.ports import NewVersion
from ltm.store import open_store
print("ready", flush=True)
sys.stdin.readline()
store = open_store(sys.argv[1], clock=SystemClock(), packs=load_packs(()), timeout_s=30)
with store.unit(Owner(namespace="n", user_id="u")) as unit:
    unit.append(NewVersion(text="a", kind=Kind.FACT, valid_from=unit.now))
store.close()
print("ok")
"""


def _open(url: str, timeout_s: float = 5) -> Store:
    return open_store(url, clock=ManualClock(), packs=load_packs(()), timeout_s=timeout_s)


def _set_revision(url: str, revision: str) -> None:
    database = Database(url, pool_size=1, timeout_s=5)
    with database.engine.connect() as connection:
        connection.exec_driver_sql(f"UPDATE alembic_version SET version_num = '{revision}'")
        connection.commit()
    database.close()


def test_the_newest_migration_is_what_this_library_needs() -> None:
    """The constant that spares the import of Alembic does not lag behind the history."""
    config = Config()
    config.set_main_option(
        "script_location", str(Path(sys.modules["ltm.store.schema"].__file__ or "").parent / "migrations")
    )
    config.set_main_option("path_separator", "os")
    assert ScriptDirectory.from_config(config).get_heads() == [LATEST]


def test_the_history_ends_in_the_tables_of_the_code(empty_url: str) -> None:
    """Up to the newest, no difference to `tables`; down again, nothing is left; and up once more."""
    database = Database(empty_url, pool_size=1, timeout_s=30)
    for _ in range(2):
        migrate(empty_url)
        with database.engine.connect() as connection:
            context = MigrationContext.configure(connection, opts={"compare_type": True})
            assert compare_metadata(context, metadata) == []
        downgrade(database, "base")
        with database.engine.connect() as connection:
            assert inspect(connection).get_table_names() == ["alembic_version"]
    database.close()


def test_migrating_says_from_where_to_where(empty_url: str) -> None:
    """The second time there is nothing to do."""
    assert migrate(empty_url) == (None, LATEST)
    assert migrate(empty_url) == (LATEST, LATEST)


def test_an_empty_database_is_created_by_one_of_many(empty_url: str) -> None:
    """Four processes open it at once: one creates the schema, all of them write."""
    processes = [waiting_process([sys.executable, "-c", _OPEN, empty_url]) for _ in range(4)]
    start_together(processes)
    results = [process.communicate(timeout=100) for process in processes]
    assert [out.strip() for out, _ in results] == ["ok"] * 4, [err for _, err in results]
    store = _open(empty_url)
    assert len(store.read.list_heads(Owner(namespace="n", user_id="u"))) == 4
    store.close()


def test_a_new_file_is_opened_by_many_at_once(tmp_path: Path) -> None:
    """SQLite refuses the second of two that make a file a WAL file, without waiting; nobody gets to see that."""
    start = Barrier(8)

    def connect(path: Path) -> str:
        engine = SqliteDialect(30).create_engine(make_url(f"sqlite:///{path}"), pool_size=1, timeout_s=30)
        start.wait()
        with engine.connect() as connection:
            mode = str(connection.exec_driver_sql("PRAGMA journal_mode").scalar_one())
        engine.dispose()
        return mode

    with ThreadPoolExecutor(8) as pool:
        for number in range(60):
            assert set(pool.map(connect, [tmp_path / f"{number}.db"] * 8)) == {"wal"}


def test_an_older_file_is_migrated_when_it_is_opened(tmp_path: Path) -> None:
    """A SQLite store of an earlier release needs no command."""
    url = f"sqlite:///{tmp_path / 'ltm.db'}"
    database = Database(url, pool_size=1, timeout_s=5)
    migrate(url)
    downgrade(database, "base")
    database.close()
    store = _open(url)
    with store.unit(Owner(namespace="n", user_id="u")) as unit:
        unit.append(NewVersion(text="a", kind=Kind.FACT, valid_from=unit.now))
    assert store.read.counts().schema == LATEST
    store.close()


@pytest.mark.service
def test_an_older_server_schema_names_the_command() -> None:
    """A server is migrated by its operator, not by the first process that comes along."""
    with own_database() as url:
        migrate(url)
        _set_revision(url, "0000")
        with pytest.raises(ConfigurationError, match="ltm migrate"):
            _open(url)


def test_a_newer_schema_is_refused(empty_url: str) -> None:
    """An older library must not write into what it does not know, nor migrate it."""
    migrate(empty_url)
    _set_revision(empty_url, "9999")
    for attempt in (_open, migrate):
        with pytest.raises(ConfigurationError, match="newer"):
            attempt(empty_url)


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    """Garbage, and a damaged database, are told apart from an empty one, and stay as they are."""
    path = tmp_path / "ltm.db"
    path.write_bytes(b"not a database at all " * 100)
    with pytest.raises(ConfigurationError, match="not a SQLite database"):
        _open(f"sqlite:///{path}")
    assert path.read_bytes().startswith(b"not a database")


def test_a_damaged_file_says_so(tmp_path: Path) -> None:
    """Pages that were overwritten give an error that names the cause, not a driver's error."""
    path = tmp_path / "ltm.db"
    migrate(f"sqlite:///{path}")
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    path.write_bytes(bytes(data))
    with pytest.raises(ConfigurationError, match="damaged"):
        _open(f"sqlite:///{path}").read.counts()


def test_another_applications_file_is_refused(tmp_path: Path) -> None:
    """A SQLite file with foreign tables does not get ours beside them."""
    url = f"sqlite:///{tmp_path / 'other.db'}"
    database = Database(url, pool_size=1, timeout_s=5)
    with database.engine.connect() as connection:
        connection.exec_driver_sql("CREATE TABLE orders (id INTEGER)")
    database.close()
    with pytest.raises(ConfigurationError, match="another application"):
        _open(url)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://localhost/x",
        "mysql://localhost/x",
        "sqlite://",
        "sqlite:///:memory:",
        "nonsense",
        "",
        "sqlite:////proc/nowhere/ltm.db",
    ],
)
def test_a_url_that_cannot_work_is_refused(url: str) -> None:
    """Other databases, other drivers, no file, no folder."""
    with pytest.raises(ConfigurationError):
        _open(url)


def test_a_server_that_is_not_there_is_unavailable_in_time() -> None:
    """A refused connection raises our own error at once."""
    with pytest.raises(StoreUnavailableError):
        _open(f"mysql+pymysql://root@127.0.0.1:{free_port()}/test", timeout_s=2)


def test_a_server_that_says_nothing_is_unavailable_in_time() -> None:
    """A connection that is accepted and never answered ends with the timeout."""
    clock = ManualClock()
    with talking_server() as port, pytest.raises(StoreUnavailableError):
        open_store(f"mysql+pymysql://root@127.0.0.1:{port}/test", clock=clock, packs=load_packs(()), timeout_s=1)


@pytest.mark.service
def test_a_database_that_is_not_there_is_a_configuration_error() -> None:
    """A wrong name, or a wrong password, will not get better by trying again."""
    with own_database() as url, pytest.raises(ConfigurationError):
        _open(url + "_nowhere")


def test_errors_say_nothing_of_passwords() -> None:
    """A URL's password is in no message."""
    with pytest.raises(StoreUnavailableError) as caught:
        _open(f"mysql+pymysql://root:hunter2@127.0.0.1:{free_port()}/test", timeout_s=1)
    assert "hunter2" not in json.dumps(str(caught.value))
