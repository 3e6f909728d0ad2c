from datetime import UTC, datetime, timedelta, timezone

import pytest
from sqlalchemy import bindparam, select, update
from sqlalchemy.dialects import sqlite
from sqlalchemy.dialects.mysql import pymysql

from ltm.models import Kind, Status
from ltm.store.prepared import Prepared, Statement, among, insert_into
from ltm.store.tables import memories, outbox

SQLITE = sqlite.dialect(paramstyle="qmark")
MYSQL = pymysql.dialect(paramstyle="format")
DIALECTS = pytest.mark.parametrize(("dialect", "mark"), [(SQLITE, "?"), (MYSQL, "%s")], ids=["sqlite", "mysql"])

_M = memories.c
TWO_LISTS: Statement = select(_M.memory_id).where(
    among(_M.memory_id, "id"), _M.owner == bindparam("owner"), among(_M.kind, "kind")
)


@DIALECTS
def test_lists_become_as_many_marks(dialect: object, mark: str) -> None:
    """Every list gets its own number of marks, a power of two, and the other parameters keep their places."""
    prepared = Prepared(TWO_LISTS, dialect)  # type: ignore[arg-type]
    sql, values = prepared.bind({"each_id": ["a", "b", "c"], "owner": 7, "each_kind": [Kind.FACT]})
    assert f"IN ({mark}, {mark}, {mark}, {mark})" in sql
    assert f"IN ({mark})" in sql
    assert sql.count(mark) == len(values) == 6
    plain = [value.decode() if isinstance(value, bytes) else value for value in values]
    assert plain == ["a", "b", "c", "c", 7, "fact"]


def test_values_are_the_drivers() -> None:
    """Ids are bytes on a server and text in SQLite; times are naive UTC there and text of fixed width here."""
    statement = select(_M.key).where(_M.memory_id == bindparam("id"), _M.valid_from > bindparam("at"))
    at = datetime(2026, 10, 1, 8, tzinfo=timezone(timedelta(hours=8)))
    assert Prepared(statement, SQLITE).bind({"id": "é", "at": at})[1] == ("é", "2026-10-01T00:00:00.000000+00:00")
    assert Prepared(statement, MYSQL).bind({"id": "é", "at": at})[1] == ("é".encode(), datetime(2026, 10, 1))  # noqa: DTZ001
    assert Prepared(statement, MYSQL).bind({"id": None, "at": None})[1] == (None, None)


def test_rows_are_typed() -> None:
    """Words become members of their vocabulary, times are aware, JSON is read, and None stays None."""
    statement = select(_M.status, _M.key, _M.value, _M.valid_from)
    rows = [("active", None, "[1]", "2026-10-01T00:00:00.000000+00:00"), ("expired", "k", None, None)]
    assert list(Prepared(statement, SQLITE).read(rows)) == [
        (Status.ACTIVE, None, [1], datetime(2026, 10, 1, tzinfo=UTC)),
        (Status.EXPIRED, "k", None, None),
    ]
    assert list(Prepared(statement, SQLITE).read([])) == []


def test_constants_need_not_be_given() -> None:
    """A row for many leaves out what the statement says itself."""
    statement = (
        update(outbox)
        .values(attempts=outbox.c.attempts + 1, is_dead=bindparam("new_is_dead", type_=outbox.c.is_dead.type))
        .where(outbox.c.memory_id == bindparam("at_id"))
    )
    sql, rows = Prepared(statement, SQLITE).bind_many([(True, "a"), (False, "b")])
    assert sql.count("?") == 3
    assert rows == [(1, 1, "a"), (1, 0, "b")]


def test_an_insert_takes_rows_in_the_order_of_the_table() -> None:
    """Without the column that the database numbers."""
    assert Prepared(insert_into(outbox), SQLITE).names[:3] == ("new_memory_id", "new_generation", "new_owner")
