"""The users' rows: locking one serialises that user's writers."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import bindparam, select, update

from ltm.errors import StoreUnavailableError
from ltm.models import Owner
from ltm.store.database import Database, Session
from ltm.store.tables import decisions, memories, pending, transitions, turns, users

OWNER_ID = (
    select(users.c.id)
    .where(users.c.namespace == bindparam("namespace"), users.c.user_id == bindparam("user_id"))
    .scalar_subquery()
)
"""The owner's number, from the parameters that `named` gives; NULL, which equals nothing, for an unknown owner."""

_FIND = select(users.c.id, users.c.revision).where(
    users.c.namespace == bindparam("namespace"), users.c.user_id == bindparam("user_id")
)
_LOCK = _FIND.with_for_update()
_RAISE = update(users).values(revision=users.c.revision + 1).where(users.c.id == bindparam("at_id"))
_LIST = (
    select(users.c.user_id)
    .where(users.c.namespace == bindparam("namespace"), users.c.user_id > bindparam("after"))
    .order_by(users.c.user_id)
    .limit(bindparam("limit"))
)
_OWNED = [
    select(table.c.owner).where(table.c.owner == bindparam("owner_id")).limit(1)
    for table in (memories, turns, decisions, pending, transitions)
]
NO_LIMIT = 2**62


class UserRow(NamedTuple):
    """A user's number and revision; whether the row was made just now."""

    owner_id: int
    revision: int
    is_new: bool = False


def named(owner: Owner) -> dict[str, str]:
    """Return the parameters that a statement with `OWNER_ID` takes."""
    return {"namespace": owner.namespace, "user_id": owner.user_id}


def find_user(session: Session, owner: Owner) -> UserRow | None:
    """Return the row without locking it, or None."""
    row = session.one(_FIND, **named(owner))
    return None if row is None else UserRow(*row)


def lock_user(session: Session, owner: Owner) -> UserRow | None:
    """Return the row and keep other writers of this user out until the transaction ends; None where there is none."""
    row = session.one(_LOCK, **named(owner))
    return None if row is None else UserRow(*row)


def lock_or_create_user(session: Session, database: Database, owner: Owner, now: datetime) -> UserRow:
    """Return the locked row, made when absent."""
    found = lock_user(session, owner)
    if found is not None:
        return found
    session.many(database.insert_absent(users), [(owner.namespace, owner.user_id, 0, now)])
    made = lock_user(session, owner)
    if made is None:
        raise StoreUnavailableError("the user was erased while it was being made: call again")
    return made._replace(is_new=True)


def is_bare(session: Session, owner_id: int) -> bool:
    """Tell whether nothing is stored of a user but the row itself."""
    return not any(session.all(statement, owner_id=owner_id) for statement in _OWNED)


def raise_revision(session: Session, owner_id: int) -> None:
    """Count one more transaction that changed the user's memories."""
    session.run(_RAISE, at_id=owner_id)


def list_users(session: Session, namespace: str, after: str | None, limit: int | None) -> list[str]:
    """Return a page of user ids in the order of their bytes."""
    rows = session.all(_LIST, namespace=namespace, after=after or "", limit=NO_LIMIT if limit is None else limit)
    return [user_id for (user_id,) in rows]
