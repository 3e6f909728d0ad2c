"""Connections, transactions and the statements prepared for them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from sqlalchemy import URL, PoolProxiedConnection, Table, make_url
from sqlalchemy.exc import ArgumentError
from tenacity import Retrying, retry_if_exception_type, stop_after_attempt, wait_random

from ltm.errors import ConfigurationError
from ltm.store.dialects import StoreDialect, choose_dialect
from ltm.store.faults import DRIVER_ERRORS, DamagedRowError, DeadlockError, Translated, is_disconnect
from ltm.store.prepared import Prepared, Statement

_CHUNK = 512
_Result = TypeVar("_Result")
Row = tuple[Any, ...]


class Session:
    """One connection in use by one thread. Parameters are given by the names of the statement's bind parameters."""

    def __init__(self, cursor: Any, prepare: Callable[[Statement], Prepared]) -> None:
        self._cursor = cursor
        self._prepare = prepare

    def all(self, statement: Statement, /, **params: Any) -> list[Row]:
        """Return every row, as typed values in the order of the columns."""
        prepared = self._prepare(statement)
        self._cursor.execute(*prepared.bind(params))
        rows = self._cursor.fetchall()
        try:
            return list(prepared.read(rows)) if rows else []
        except (ValueError, KeyError, TypeError) as error:
            raise DamagedRowError(prepared.tables) from error

    def each(self, statement: Statement, members: Iterable[Any], /, **params: Any) -> list[Row]:
        """Return the rows for a list of any length, a piece at a time: in no order over the whole, none for no list.

        It stands for the statement's list that is not among the parameters.
        """
        listed = list(members)
        if not listed:
            return []
        name = self._open_list(statement, params)
        found: list[Row] = []
        for start in range(0, len(listed), _CHUNK):
            found += self.all(statement, **params, **{name: listed[start : start + _CHUNK]})
        return found

    def one(self, statement: Statement, /, **params: Any) -> Row | None:
        """Return the first row, or None."""
        return next(iter(self.all(statement, **params)), None)

    def run(self, statement: Statement, /, **params: Any) -> int:
        """Change rows and return how many."""
        self._cursor.execute(*self._prepare(statement).bind(params))
        return int(self._cursor.rowcount)

    def run_each(self, statement: Statement, members: Iterable[Any], /, **params: Any) -> int:
        """Change the rows of a list of any length and return how many."""
        listed = list(members)
        if not listed:
            return 0
        name = self._open_list(statement, params)
        return sum(
            self.run(statement, **params, **{name: listed[start : start + _CHUNK]})
            for start in range(0, len(listed), _CHUNK)
        )

    def _open_list(self, statement: Statement, params: dict[str, Any]) -> str:
        return next(name for name in self._prepare(statement).lists if name not in params)

    def many(self, statement: Statement, rows: Sequence[Row], /) -> None:
        """Run a statement once a row; a row holds the parameters in the order of the statement's bind parameters."""
        if rows:
            self._cursor.executemany(*self._prepare(statement).bind_many(rows))

    def raw(self, sql: str) -> Row:
        """Run a statement without parameters and return its first row; none is an empty one."""
        self._cursor.execute(sql)
        return tuple(self._cursor.fetchone() or ()) if self._cursor.description else ()


class Database:
    """An engine with its dialect. Sessions raise our own errors only.

    Attributes:
        where: For messages: which database, and how long it is waited for.
    """

    def __init__(self, url: str, *, pool_size: int, timeout_s: float) -> None:
        parsed = _parse(url)
        self.dialect: StoreDialect = choose_dialect(parsed, timeout_s)
        self.where = self.dialect.where(parsed)
        self.engine = self.dialect.create_engine(parsed, pool_size=pool_size, timeout_s=timeout_s)
        self._prepared: dict[Statement, Prepared] = {}
        self._upserts: dict[tuple[str, tuple[str, ...], tuple[str, ...]], Statement] = {}
        self._absent: dict[str, Statement] = {}
        # The engine's own pool takes longer to lend a connection than SQLite takes for most statements.
        self._idle: list[PoolProxiedConnection] = []
        self._most_idle = pool_size if self.dialect.keeps_connections else 0

    @contextmanager
    def session(self) -> Iterator[Session]:
        """Lend a connection on which every statement stands for itself."""
        with Translated(self.where):
            connection = self._lend()
            try:
                cursor = connection.cursor()
                yield Session(cursor, self._prepare)
                cursor.close()
            except BaseException as error:
                # An interrupt may have come between a statement and its answer.
                if is_disconnect(error) or not isinstance(error, Exception):
                    connection.invalidate()
                connection.close()
                raise
            self._take_back(connection)

    @contextmanager
    def transaction(self) -> Iterator[Session]:
        """Lend a connection within one writing transaction; it is rolled back unless the block ends normally."""
        with self.dialect.turn(), self.session() as session:
            session.raw(self.dialect.begin)
            try:
                yield session
                session.raw("COMMIT")
            except BaseException:
                _roll_back(session)
                raise

    def retry(self, work: Callable[[], _Result]) -> _Result:
        """Do it, and again (three times at most) where the server ended a deadlock."""
        try:
            return work()
        except DeadlockError:
            again = Retrying(
                retry=retry_if_exception_type(DeadlockError),
                stop=stop_after_attempt(3),
                wait=wait_random(0.0, 0.05),
                reraise=True,
            )
        return again(work)

    def insert_absent(self, table: Table) -> Statement:
        """Return an insert that leaves existing rows alone."""
        if table.name not in self._absent:
            self._absent[table.name] = self.dialect.insert_absent(table)
        return self._absent[table.name]

    def upsert(self, table: Table, columns: tuple[str, ...], merged: tuple[str, ...] = ()) -> Statement:
        """Return an insert that sets columns of existing rows."""
        wanted = (table.name, columns, merged)
        if wanted not in self._upserts:
            self._upserts[wanted] = self.dialect.upsert(table, columns, merged)
        return self._upserts[wanted]

    def close(self) -> None:
        """Close every pooled connection."""
        while self._idle:
            self._idle.pop().close()
        self.engine.dispose()

    def _lend(self) -> PoolProxiedConnection:
        try:
            return self._idle.pop()
        except IndexError:
            return self.engine.raw_connection()

    def _take_back(self, connection: PoolProxiedConnection) -> None:
        if len(self._idle) < self._most_idle:
            self._idle.append(connection)
        else:
            connection.close()

    def _prepare(self, statement: Statement) -> Prepared:
        prepared = self._prepared.get(statement)
        if prepared is None:
            prepared = self._prepared[statement] = Prepared(statement, self.engine.dialect)
        return prepared


def _roll_back(session: Session) -> None:
    """Undo what was done; where the connection is gone, the server has done it already."""
    try:
        session.raw("ROLLBACK")
    except DRIVER_ERRORS:
        return


def _parse(url: str) -> URL:
    try:
        return make_url(url)
    except ArgumentError as error:
        raise ConfigurationError("database_url is not a URL: mysql+pymysql://user:password@host/database") from error
