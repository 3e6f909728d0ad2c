"""Rows of `memories`: one a memory, the head's cache."""

from collections.abc import Collection, Iterable
from functools import lru_cache, partial
from typing import Any

from sqlalchemy import ColumnElement, bindparam, select, update

from ltm.models import Kind, Owner, Status
from ltm.ports import Head, OwnedHead
from ltm.store.database import Row, Session
from ltm.store.prepared import Statement, among, insert_into
from ltm.store.tables import memories, users
from ltm.store.users import NO_LIMIT, OWNER_ID, named

HEAD_COLUMNS = tuple(memories.c[name] for name in Head._fields)
"""In the order of `Head`'s fields, so that a row is a head."""
_make_head = partial(tuple.__new__, Head)
_CHANGING = [name for name in Head._fields if name not in ("memory_id", "key")]

_OWNED = select(*HEAD_COLUMNS).where(memories.c.owner == OWNER_ID)
FIND_HEADS = _OWNED.where(among(memories.c.memory_id, "id"))
FIND_KEYS = _OWNED.where(among(memories.c.key, "key"))
FIND_FINGERPRINTS = _OWNED.where(among(memories.c.fingerprint, "fingerprint"))
_FIND_ID = select(memories.c.memory_id).where(memories.c.owner == OWNER_ID, memories.c.key == bindparam("key"))
_FIND_OWNERS = (
    select(memories.c.memory_id, memories.c.owner, users.c.namespace, users.c.user_id)
    .join(users, users.c.id == memories.c.owner)
    .where(among(memories.c.memory_id, "id"))
)
_LOCK = (
    select(*HEAD_COLUMNS)
    .where(memories.c.owner == bindparam("owner"), among(memories.c.memory_id, "id"))
    .order_by(memories.c.memory_id)
    .with_hint(memories, "FORCE INDEX (PRIMARY)", "mysql")
    .with_hint(memories, "FORCE INDEX (PRIMARY)", "mariadb")
    .with_for_update()
)
_FIND_OWNED = (
    select(users.c.namespace, users.c.user_id, *HEAD_COLUMNS)
    .join(users, users.c.id == memories.c.owner)
    .where(among(memories.c.memory_id, "id"))
)
_INSERT = insert_into(memories)
_UPDATE = (
    update(memories)
    .values({name: bindparam(f"new_{name}", type_=memories.c[name].type) for name in _CHANGING})
    .where(memories.c.owner == bindparam("at_owner"), memories.c.memory_id == bindparam("at_id"))
)


def find_heads(session: Session, owner: Owner, memory_ids: Collection[str]) -> dict[str, Head]:
    """Return the owner's heads among these ids."""
    return _by_id(session.each(FIND_HEADS, memory_ids, **named(owner)))


def find_heads_by_key(session: Session, owner: Owner, keys: Collection[str]) -> dict[str, Head]:
    """Return the owner's heads with these keys, by memory id."""
    return _by_id(session.each(FIND_KEYS, keys, **named(owner)))


def find_heads_by_fingerprint(session: Session, owner: Owner, fingerprints: Collection[str]) -> dict[str, Head]:
    """Return the owner's heads without a key that have these fingerprints, by memory id."""
    found = _by_id(session.each(FIND_FINGERPRINTS, fingerprints, **named(owner)))
    return {memory_id: head for memory_id, head in found.items() if head.key is None}


def find_memory_id(session: Session, owner: Owner, key: str) -> str | None:
    """Return the id of the owner's memory with this key, or None."""
    row = session.one(_FIND_ID, **named(owner), key=key)
    return None if row is None else str(row[0])


def list_heads(session: Session, owner: Owner, *, status: Status | None, kinds: Collection[Kind]) -> list[Head]:
    """Return the owner's heads by memory id."""
    statement = _page(HEAD_COLUMNS, status is not None, bool(kinds))
    return [_make_head(row) for row in session.all(statement, **page_params(owner, status, kinds, None, None))]


def page_where(with_status: bool, with_kinds: bool) -> list[ColumnElement[bool]]:
    """Return the conditions of a page of the owner's memories; `page_params` gives their parameters."""
    conditions: list[ColumnElement[bool]] = [
        memories.c.owner == OWNER_ID,
        memories.c.memory_id > bindparam("after"),
    ]
    if with_status:
        conditions.append(memories.c.status == bindparam("status"))
    if with_kinds:
        conditions.append(among(memories.c.kind, "kind"))
    return conditions


def page_params(
    owner: Owner, status: Status | None, kinds: Collection[Kind], after: str | None, limit: int | None
) -> dict[str, Any]:
    """Return the parameters of a page."""
    return {
        **named(owner),
        "status": status,
        "each_kind": list(kinds),
        "after": after or "",
        "limit": NO_LIMIT if limit is None else limit,
    }


def scan_heads(
    session: Session, *, after: str | None, limit: int, statuses: Collection[Status], kinds: Collection[Kind]
) -> list[OwnedHead]:
    """Return a page of heads of all owners, by memory id."""
    statement = _scan(bool(statuses), bool(kinds))
    lists = {"each_status": list(statuses), "each_kind": list(kinds)}
    return [_owned(row) for row in session.all(statement, after=after or "", limit=limit, **lists)]


def find_owned(session: Session, memory_ids: Iterable[str]) -> dict[str, OwnedHead]:
    """Return the heads among these ids whoever owns them."""
    found = [_owned(row) for row in session.each(_FIND_OWNED, memory_ids)]
    return {item.head.memory_id: item for item in found}


def find_owner_ids(session: Session, memory_ids: Iterable[str]) -> dict[str, int]:
    """Return the numbers of the owners' rows, by memory id; unknown ids are left out."""
    return {memory_id: owner_id for memory_id, owner_id, _, _ in session.each(_FIND_OWNERS, memory_ids)}


def lock_heads(session: Session, memory_ids: Collection[str]) -> dict[str, OwnedHead]:
    """Lock the heads in the order of (owner, memory id), which is the order of every writer, and return them.

    Owners are looked up without a lock first: locking through the index on the id alone would take two locks in
    another order than an erasure does.
    """
    by_owner: dict[Row, list[str]] = {}
    for memory_id, *owner in session.each(_FIND_OWNERS, memory_ids):
        by_owner.setdefault(tuple(owner), []).append(memory_id)
    found: dict[str, OwnedHead] = {}
    for (owner_id, namespace, user_id), ids in sorted(by_owner.items()):
        named_ = Owner(namespace=namespace, user_id=user_id)
        rows = session.each(_LOCK, sorted(ids), owner=owner_id)
        found |= {row[0]: OwnedHead(owner=named_, head=_make_head(row)) for row in rows}
    return found


def insert_heads(session: Session, owner_id: int, heads: Iterable[Head]) -> None:
    """Store new memories."""
    session.many(_INSERT, [(owner_id, *head) for head in heads])


def update_heads(session: Session, owner_id: int, heads: Iterable[Head]) -> None:
    """Store changed heads, in the order of their ids."""
    session.many(_UPDATE, [_changed_row(owner_id, head) for head in sorted(heads)])


def _changed_row(owner_id: int, head: Head) -> Row:
    return (*(getattr(head, name) for name in _CHANGING), owner_id, head.memory_id)


@lru_cache(maxsize=64)
def _page(columns: tuple[ColumnElement[Any], ...], with_status: bool, with_kinds: bool) -> Statement:
    where = page_where(with_status, with_kinds)
    return select(*columns).where(*where).order_by(memories.c.memory_id).limit(bindparam("limit"))


@lru_cache(maxsize=4)
def _scan(with_statuses: bool, with_kinds: bool) -> Statement:
    statement = (
        select(users.c.namespace, users.c.user_id, *HEAD_COLUMNS)
        .join(users, users.c.id == memories.c.owner)
        .where(memories.c.memory_id > bindparam("after"))
    )
    if with_statuses:
        statement = statement.where(among(memories.c.status, "status"))
    if with_kinds:
        statement = statement.where(among(memories.c.kind, "kind"))
    return statement.order_by(memories.c.memory_id).limit(bindparam("limit"))


def _by_id(rows: Iterable[Row]) -> dict[str, Head]:
    return {row[0]: _make_head(row) for row in rows}


def _owned(row: Row) -> OwnedHead:
    return OwnedHead(owner=Owner(namespace=row[0], user_id=row[1]), head=_make_head(row[2:]))
