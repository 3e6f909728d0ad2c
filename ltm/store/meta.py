"""Rows of `meta`: what is said about the store as a whole."""

from sqlalchemy import bindparam, select

from ltm.errors import ConfigurationError
from ltm.store.database import Database
from ltm.store.tables import meta

_FIND = select(meta.c.value).where(meta.c.name == bindparam("name"))


def read_meta(database: Database, name: str) -> str:
    """Return a value that was made with the schema.

    Raises:
        ConfigurationError: It is missing: the database was not made by this library, or lost rows.
    """
    with database.session() as session:
        row = session.one(_FIND, name=name)
    if row is None:
        raise ConfigurationError(f"the database does not say its {name}: restore it from a backup")
    return str(row[0])
