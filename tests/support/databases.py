"""Databases of the tests' own on a server that several test runs may share."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager

import pymysql
import pytest
from sqlalchemy import URL, make_url

SERVER = make_url(os.environ.get("LTM_TEST_MYSQL_URL", "mysql+pymysql://root@127.0.0.1:3306/test"))


@contextmanager
def own_database() -> Iterator[str]:
    """Make an empty database on MariaDB or MySQL, yield its URL, and drop it; skip where no server answers."""
    name = f"ltm_test_{os.getpid()}_{secrets.token_hex(4)}"
    try:
        _execute(f"CREATE DATABASE {name}")
    except pymysql.MySQLError as error:
        pytest.skip(f"no MariaDB or MySQL at {SERVER.host}:{SERVER.port} ({type(error).__name__})")
    try:
        yield SERVER.set(database=name).render_as_string(hide_password=False)
    finally:
        _execute(f"DROP DATABASE {name}")


def _execute(statement: str) -> None:
    connection = _connect(SERVER)
    try:
        connection.cursor().execute(statement)
    finally:
        connection.close()


def _connect(url: URL) -> "pymysql.Connection[pymysql.cursors.Cursor]":
    return pymysql.connect(
        host=url.host or "127.0.0.1",
        port=url.port or 3306,
        user=url.username,
        password=url.password or "",
        connect_timeout=3,
    )
