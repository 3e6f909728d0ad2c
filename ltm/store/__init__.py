"""Stage 4: memories as version chains in SQL, for SQLite, MariaDB and MySQL."""

from ltm.packs.pack_set import PackSet
from ltm.ports import Clock, Store
from ltm.store.database import Database
from ltm.store.schema import prepare_schema, upgrade
from ltm.store.slots import Slots
from ltm.store.store import SqlStore

__all__ = ["migrate", "open_store"]


def open_store(url: str, *, clock: Clock, packs: PackSet, pool_size: int = 5, timeout_s: float = 10.0) -> Store:
    """Open the store behind a SQLAlchemy URL; an empty database gets its schema, under a lock.

    Args:
        url: `sqlite:////absolute/path`, `mysql+pymysql://...` or `mariadb+pymysql://...`.
        clock: Source of times and ids.
        packs: Say which slots are sets, and how their values are put into words.
        pool_size: Connections kept open; twice as many more are made under load.
        timeout_s: Upper bound of connecting, of waiting for a lock and of waiting for an answer, in seconds.

    Raises:
        ConfigurationError: The URL is of no known kind, the file is damaged or foreign, or the schema is another one.
        StoreUnavailableError: The server does not answer.
    """
    database = Database(url, pool_size=pool_size, timeout_s=timeout_s)
    try:
        prepare_schema(database)
        return SqlStore(database, clock=clock, slots=Slots(packs))
    except BaseException:
        database.close()
        raise


def migrate(url: str, *, timeout_s: float = 60.0) -> tuple[str | None, str]:
    """Bring the schema up to date and return its revisions before (None: there was none) and after.

    Raises:
        ConfigurationError: The schema is newer than this library.
        StoreUnavailableError: The server does not answer.
    """
    database = Database(url, pool_size=1, timeout_s=timeout_s)
    try:
        return upgrade(database)
    finally:
        database.close()
