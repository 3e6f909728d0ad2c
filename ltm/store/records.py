"""From rows to `MemoryVersion`, what callers see."""

from collections.abc import Collection, Sequence
from functools import lru_cache

from sqlalchemy import bindparam, select

from ltm.models import Evidence, Json, Kind, MemoryVersion, Owner, Status
from ltm.store.chain import MENDING, Placed, find_head, place
from ltm.store.database import Row, Session
from ltm.store.memories import page_params, page_where
from ltm.store.prepared import Statement, among
from ltm.store.quotes import list_quotes, standing
from ltm.store.tables import memories, memory_versions
from ltm.store.users import OWNER_ID, named
from ltm.store.versions import load_chains

_M, _V = memories.c, memory_versions.c
_COLUMNS = (
    _M.memory_id,
    _M.version,
    _M.key,
    _M.value,
    _M.text,
    _M.kind,
    _M.pack,
    _M.status,
    _M.confidence,
    _M.valid_from,
    _M.context,
    _V.recorded_at,
    _V.external_id,
    _V.op,
    _V.action,
    _V.reason,
    _V.actor,
    _V.made_by,
)
_HEADS = select(*_COLUMNS).join(memory_versions, (_V.memory_id == _M.memory_id) & (_V.version == _M.version))
FIND_RECORDS = _HEADS.where(_M.owner == OWNER_ID, among(_M.memory_id, "id"))


def find_records(session: Session, owner: Owner, memory_ids: Collection[str]) -> dict[str, MemoryVersion]:
    """Return the owner's heads among these ids as records."""
    found = _records(session, owner, session.each(FIND_RECORDS, memory_ids, **named(owner)))
    return {record.memory_id: record for record in found}


def list_records(
    session: Session,
    owner: Owner,
    *,
    status: Status | None,
    kinds: Collection[Kind],
    after: str | None,
    limit: int | None,
) -> list[MemoryVersion]:
    """Return a page of the owner's heads as records, by memory id."""
    statement = _page(status is not None, bool(kinds))
    return _records(session, owner, session.all(statement, **page_params(owner, status, kinds, after, limit)))


def to_record(
    owner: Owner, memory_id: str, key: str | None, placed: Placed, evidence: tuple[Evidence, ...]
) -> MemoryVersion:
    """Return a version as it stands in its chain, with the evidence for what it shows."""
    link, content, shown = placed.link, placed.link.content, placed.source.content
    return MemoryVersion(
        memory_id=memory_id,
        user_id=owner.user_id,
        key=key,
        value=placed.value,
        text=placed.text,
        kind=shown.kind,
        pack=shown.pack,
        status=placed.status,
        version=link.version,
        confidence=placed.source.confidence,
        valid_from=content.valid_from,
        valid_to=placed.valid_to,
        recorded_at=link.recorded_at,
        external_id=content.external_id,
        evidence=evidence,
        op=content.op,
        action=content.action,
        reason=content.reason,
        actor=content.actor,
        context=shown.context,
    )


def _records(session: Session, owner: Owner, rows: Sequence[Row]) -> list[MemoryVersion]:
    quotes = list_quotes(session, [row[0] for row in rows])
    sources = _sources(session, owner, [row[0] for row in rows if row[17] in MENDING])
    places = [(row[0], sources.get(row[0]) or row[1]) for row in rows]
    return [_record(owner, row, standing(quotes.get(at, ()))) for row, at in zip(rows, places, strict=True)]


def _sources(session: Session, owner: Owner, memory_ids: Collection[str]) -> dict[str, int]:
    """Return whose words the heads show of memories that were mended."""
    chains = load_chains(session, owner, memory_ids) if memory_ids else {}
    heads = {memory_id: find_head(place(links, _say_nothing)) for memory_id, links in chains.items()}
    return {memory_id: head.source.version for memory_id, head in heads.items() if head is not None}


def _say_nothing(value: Json, like: str) -> str:
    return like


def _record(owner: Owner, row: Row, evidence: tuple[Evidence, ...]) -> MemoryVersion:
    return MemoryVersion(
        memory_id=row[0],
        user_id=owner.user_id,
        version=row[1],
        key=row[2],
        value=row[3],
        text=row[4],
        kind=row[5],
        pack=row[6],
        status=row[7],
        confidence=row[8],
        valid_from=row[9],
        valid_to=None,
        context=row[10],
        recorded_at=row[11],
        external_id=row[12],
        op=row[13],
        action=row[14],
        reason=row[15],
        actor=row[16],
        evidence=evidence,
    )


@lru_cache(maxsize=4)
def _page(with_status: bool, with_kinds: bool) -> Statement:
    where = page_where(with_status, with_kinds)
    return _HEADS.where(*where).order_by(_M.memory_id).limit(bindparam("limit"))
