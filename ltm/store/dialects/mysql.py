"""MySQL 8.4 and MariaDB 10.11 through PyMySQL."""

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from math import ceil
from typing import Any

from sqlalchemy import URL, Connection, Engine, Table, create_engine, event, func, literal_column
from sqlalchemy.dialects.mysql import insert
from sqlalchemy.sql.dml import Insert

from ltm.errors import StoreUnavailableError
from ltm.store.prepared import placeholders

_RECYCLE_S = 1800
_CREATION_WAITS = 6
"""How many times the lock's wait a process waits for another one that creates or migrates the schema."""
_SQL_MODE = "STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION,ERROR_FOR_DIVISION_BY_ZERO"


class MysqlDialect:
    """A server; rows are locked one by one.

    READ COMMITTED: the user's row serialises that user's writers, so gap locks would only make strangers wait.
    """

    begin = "START TRANSACTION"
    migrates_at_open = False
    keeps_connections = False

    def __init__(self, timeout_s: float) -> None:
        self._timeout_s = timeout_s
        # Shorter than what the client waits for an answer, so that the server is the one who gives up.
        self._lock_wait_s = max(1, ceil(timeout_s) - 1)

    def create_engine(self, url: URL, *, pool_size: int, timeout_s: float) -> Engine:
        """Return an engine with a pool that finds dead connections before they are used."""
        engine = create_engine(
            url.update_query_dict({"charset": "utf8mb4"}),
            paramstyle="format",
            isolation_level="AUTOCOMMIT",
            pool_size=pool_size,
            max_overflow=2 * pool_size,
            pool_timeout=timeout_s,
            pool_pre_ping=True,
            pool_recycle=_RECYCLE_S,
            pool_reset_on_return=None,
            connect_args={
                "connect_timeout": timeout_s,
                "read_timeout": timeout_s,
                "write_timeout": timeout_s,
                "autocommit": True,
            },
        )
        event.listen(engine, "connect", self._prepare)
        return engine

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for nothing: the server queues writers, row by row."""
        yield

    @contextmanager
    def creation_lock(self, connection: Connection) -> Iterator[None]:
        """Hold a named lock of the server; its DDL commits by itself."""
        name = connection.exec_driver_sql("SELECT SHA1(CONCAT('ltm:', DATABASE()))").scalar_one()
        waits = (
            connection.exec_driver_sql("SELECT GET_LOCK(%s, %s)", (name, self._lock_wait_s)).scalar_one()
            for _ in range(_CREATION_WAITS)
        )
        if 1 not in waits:
            raise StoreUnavailableError("another process is creating or migrating the database and did not end in time")
        try:
            yield
        finally:
            connection.exec_driver_sql("DO RELEASE_LOCK(%s)", (name,))

    def insert_absent(self, table: Table) -> Insert:
        """Set a key column to itself; INSERT IGNORE would hide other faults, and takes a shared lock first."""
        first = next(iter(table.primary_key.columns)).name
        return insert(table).values(placeholders(table)).on_duplicate_key_update({first: table.c[first]})

    def upsert(self, table: Table, columns: Collection[str], merged: Collection[str] = ()) -> Insert:
        """Use ON DUPLICATE KEY UPDATE with VALUES(), which both servers understand."""
        values: dict[str, Any] = {name: _given(table, name) for name in columns}
        values |= {name: func.greatest(table.c[name], _given(table, name)) for name in merged}
        return insert(table).values(placeholders(table)).on_duplicate_key_update(values)

    def scrub(self, ask: Callable[[str], tuple[Any, ...]]) -> bool:
        """Leave it to the server, which purges deleted rows and reuses their pages."""
        return True

    def where(self, url: URL) -> str:
        """Name host and port."""
        return f"the SQL server at {url.host or '127.0.0.1'}:{url.port or 3306} (timeout {self._timeout_s:g} s)"

    def name(self, engine: Engine) -> str:
        """Return `mysql` or `mariadb`."""
        return "mariadb" if getattr(engine.dialect, "is_mariadb", False) else "mysql"

    def version(self, engine: Engine) -> str:
        """Ask the server."""
        with engine.connect() as connection:
            return str(connection.exec_driver_sql("SELECT VERSION()").scalar_one())

    def _prepare(self, connection: Any, record: object) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED")
            cursor.execute(
                "SET SESSION innodb_lock_wait_timeout=%s, lock_wait_timeout=%s, sql_mode=%s, time_zone='+00:00'",
                (self._lock_wait_s, self._lock_wait_s, _SQL_MODE),
            )


def _given(table: Table, name: str) -> Any:
    return literal_column(f"VALUES(`{name}`)", table.c[name].type)
