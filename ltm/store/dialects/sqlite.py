"""SQLite through Python's own driver."""

import sqlite3
import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, QueuePool, Table, create_engine, event, func
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.sql.dml import Insert
from tenacity import Retrying, retry_if_exception, stop_after_delay, wait_fixed

from ltm.errors import ConfigurationError, StoreUnavailableError
from ltm.store.prepared import placeholders

_CACHE_KIB = 16_384
_MMAP_BYTES = 1 << 30
_PRAGMAS = (
    "synchronous=NORMAL",
    "foreign_keys=ON",
    f"cache_size=-{_CACHE_KIB}",
    f"mmap_size={_MMAP_BYTES}",
    "temp_store=MEMORY",
    "secure_delete=ON",
)
_POLL_S = 0.01


class SqliteDialect:
    """One file, one writer at a time, readers that never wait.

    `synchronous=NORMAL`: in WAL mode a killed process loses nothing that was committed, and a power cut may lose the
    last commits but never breaks the file. Rows and outbox are one commit, so what is lost is lost together, and
    `verify` finds a point without its memory. FULL would pay one fsync for each commit, two for each `remember`.
    """

    begin = "BEGIN IMMEDIATE"
    migrates_at_open = True
    keeps_connections = True

    def __init__(self, timeout_s: float) -> None:
        self._timeout_s = timeout_s
        self._turn = threading.Lock()

    def create_engine(self, url: URL, *, pool_size: int, timeout_s: float) -> Engine:
        """Return an engine for a file, whose folder is made when absent."""
        if not url.database or url.database == ":memory:":
            raise ConfigurationError("a SQLite store needs a file: sqlite:////absolute/path/ltm.db")
        try:
            Path(url.database).parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigurationError(f"cannot make the store's folder: {type(error).__name__}") from error
        engine = create_engine(
            url,
            poolclass=QueuePool,
            pool_size=pool_size,
            max_overflow=2 * pool_size,
            pool_timeout=timeout_s,
            pool_reset_on_return=None,
            connect_args={"timeout": timeout_s, "isolation_level": None, "check_same_thread": False},
        )
        event.listen(engine, "connect", self._prepare)
        return engine

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Queue this process's writers: SQLite's busy handler sleeps and polls, and is not fair."""
        if not self._turn.acquire(timeout=self._timeout_s):
            raise StoreUnavailableError("SQLite store: another thread is writing to it and did not end in time")
        try:
            yield
        finally:
            self._turn.release()

    @contextmanager
    def creation_lock(self, connection: Connection) -> Iterator[None]:
        """Hold the file's write lock; what is done inside is stored as a whole or not at all."""
        with connection.begin():
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            yield

    def insert_absent(self, table: Table) -> Insert:
        """Use ON CONFLICT DO NOTHING."""
        return insert(table).values(placeholders(table)).on_conflict_do_nothing()

    def upsert(self, table: Table, columns: Collection[str], merged: Collection[str] = ()) -> Insert:
        """Use ON CONFLICT DO UPDATE."""
        statement = insert(table).values(placeholders(table))
        values: dict[str, Any] = {name: statement.excluded[name] for name in columns}
        values |= {name: func.max(table.c[name], statement.excluded[name]) for name in merged}
        return statement.on_conflict_do_update(index_elements=list(table.primary_key.columns), set_=values)

    def scrub(self, ask: Callable[[str], tuple[Any, ...]]) -> bool:
        """Cut the log: `secure_delete` has overwritten the pages, but the log holds them as they were."""
        busy, *_ = ask("PRAGMA wal_checkpoint(TRUNCATE)")
        return not busy

    def where(self, url: URL) -> str:
        """Name the file."""
        return f"the SQLite store {url.database} (timeout {self._timeout_s:g} s)"

    def _prepare(self, connection: sqlite3.Connection, record: object) -> None:
        cursor = connection.cursor()
        # Two that make a new file a WAL file at the same moment: one is refused at once, without the busy handler.
        patiently = Retrying(
            retry=retry_if_exception(_is_busy),
            wait=wait_fixed(_POLL_S),
            stop=stop_after_delay(self._timeout_s),
            reraise=True,
        )
        patiently(cursor.execute, "PRAGMA journal_mode=WAL")
        for pragma in _PRAGMAS:
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    def name(self, engine: Engine) -> str:
        """Return `sqlite`."""
        return "sqlite"

    def version(self, engine: Engine) -> str:
        """Return the library's version."""
        return sqlite3.sqlite_version


def _is_busy(error: BaseException) -> bool:
    return isinstance(error, sqlite3.OperationalError) and error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
