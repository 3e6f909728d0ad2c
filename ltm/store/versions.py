"""Rows of `memory_versions`: the chains."""

from collections.abc import Collection, Iterable
from datetime import datetime

from sqlalchemy import bindparam, func, or_, select, update

from ltm.models import Owner, Status
from ltm.ports import NewVersion
from ltm.store.chain import HOLDING, MENDING, Link, Placed
from ltm.store.columns import OPEN_END
from ltm.store.database import Row, Session
from ltm.store.prepared import among, insert_into
from ltm.store.tables import memories, memory_versions
from ltm.store.users import OWNER_ID, named

_V = memory_versions.c
_CHANGING = ("status", "valid_to", "reverted_at", "held_confidence")
_LINK_COLUMNS = (
    _V.memory_id,
    _V.version,
    _V.recorded_at,
    _V.reverted_at,
    _V.held_confidence,
    _V.made_by,
    _V.op,
    _V.kind,
    _V.text,
    _V.value,
    _V.context,
    _V.confidence,
    _V.valid_from,
    _V.begins_as,
    _V.action,
    _V.reason,
    _V.actor,
    _V.external_id,
    _V.pack,
    _V.pack_hash,
    memories.c.key,
    _V.carries,
)
_LINKS = select(*_LINK_COLUMNS).join(memories, memories.c.memory_id == _V.memory_id).where(_V.owner == OWNER_ID)
FIND_CHAINS = _LINKS.where(among(_V.memory_id, "id")).order_by(_V.memory_id, _V.version)
TRUE_AT = (
    select(_V.status, _V.valid_to, *_LINK_COLUMNS)
    .join(memories, memories.c.memory_id == _V.memory_id)
    .where(
        _V.owner == OWNER_ID,
        _V.valid_to > bindparam("when", type_=_V.valid_to.type),
        _V.valid_from <= bindparam("when", type_=_V.valid_from.type),
        among(_V.status, "status"),
    )
)
"""What is true at a time as known now: one range on (owner, valid_to, valid_from)."""
_RANKED = (
    select(
        _V.memory_id,
        _V.begins_as,
        _V.made_by,
        func.row_number()
        .over(partition_by=_V.memory_id, order_by=(_V.valid_from.desc(), _V.version.desc()))
        .label("place"),
    )
    .where(
        _V.owner == OWNER_ID,
        _V.recorded_at <= bindparam("known_at", type_=_V.recorded_at.type),
        _V.valid_from <= bindparam("when", type_=_V.valid_from.type),
        or_(_V.reverted_at.is_(None), _V.reverted_at > bindparam("known_at", type_=_V.recorded_at.type)),
    )
    .subquery()
)
KNOWN_AT = select(_RANKED.c.memory_id).where(
    _RANKED.c.place == 1,
    or_(_RANKED.c.begins_as == bindparam("begins_as"), among(_RANKED.c.made_by, "made_by")),
)
"""Memories that may have held at a time as known at another: one range on (owner, recorded_at, valid_from)."""
_SINCE = select(_V.memory_id).where(
    _V.owner == OWNER_ID, _V.recorded_at >= bindparam("since", type_=_V.recorded_at.type)
)
SAID_AT = (
    select(_V.valid_from)
    .where(
        _V.owner == OWNER_ID,
        _V.valid_from <= bindparam("until", type_=_V.valid_from.type),
        _V.made_by == bindparam("made_by"),
        _V.reverted_at.is_(None),
    )
    .distinct()
    .order_by(_V.valid_from)
)
"""Reads all versions of one owner: no index has these columns together, and few intents need them."""
_INSERT = insert_into(memory_versions)
_UPDATE = (
    update(memory_versions)
    .values({name: bindparam(f"new_{name}", type_=_V[name].type) for name in _CHANGING})
    .where(_V.memory_id == bindparam("at_id"), _V.version == bindparam("at_version"))
)


def load_chains(session: Session, owner: Owner, memory_ids: Collection[str]) -> dict[str, tuple[Link, ...]]:
    """Return the owner's whole chains among these ids, in version order."""
    chains: dict[str, list[Link]] = {}
    for row in session.each(FIND_CHAINS, memory_ids, **named(owner)):
        chains.setdefault(row[0], []).append(_link(row))
    return {memory_id: tuple(links) for memory_id, links in chains.items()}


def list_true_at(session: Session, owner: Owner, when: datetime) -> dict[str, Placed]:
    """Return what was true then as known now, by memory id; what shows other words than its own is yet to be placed."""
    rows = session.all(TRUE_AT, **named(owner), when=when, each_status=list(HOLDING))
    return {row[2]: _placed(row) for row in rows}


def list_known_at(session: Session, owner: Owner, when: datetime, known_at: datetime) -> list[str]:
    """Return the memories that may have held at `when` as it was known at `known_at`, in no order.

    What a mended chain showed then is only known once the chain is placed.
    """
    times = {"when": when, "known_at": known_at}
    rows = session.all(KNOWN_AT, **named(owner), **times, begins_as=Status.ACTIVE, each_made_by=list(MENDING))
    return [memory_id for (memory_id,) in rows]


def list_recorded_since(session: Session, owner: Owner, since: datetime) -> list[str]:
    """Return the memories of which a version was recorded at or after then."""
    return sorted({memory_id for (memory_id,) in session.all(_SINCE, **named(owner), since=since)})


def list_said_at(session: Session, owner: Owner, until: datetime | None) -> list[datetime]:
    """Return when the statements were made that stand, ascending, each instant once."""
    when = OPEN_END if until is None else until
    return [said_at for (said_at,) in session.all(SAID_AT, **named(owner), until=when, made_by="statement")]


def insert_versions(session: Session, owner_id: int, placed: Iterable[tuple[str, Placed]]) -> None:
    """Store new versions, given with their memory ids."""
    session.many(_INSERT, [_row(owner_id, memory_id, item) for memory_id, item in placed])


def update_versions(session: Session, placed: Iterable[tuple[str, Placed]]) -> None:
    """Store what may change of versions: status, end of the interval, undoing, confidence."""
    rows = [(*_changing(item), memory_id, item.link.version) for memory_id, item in placed]
    session.many(_UPDATE, rows)


def _link(row: Row) -> Link:
    content = NewVersion(
        memory_id=row[0],
        op=row[6],
        kind=row[7],
        text=row[8],
        value=row[9],
        context=row[10],
        confidence=row[11],
        valid_from=row[12],
        begins_as=row[13],
        action=row[14],
        reason=row[15],
        actor=row[16],
        external_id=row[17],
        pack=row[18],
        pack_hash=row[19],
        key=row[20],
    )
    return Link(
        version=row[1],
        content=content,
        recorded_at=row[2],
        reverted_at=row[3],
        confidence=row[4],
        made_by=row[5],
        carries=row[21],
    )


def _placed(row: Row) -> Placed:
    link = _link(row[2:])
    return Placed(
        link=link,
        status=row[0],
        valid_to=None if row[1] == OPEN_END else row[1],
        begun=Status.ACTIVE,
        value=link.content.value,
        text=link.content.text,
        source=link,
    )


def _changing(placed: Placed) -> Row:
    valid_to = OPEN_END if placed.valid_to is None else placed.valid_to
    return placed.status, valid_to, placed.link.reverted_at, placed.link.confidence


def _row(owner_id: int, memory_id: str, placed: Placed) -> Row:
    link, content = placed.link, placed.link.content
    status, valid_to, reverted_at, held_confidence = _changing(placed)
    return (
        memory_id,
        link.version,
        owner_id,
        status,
        content.valid_from,
        valid_to,
        link.recorded_at,
        reverted_at,
        held_confidence,
        link.made_by,
        link.carries,
        content.op,
        content.kind,
        content.text,
        content.value,
        content.context,
        content.confidence,
        content.begins_as,
        content.action,
        content.reason,
        content.actor,
        content.external_id,
        content.pack,
        content.pack_hash,
    )
