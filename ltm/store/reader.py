"""Reading the store."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy import func, select

from ltm.models import Decision, Kind, MemoryVersion, Owner, Status
from ltm.ports import (
    Head,
    HeldCandidate,
    OwnedHead,
    Snapshot,
    StoreCounts,
    TransitionRow,
)
from ltm.store import memories, records, users
from ltm.store.chain import Link, Placed, find_true_at, known, place, speaks_alone
from ltm.store.database import Database, Session
from ltm.store.decisions import list_decisions
from ltm.store.generations import read_snapshot
from ltm.store.held import list_expired, list_held
from ltm.store.quotes import list_quotes, standing
from ltm.store.schema import find_revision
from ltm.store.slots import Slots
from ltm.store.tables import decisions as decisions_table
from ltm.store.tables import memories as memories_table
from ltm.store.tables import memory_versions, pending
from ltm.store.tables import users as users_table
from ltm.store.transitions import list_transitions
from ltm.store.versions import list_known_at, list_said_at, list_true_at, load_chains

_COUNTS = {
    table.name: select(func.count()).select_from(table)
    for table in (users_table, memory_versions, pending, decisions_table)
}
_BY_STATUS = select(memories_table.c.status, func.count()).group_by(memories_table.c.status)


class SqlReader:
    """Implements `ltm.ports.Reader`."""

    def __init__(self, database: Database, slots: Slots) -> None:
        self._database = database
        self._slots = slots

    def snapshot(self, owner: Owner) -> Snapshot:
        """Return the owner's revision and the live generation, read together."""
        with self._database.session() as session:
            return read_snapshot(session, owner)

    def heads(self, owner: Owner, memory_ids: Collection[str]) -> dict[str, Head]:
        """Return the heads among these ids, of any status."""
        with self._database.session() as session:
            return memories.find_heads(session, owner, memory_ids)

    def list_heads(
        self, owner: Owner, *, status: Status | None = Status.ACTIVE, kinds: Collection[Kind] = ()
    ) -> list[Head]:
        """Return heads by memory id."""
        with self._database.session() as session:
            return memories.list_heads(session, owner, status=status, kinds=kinds)

    def records(self, owner: Owner, memory_ids: Collection[str]) -> dict[str, MemoryVersion]:
        """Return the heads among these ids as full records with evidence."""
        with self._database.session() as session:
            return records.find_records(session, owner, memory_ids)

    def list_records(
        self,
        owner: Owner,
        *,
        status: Status | None = Status.ACTIVE,
        kinds: Collection[Kind] = (),
        after: str | None = None,
        limit: int | None = None,
    ) -> list[MemoryVersion]:
        """Return heads as full records with evidence, by memory id."""
        with self._database.session() as session:
            return records.list_records(session, owner, status=status, kinds=kinds, after=after, limit=limit)

    def find_memory_id(self, owner: Owner, key: str) -> str | None:
        """Return the memory of this key, or None."""
        with self._database.session() as session:
            return memories.find_memory_id(session, owner, key)

    def list_said_at(self, owner: Owner, *, until: datetime | None = None) -> list[datetime]:
        """Return when something new was said, ascending, each instant once."""
        with self._database.session() as session:
            return list_said_at(session, owner, until)

    def history(self, owner: Owner, memory_id: str) -> list[MemoryVersion]:
        """Return a whole chain in version order."""
        with self._database.session() as session:
            links = load_chains(session, owner, [memory_id]).get(memory_id, ())
            placed = place(links, self._slots.say(_key(links)))
            return _to_records(session, owner, placed)

    def as_of(self, owner: Owner, when: datetime, known_at: datetime | None = None) -> list[MemoryVersion]:
        """Return what was true at `when`, by memory id, each with status `active`."""
        with self._database.session() as session:
            if known_at is None:
                found = self._true_at(session, owner, when)
            else:
                found = self._known_at(session, owner, when, known_at)
            return _to_records(session, owner, [found[memory_id] for memory_id in sorted(found)])

    def list_decisions(self, owner: Owner, *, after: int | None = None, limit: int | None = None) -> list[Decision]:
        """Return the audit trail in the order in which it was written."""
        with self._database.session() as session:
            return list_decisions(session, owner, after, limit)

    def list_pending(self, owner: Owner) -> list[HeldCandidate]:
        """Return the held candidates by id, expired ones included."""
        with self._database.session() as session:
            return list_held(session, owner)

    def list_expired_pending(self, before: datetime, *, limit: int) -> list[tuple[Owner, HeldCandidate]]:
        """Return candidates of all owners whose time was over before then, the oldest first."""
        with self._database.session() as session:
            return list_expired(session, before, limit)

    def list_transitions(self, owner: Owner, machine: str | None = None) -> list[TransitionRow]:
        """Return recorded transitions in the order in which they were recorded."""
        with self._database.session() as session:
            return list_transitions(session, owner, machine)

    def list_users(self, namespace: str, *, after: str | None = None, limit: int | None = None) -> list[str]:
        """Return user ids of a namespace in the order of their bytes."""
        with self._database.session() as session:
            return users.list_users(session, namespace, after, limit)

    def scan(
        self,
        *,
        after: str | None = None,
        limit: int,
        statuses: Sequence[Status] = (),
        kinds: Sequence[Kind] = (),
    ) -> list[OwnedHead]:
        """Return heads of all owners by memory id, for jobs."""
        with self._database.session() as session:
            return memories.scan_heads(session, after=after, limit=limit, statuses=statuses, kinds=kinds)

    def owned(self, memory_ids: Iterable[str]) -> dict[str, OwnedHead]:
        """Return the heads among these ids whoever owns them, for jobs."""
        with self._database.session() as session:
            return memories.find_owned(session, memory_ids)

    def counts(self) -> StoreCounts:
        """Count what is stored, all namespaces."""
        dialect, engine = self._database.dialect, self._database.engine
        with self._database.session() as session:
            counted = {name: session.all(statement)[0][0] for name, statement in _COUNTS.items()}
            by_status: dict[Status, int] = dict(session.all(_BY_STATUS))
            with engine.connect() as connection:
                schema = find_revision(connection) or ""
            return StoreCounts(
                backend=dialect.name(engine),
                server=dialect.version(engine),
                schema=schema,
                users=counted[users_table.name],
                memories=by_status,
                versions=counted[memory_versions.name],
                pending=counted[pending.name],
                decisions=counted[decisions_table.name],
            )

    def _true_at(self, session: Session, owner: Owner, when: datetime) -> dict[str, Placed]:
        found = list_true_at(session, owner, when)
        others = [memory_id for memory_id, placed in found.items() if not speaks_alone(placed.link)]
        folded = {
            memory_id: find_true_at(place(links, self._slots.say(_key(links))), when)
            for memory_id, links in load_chains(session, owner, others).items()
        }
        shown = {**found, **folded}
        return {memory_id: _as_active(placed) for memory_id, placed in shown.items() if placed is not None}

    def _known_at(self, session: Session, owner: Owner, when: datetime, known_at: datetime) -> dict[str, Placed]:
        memory_ids = list_known_at(session, owner, when, known_at)
        found = {
            memory_id: find_true_at(place(known(links, known_at), self._slots.say(_key(links))), when)
            for memory_id, links in load_chains(session, owner, memory_ids).items()
        }
        return {memory_id: placed for memory_id, placed in found.items() if placed is not None}


def _key(links: Sequence[Link]) -> str | None:
    return links[0].content.key if links else None


def _as_active(placed: Placed) -> Placed:
    return replace(placed, status=Status.ACTIVE)


def _to_records(session: Session, owner: Owner, placed: Sequence[Placed]) -> list[MemoryVersion]:
    memory_ids = sorted({item.link.content.memory_id or "" for item in placed})
    quotes = list_quotes(session, memory_ids)
    return [
        records.to_record(
            owner,
            item.link.content.memory_id or "",
            item.link.content.key,
            item,
            standing(quotes.get((item.link.content.memory_id or "", item.source.version), ())),
        )
        for item in placed
    ]
