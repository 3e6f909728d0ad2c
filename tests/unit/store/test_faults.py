import sqlite3

import pymysql
import pytest
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from ltm.errors import ConfigurationError, LtmError, StoreUnavailableError
from ltm.store.faults import DeadlockError, is_disconnect, own_error


def _sqlite(code: int) -> sqlite3.Error:
    error = sqlite3.OperationalError("secret words")
    error.sqlite_errorcode = code
    return error


CASES = [
    (_sqlite(sqlite3.SQLITE_BUSY), StoreUnavailableError),
    (_sqlite(sqlite3.SQLITE_BUSY_SNAPSHOT), StoreUnavailableError),
    (_sqlite(sqlite3.SQLITE_FULL), StoreUnavailableError),
    (_sqlite(sqlite3.SQLITE_NOTADB), ConfigurationError),
    (_sqlite(sqlite3.SQLITE_CORRUPT), ConfigurationError),
    (_sqlite(sqlite3.SQLITE_CANTOPEN), ConfigurationError),
    (_sqlite(sqlite3.SQLITE_ERROR), LtmError),
    (pymysql.err.OperationalError(1213, "secret words"), DeadlockError),
    (pymysql.err.OperationalError(1205, "secret words"), StoreUnavailableError),
    (pymysql.err.OperationalError(2013, "secret words"), StoreUnavailableError),
    (pymysql.err.OperationalError(2003, "secret words"), StoreUnavailableError),
    (pymysql.err.InterfaceError(0, ""), StoreUnavailableError),
    (pymysql.err.OperationalError(1045, "secret words"), ConfigurationError),
    (pymysql.err.OperationalError(1049, "secret words"), ConfigurationError),
    (pymysql.err.IntegrityError(1062, "Duplicate entry 'secret words'"), LtmError),
    (pymysql.err.DataError("secret words"), LtmError),
]


@pytest.mark.parametrize(("error", "kind"), CASES, ids=[repr(case[0]) for case in CASES])
def test_a_drivers_error_becomes_our_own(error: Exception, kind: type[LtmError]) -> None:
    """By its code, never by its words, which are not repeated: a driver quotes the row it refuses."""
    own = own_error(error, "the store at 127.0.0.1:3306")
    assert type(own) is kind or (isinstance(own, kind) and kind is LtmError)
    assert "secret" not in str(own)
    assert "127.0.0.1:3306" in str(own)


def test_a_dead_connection_is_not_used_again() -> None:
    """A lost server is a reason to throw the connection away; a refused statement is not."""
    assert is_disconnect(pymysql.err.OperationalError(2013, "lost"))
    assert not is_disconnect(pymysql.err.OperationalError(1213, "deadlock"))
    assert not is_disconnect(_sqlite(sqlite3.SQLITE_BUSY))


def test_an_exhausted_pool_says_what_to_do() -> None:
    """It is no fault of the server's."""
    own = own_error(PoolTimeoutError("secret words"), "the store")
    assert isinstance(own, StoreUnavailableError)
    assert "database_pool_size" in str(own)
