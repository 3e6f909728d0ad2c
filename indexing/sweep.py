"""Sweep: end what outlived its time to live."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from threading import Event

from indexing.progress import Advance
from indexing.walk import scan_pages
from ltm.house import House
from ltm.models import Owner, Status
from ltm.packs import PackSet
from ltm.ports import Head, OwnedHead, UnitOfWork

_PAGE = 1000
_ACTOR = "sweep"
_REASON = "ttl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Swept:
    """What a sweep ended.

    Attributes:
        expired: Memories that have a version `expired` more, reason `ttl`.
        dropped: Held candidates that were not said again in time.
        is_complete: False where it was stopped.
    """

    expired: int
    dropped: int
    is_complete: bool


def sweep(house: House, stop: Event, advance: Advance = lambda count: None) -> Swept:
    """Expire memories of all owners by the time to live of their pack, and drop held candidates whose time is over.

    A memory counts from when it was last said. An owner's memories end in one transaction.

    Raises:
        StoreUnavailableError: The store did not answer; what was ended before stays so.
    """
    now = house.clock.now()
    dropped = _drop_pending(house, now, stop)
    expired = 0
    for page in scan_pages(house.store.read, page=_PAGE, statuses=(Status.ACTIVE,)):
        if stop.is_set():
            break
        for owner, memory_ids in _overdue(house, page, now).items():
            expired += house.write(owner, partial(_expire, versions=memory_ids))
        advance(len(page))
    return Swept(expired=expired, dropped=dropped, is_complete=not stop.is_set())


def is_overdue(head: Head, last_said: datetime, now: datetime, packs: PackSet) -> bool:
    """Tell whether a head's time is over."""
    days = packs.ttl_days(head.kind, head.key, head.pack)
    return days is not None and head.status is Status.ACTIVE and last_said + timedelta(days=days) <= now


def _overdue(house: House, page: Sequence[OwnedHead], now: datetime) -> Mapping[Owner, Mapping[str, int]]:
    """Return the versions to be ended, by owner and memory; evidence is read only of those that look old."""
    old: dict[Owner, dict[str, Head]] = defaultdict(dict)
    for owned in page:
        if is_overdue(owned.head, owned.head.valid_from, now, house.packs):
            old[owned.owner][owned.head.memory_id] = owned.head
    overdue: dict[Owner, dict[str, int]] = defaultdict(dict)
    for owner, heads in old.items():
        for memory_id, record in house.store.read.records(owner, heads).items():
            last_said = max([record.valid_from, *(quote.said_at for quote in record.evidence)])
            if is_overdue(heads[memory_id], last_said, now, house.packs):
                overdue[owner][memory_id] = record.version
    return overdue


def _expire(unit: UnitOfWork, versions: Mapping[str, int]) -> int:
    """End those whose head is still the one that was looked at."""
    unit.prefetch(memory_ids=list(versions))
    heads = [head for memory_id in versions if (head := unit.find(memory_id)) is not None]
    still = [head.memory_id for head in heads if head.version == versions[head.memory_id]]
    return len(unit.end(still, Status.EXPIRED, at=unit.now, reason=_REASON, actor=_ACTOR))


def _drop_pending(house: House, now: datetime, stop: Event) -> int:
    dropped = 0
    while not stop.is_set():
        found = house.store.read.list_expired_pending(now, limit=_PAGE)
        if not found:
            break
        by_owner: dict[Owner, list[str]] = defaultdict(list)
        for owner, held in found:
            by_owner[owner].append(held.pending_id)
        done = sum(house.store.transact(owner, partial(_drop, pending_ids=ids)) for owner, ids in by_owner.items())
        if done == 0:
            break
        dropped += done
    return dropped


def _drop(unit: UnitOfWork, pending_ids: Sequence[str]) -> int:
    held = [found for each in pending_ids if (found := unit.find_pending(each)) is not None]
    return unit.drop_pending([each.pending_id for each in held if each.expires_at <= unit.now])
