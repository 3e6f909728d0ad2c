"""What differs between databases, one file a dialect."""

from collections.abc import Callable, Collection
from contextlib import AbstractContextManager
from typing import Any, Protocol

from sqlalchemy import URL, Connection, Engine, Table
from sqlalchemy.sql.dml import Insert

from ltm.errors import ConfigurationError
from ltm.store.dialects.mysql import MysqlDialect
from ltm.store.dialects.sqlite import SqliteDialect

__all__ = ["StoreDialect", "choose_dialect"]


class StoreDialect(Protocol):
    """One database's own ways."""

    begin: str
    """Starts a transaction that will write."""

    migrates_at_open: bool
    """An older schema is brought up to date when the store is opened."""

    keeps_connections: bool
    """An idle connection needs no look before it is used again: there is no server that may have closed it."""

    def create_engine(self, url: URL, *, pool_size: int, timeout_s: float) -> Engine:
        """Return an engine whose connections commit every statement outside `begin` and give up after the timeout."""
        ...

    def turn(self) -> AbstractContextManager[None]:
        """Wait for this process's turn to write, where its threads would otherwise poll for the database's lock."""
        ...

    def creation_lock(self, connection: Connection) -> AbstractContextManager[None]:
        """Keep other processes from creating or migrating the same database meanwhile; one transaction on SQLite."""
        ...

    def insert_absent(self, table: Table) -> Insert:
        """Return an insert that leaves a row alone one of whose unique keys exists."""
        ...

    def upsert(self, table: Table, columns: Collection[str], merged: Collection[str] = ()) -> Insert:
        """Return an insert that sets `columns` of a row whose primary key exists; `merged` become the greater one."""
        ...

    def scrub(self, ask: Callable[[str], tuple[Any, ...]]) -> bool:
        """Make erased text leave the files, outside a transaction; tell whether it did.

        `ask` runs a statement and returns its first row.
        """
        ...

    def where(self, url: URL) -> str:
        """Say for a message which database it is and how long it is waited for; without user and password."""
        ...

    def name(self, engine: Engine) -> str:
        """Return `sqlite`, `mysql` or `mariadb`."""
        ...

    def version(self, engine: Engine) -> str:
        """Return the database's version."""
        ...


def choose_dialect(url: URL, timeout_s: float) -> StoreDialect:
    """Return the dialect of a URL.

    Raises:
        ConfigurationError: It is neither SQLite nor MySQL nor MariaDB through PyMySQL.
    """
    if url.get_backend_name() == "sqlite" and url.get_driver_name() in ("pysqlite", ""):
        return SqliteDialect(timeout_s)
    if url.get_backend_name() in ("mysql", "mariadb") and url.get_driver_name() == "pymysql":
        return MysqlDialect(timeout_s)
    raise ConfigurationError(
        f"database_url has the scheme {url.drivername!r}; use mysql+pymysql://..., mariadb+pymysql://... or sqlite:///..."
    )
