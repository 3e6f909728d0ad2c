"""The application's own ids: with the version that an input made or, where it only reinforced, in `external_ids`."""

from collections.abc import Collection, Iterable
from typing import NamedTuple

from sqlalchemy import select

from ltm.models import Owner
from ltm.store.database import Session
from ltm.store.prepared import among, insert_into
from ltm.store.tables import external_ids, memory_versions
from ltm.store.users import OWNER_ID, named

_V, _X = memory_versions.c, external_ids.c
_OF_VERSIONS = select(_V.external_id, _V.memory_id, _V.version).where(
    _V.owner == OWNER_ID, among(_V.external_id, "external_id")
)
_OF_REINFORCEMENTS = select(_X.external_id, _X.memory_id, _X.version).where(
    _X.owner == OWNER_ID, among(_X.external_id, "external_id")
)
_INSERT = insert_into(external_ids)


class Named(NamedTuple):
    """The version that an external id stands for."""

    memory_id: str
    version: int


def find_external(session: Session, owner: Owner, ids: Collection[str]) -> dict[str, Named]:
    """Return what these ids stand for; unknown ids are left out."""
    found = (session.each(statement, ids, **named(owner)) for statement in (_OF_VERSIONS, _OF_REINFORCEMENTS))
    return {row[0]: Named(row[1], row[2]) for rows in found for row in rows}


def insert_external(session: Session, owner_id: int, ids: Iterable[tuple[str, Named]]) -> None:
    """Store ids of inputs that only reinforced."""
    session.many(_INSERT, [(owner_id, external_id, *named_) for external_id, named_ in ids])
