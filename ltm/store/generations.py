"""Rows of `generations`, and the pointer row of `meta` that names the live one."""

import json
from dataclasses import asdict

from sqlalchemy import bindparam, delete, exists, insert, literal, select, true, update

from ltm.errors import InvalidRequestError
from ltm.models import Owner
from ltm.ports import Clock, EmbedderSpec, Generation, Snapshot
from ltm.store.database import Database, Row, Session
from ltm.store.prepared import insert_into
from ltm.store.tables import generations, memories, meta, outbox, users
from ltm.store.users import named

_G = generations.c
_POINTER = "live_generation"
_COLUMNS = (_G.id, _G.name, _G.fingerprint, _G.dim, _G.embedder, _G.state, _G.checkpoint, _G.created_at)
_LIST = select(*_COLUMNS).order_by(_G.id)
_FIND = _LIST.where(_G.id == bindparam("generation"))
_FIND_NAME = _LIST.where(_G.name == bindparam("name"))
_LIVE = select(*_COLUMNS).join(meta, meta.c.value == _G.name).where(meta.c.name == _POINTER)
_WAITS = exists().where(outbox.c.owner == users.c.id, outbox.c.generation == _G.id)
SNAPSHOT = (
    select(users.c.revision, users.c.id, _WAITS.label("waits"), *_COLUMNS)
    .select_from(meta)
    .outerjoin(generations, _G.name == meta.c.value)
    .outerjoin(users, (users.c.namespace == bindparam("namespace")) & (users.c.user_id == bindparam("user_id")))
    .where(meta.c.name == _POINTER)
)
_LOCK_POINTER = select(meta.c.value).where(meta.c.name == _POINTER).with_for_update()
# The pointer row is shared by writers and taken alone by whoever adds a generation: no write slips past a new one.
_IDS = (
    select(_G.id).select_from(meta).join(generations, true()).where(meta.c.name == _POINTER).with_for_update(read=True)
)
_INSERT = insert_into(generations)
_POINT = update(meta).values(value=bindparam("new_value", type_=meta.c.value.type)).where(meta.c.name == _POINTER)
_STATE = update(generations).values(state=bindparam("new_state")).where(_G.id == bindparam("at_id"))
_RETIRE = update(generations).values(state="retired").where(_G.state == "live", _G.id != bindparam("at_id"))
_CHECKPOINT = (
    update(generations)
    .values(checkpoint=bindparam("new_checkpoint", type_=_G.checkpoint.type))
    .where(_G.id == bindparam("at_id"))
)
_DROP = delete(generations).where(_G.id == bindparam("at_id"))
_DROP_ROWS = delete(outbox).where(outbox.c.generation == bindparam("at_id"))
_NOW = bindparam("now", type_=outbox.c.raised_at.type)
_RAISE_ALL = insert(outbox).from_select(
    ["memory_id", "generation", "owner", "needs_embedding", "attempts", "is_dead", "raised_at", "next_attempt_at"],
    select(memories.c.memory_id, bindparam("at_id"), memories.c.owner, literal(1), literal(0), literal(0), _NOW, _NOW),
)


def read_snapshot(session: Session, owner: Owner) -> Snapshot:
    """Return the owner's revision and the live generation in one query."""
    row = session.one(SNAPSHOT, **named(owner))
    if row is None:
        return Snapshot(revision=0, live=None)
    live = None if row[3] is None else _generation(row[3:])
    return Snapshot(revision=row[0] or 0, life=row[1] or 0, live=live, is_settled=not row[2])


def generation_ids(session: Session) -> list[int]:
    """Return the generations that exist, and keep new ones from being added until the transaction ends."""
    return sorted(row[0] for row in session.all(_IDS))


class SqlGenerations:
    """Implements `ltm.ports.Generations`."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def find_live(self) -> Generation | None:
        """Return the generation that readers use, or None."""
        with self._database.session() as session:
            row = session.one(_LIVE)
        return None if row is None else _generation(row)

    def list_all(self) -> list[Generation]:
        """Return the generations, the oldest first."""
        with self._database.session() as session:
            return [_generation(row) for row in session.all(_LIST)]

    def ensure_live(self, name: str, *, fingerprint: str, spec: EmbedderSpec) -> Generation:
        """Return the live generation; where there is none, make this one live and raise every memory for it."""
        live = self.find_live()
        if live is not None:
            return live
        with self._database.transaction() as session:
            session.one(_LOCK_POINTER)
            row = session.one(_LIVE)
            if row is not None:
                return _generation(row)
            made = self._add(session, name, fingerprint, spec)
            session.run(_RAISE_ALL, at_id=made.generation_id, now=self._clock.now())
            return _switch(session, made)

    def create(self, name: str, *, fingerprint: str, spec: EmbedderSpec) -> Generation:
        """Register a generation as `building`."""
        with self._database.transaction() as session:
            session.one(_LOCK_POINTER)
            if session.one(_FIND_NAME, name=name) is not None:
                raise InvalidRequestError(f"there is a generation {name!r} already")
            return self._add(session, name, fingerprint, spec)

    def checkpoint(self, generation_id: int, memory_id: str) -> None:
        """Note the last memory id that the build has written."""
        with self._database.transaction() as session:
            session.run(_CHECKPOINT, at_id=generation_id, new_checkpoint=memory_id)

    def switch(self, generation_id: int) -> Generation:
        """Make it live, and what was live `retired`, by one pointer row."""
        with self._database.transaction() as session:
            session.one(_LOCK_POINTER)
            return _switch(session, _get(session, generation_id))

    def drop(self, generation_id: int) -> None:
        """Forget a generation and its outbox rows."""
        with self._database.transaction() as session:
            session.one(_LOCK_POINTER)
            if _get(session, generation_id).state == "live":
                raise InvalidRequestError("the live generation cannot be dropped: switch to another one first")
            session.run(_DROP, at_id=generation_id)
            session.run(_DROP_ROWS, at_id=generation_id)

    def _add(self, session: Session, name: str, fingerprint: str, spec: EmbedderSpec) -> Generation:
        embedder = json.dumps(asdict(spec), ensure_ascii=False, sort_keys=True)
        row = (name, fingerprint, spec.dim, embedder, "building", None, self._clock.now())
        session.many(_INSERT, [row])
        return _generation(session.all(_FIND_NAME, name=name)[0])


def _get(session: Session, generation_id: int) -> Generation:
    row = session.one(_FIND, generation=generation_id)
    if row is None:
        raise InvalidRequestError(f"there is no generation {generation_id}")
    return _generation(row)


def _switch(session: Session, target: Generation) -> Generation:
    session.run(_RETIRE, at_id=target.generation_id)
    session.run(_STATE, at_id=target.generation_id, new_state="live")
    session.run(_POINT, new_value=target.name)
    return _get(session, target.generation_id)


def _generation(row: Row) -> Generation:
    return Generation(
        generation_id=row[0],
        name=row[1],
        fingerprint=row[2],
        dim=row[3],
        embedder=row[4],
        state=row[5],
        checkpoint=row[6],
        created_at=row[7],
    )
