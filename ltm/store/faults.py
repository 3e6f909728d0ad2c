"""From drivers' errors to our own. Messages hold codes, never values: a driver quotes the row it refuses."""

import sqlite3
from collections.abc import Sequence

import pymysql
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from ltm.errors import ConfigurationError, LtmError, StoreUnavailableError


class DeadlockError(StoreUnavailableError):
    """The database rolled a transaction back in favour of another one. `Store.transact` tries again."""


class _RefusedError(LtmError):
    """The database refused a statement; a fault of this library."""


class DamagedRowError(Exception):
    """A stored value is none that its column can hold; the message names the tables it was read from."""

    def __init__(self, tables: Sequence[str]) -> None:
        super().__init__(" or ".join(tables))


DRIVER_ERRORS = (sqlite3.Error, pymysql.MySQLError, SQLAlchemyError)

# Result codes of SQLite, https://www.sqlite.org/rescode.html, in their eight low bits.
_SQLITE: dict[int, tuple[type[LtmError], str]] = {
    sqlite3.SQLITE_BUSY: (StoreUnavailableError, "another process is writing to it and did not end in time"),
    sqlite3.SQLITE_LOCKED: (StoreUnavailableError, "it is locked by another connection"),
    sqlite3.SQLITE_IOERR: (StoreUnavailableError, "the disk reports an error"),
    sqlite3.SQLITE_FULL: (StoreUnavailableError, "the disk is full"),
    sqlite3.SQLITE_NOTADB: (ConfigurationError, "the file is not a SQLite database"),
    sqlite3.SQLITE_CORRUPT: (ConfigurationError, "the file is damaged: restore it from a backup"),
    sqlite3.SQLITE_CANTOPEN: (ConfigurationError, "the file cannot be opened: check the folder and its permissions"),
    sqlite3.SQLITE_READONLY: (ConfigurationError, "the file is read-only"),
    sqlite3.SQLITE_PERM: (ConfigurationError, "the file may not be used: check its permissions"),
}
# Error codes of MySQL and MariaDB (1xxx: server, 2xxx: client).
_UNAVAILABLE = frozenset(
    {1040, 1053, 1077, 1079, 1152, 1158, 1159, 1160, 1161, 1203, 1226, 1317, 1927, 2002, 2003, 2006, 2013, 2014, 2055}
    | {0, 1836, 1290, 3024, 1969, 4031}
)
_DEADLOCK = frozenset({1213})
_LOCK_WAIT = frozenset({1205})
_CONFIGURATION = frozenset({1044, 1045, 1049, 1142, 1146, 1054, 1698, 2005, 2026, 2059, 2061})


class Translated:
    """Turns what a driver raises inside the block into one of our own errors, which say `where` it happened."""

    def __init__(self, where: str) -> None:
        self._where = where

    def __enter__(self) -> None:
        """Begin the block."""

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        """Raise our own error for a driver's."""
        if isinstance(error, (*DRIVER_ERRORS, DamagedRowError)):
            raise own_error(error, self._where) from error


def own_error(error: Exception, where: str) -> LtmError:
    """Return our own error for a driver's."""
    if isinstance(error, PoolTimeoutError):
        return StoreUnavailableError(f"{where} has no free connection here: raise database_pool_size")
    if isinstance(error, DamagedRowError):
        return ConfigurationError(f"{where}: a value in {error} cannot be read: restore the store from a backup")
    origin = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(origin, sqlite3.Error):
        return _from_sqlite(origin, where)
    if isinstance(origin, pymysql.MySQLError):
        return _from_mysql(origin, where)
    return _RefusedError(f"{where} refused a statement ({type(error).__name__})")


def is_disconnect(error: BaseException) -> bool:
    """Tell whether the connection is not to be used again."""
    origin = error.orig if isinstance(error, DBAPIError) else error
    return isinstance(origin, pymysql.MySQLError) and _code(origin) in _UNAVAILABLE


def _from_sqlite(error: sqlite3.Error, where: str) -> LtmError:
    code = getattr(error, "sqlite_errorcode", None)
    known = _SQLITE.get((code or 0) & 0xFF)
    if known is None:
        return _RefusedError(f"{where} refused a statement ({type(error).__name__} {code})")
    return known[0](f"{where}: {known[1]}")


def _from_mysql(error: pymysql.MySQLError, where: str) -> LtmError:
    code = _code(error)
    if code in _DEADLOCK:
        return DeadlockError(f"{where} ended a deadlock: call again")
    if code in _LOCK_WAIT:
        return StoreUnavailableError(f"{where} did not give a lock in time: call again")
    if code in _UNAVAILABLE:
        return StoreUnavailableError(f"{where} did not answer in time (error {code})")
    if code in _CONFIGURATION:
        return ConfigurationError(f"{where} refused the connection, or its schema is another one (error {code})")
    return _RefusedError(f"{where} refused a statement ({type(error).__name__} {code})")


def _code(error: pymysql.MySQLError) -> int:
    return error.args[0] if error.args and isinstance(error.args[0], int) else 0
