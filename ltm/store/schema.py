"""Creating the schema, bringing it up to date, and refusing what does not fit."""

from pathlib import Path
from typing import Any

from sqlalchemy import Connection, inspect

from ltm.errors import ConfigurationError
from ltm.store.database import Database
from ltm.store.faults import Translated

LATEST = "0002"
"""Revision this library works with; a test holds it equal to the newest migration."""

_HISTORY = Path(__file__).parent / "migrations"
_VERSION_TABLE = "alembic_version"


def prepare_schema(database: Database) -> None:
    """Create the schema in an empty database, and bring an older SQLite file up to date; both under a lock.

    Raises:
        ConfigurationError: The schema of a server is older (run `ltm migrate`), or newer than this library, or the
            database belongs to something else.
    """
    with Translated(database.where), database.engine.connect() as connection:
        found = find_revision(connection)
        if found == LATEST:
            return
        if found is not None and not database.dialect.migrates_at_open:
            _refuse_newer(found)
            raise ConfigurationError(f"the database has schema {found}, this library needs {LATEST}: run `ltm migrate`")
    upgrade(database)


def upgrade(database: Database) -> tuple[str | None, str]:
    """Run the missing migrations under a lock, and return the revisions before and after."""
    with (
        Translated(database.where),
        database.engine.connect() as connection,
        database.dialect.creation_lock(connection),
    ):
        found = find_revision(connection)
        if found != LATEST:
            _refuse_newer(found)
            _refuse_foreign(found, connection, database)
            _run(connection, "upgrade", "head")
        return found, LATEST


def downgrade(database: Database, revision: str) -> None:
    """Go back to an older schema; `base` drops everything. For tests and for the very brave."""
    with (
        Translated(database.where),
        database.engine.connect() as connection,
        database.dialect.creation_lock(connection),
    ):
        _run(connection, "downgrade", revision)


def find_revision(connection: Connection) -> str | None:
    """Return the revision of the schema, or None where there is none yet."""
    if not inspect(connection).has_table(_VERSION_TABLE):
        return None
    row = connection.exec_driver_sql(f"SELECT version_num FROM {_VERSION_TABLE}").first()
    return None if row is None else str(row[0])


def _refuse_newer(found: str | None) -> None:
    if found is not None and found > LATEST:
        raise ConfigurationError(f"the database has schema {found}, this library knows {LATEST}: install a newer `ltm`")


def _refuse_foreign(found: str | None, connection: Connection, database: Database) -> None:
    tables = inspect(connection).get_table_names() if found is None and database.dialect.migrates_at_open else []
    if [name for name in tables if name != _VERSION_TABLE]:
        raise ConfigurationError("the SQLite file belongs to another application; choose another path")


def _run(connection: Connection, direction: str, revision: str) -> None:
    # Alembic costs 0.1 s to import, and a store that is up to date has no use for it.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_HISTORY).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    move: Any = getattr(command, direction)
    move(config, revision)
