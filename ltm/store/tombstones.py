"""Rows of `tombstones`: salted hashes of what was erased, from which nothing can be read."""

import hmac
from collections.abc import Collection, Iterable
from datetime import datetime
from hashlib import sha256

from sqlalchemy import select

from ltm.models import Owner
from ltm.store.database import Database, Session
from ltm.store.prepared import among
from ltm.store.tables import tombstones

_FIND = select(tombstones.c.hash).where(among(tombstones.c.hash, "hash"))


class Graves:
    """Makes and looks up the hashes. The salt never leaves the store, so nobody can test guesses without it."""

    def __init__(self, database: Database, *, salt: bytes) -> None:
        self._database = database
        self._salt = salt

    def user(self, owner: Owner) -> str:
        """Return the hash of a user."""
        return self._hash("user", owner)

    def turn(self, owner: Owner, session_id: str, turn_id: str) -> str:
        """Return the hash of a turn."""
        return self._hash("turn", owner, session_id, turn_id)

    def external(self, owner: Owner, external_id: str) -> str:
        """Return the hash of an external id."""
        return self._hash("external", owner, external_id)

    def find(self, session: Session, hashes: Collection[str]) -> set[str]:
        """Return those of the hashes that were erased."""
        return {row[0] for row in session.each(_FIND, hashes)}

    def dig(self, session: Session, hashes: Iterable[tuple[str, str]], now: datetime) -> None:
        """Store (hash, kind) pairs; one that is there stays."""
        rows = [(hashed, kind, now) for hashed, kind in sorted(set(hashes))]
        session.many(self._database.insert_absent(tombstones), rows)

    def _hash(self, kind: str, owner: Owner, *parts: str) -> str:
        told = "".join(f"{len(part)}:{part}" for part in (kind, owner.namespace, owner.user_id, *parts))
        return hmac.new(self._salt, told.encode(), sha256).hexdigest()
