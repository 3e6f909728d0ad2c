"""The sweep over SQLite and MariaDB."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from indexing.sweep import sweep
from ltm.house import House
from ltm.memory import Memory
from ltm.models import Evidence, Kind, Op, Owner, Reason, Role, Status, Turn
from ltm.ports import HeldCandidate, Sighting
from tests.support.houses import house_of
from tests.support.stand_in_index import StandInAdmin

OWNER = Owner(namespace="default", user_id="ann")


@pytest.fixture
def house(empty_url: str, tmp_path: Path, admin: StandInAdmin) -> Iterator[House]:
    """Return an empty store."""
    with house_of(empty_url, tmp_path, admin) as opened:
        yield opened


def run(house: House) -> tuple[int, int]:
    """Sweep once and return what was expired and dropped."""
    swept = sweep(house, threading.Event())
    assert swept.is_complete
    return swept.expired, swept.dropped


def test_old_episodes_expire(house: House) -> None:
    """Key-less episodes of more than a year end with reason `ttl`; they stay in history and leave recall."""
    memory, now = Memory(house), house.clock.now()
    old = memory.remember("ann", "asked about badminton at night", kind="episode", at=now - timedelta(days=366))
    young = memory.remember("ann", "asked about tennis at noon", kind="episode", at=now - timedelta(days=364))
    fact = memory.remember("ann", "is allergic to peanuts", kind="fact", at=now - timedelta(days=3650))
    assert run(house) == (1, 0)
    assert [each.memory_id for each in memory.list("ann")] == [young.memory_id, fact.memory_id]
    ended = memory.history("ann", memory_id=old.memory_id)[-1]
    assert ended.status is Status.EXPIRED
    assert [item.memory.memory_id for item in memory.recall("ann", "badminton at night", min_relevance=0).items] != [
        old.memory_id
    ]
    assert run(house) == (0, 0)


def test_owners_are_swept_one_by_one(house: House) -> None:
    """Every owner's overdue memories end, whoever comes first."""
    memory, now = Memory(house), house.clock.now()
    for user in ("ann", "bob", "cid"):
        for day in range(3):
            memory.remember(user, f"asked about hall {day}", kind="episode", at=now - timedelta(days=400 + day))
    assert run(house) == (9, 0)


def test_what_was_said_again_counts_from_then(house: House) -> None:
    """A reinforced memory is as young as its last evidence."""
    memory, now = Memory(house), house.clock.now()
    packs = replace(house.packs, packs=tuple(replace(each, ttls={Kind.PREFERENCE: 30.0}) for each in house.packs.packs))
    aged = replace(house, packs=packs)
    for days in (40, 10):
        turn = Turn(role="user", text="I like window seats", at=now - timedelta(days=days), id=f"t{days}")
        memory.observe("ann", [turn], session_id=f"s{days}")
    memory.remember("ann", "likes loud music", kind="preference", at=now - timedelta(days=40))
    expired, _ = run(aged)
    assert expired == 1
    assert "likes loud music" not in [each.text for each in memory.list("ann")]


def test_held_candidates_are_dropped_when_their_time_is_over(house: House) -> None:
    """Those that still have time stay."""
    now = house.clock.now()

    def hold(number: int, days: float) -> HeldCandidate:
        quote = Evidence(
            turn_id=f"t{number}", session_id="s", role=Role.USER, quote="maybe Berlin", start=0, end=12, said_at=now
        )
        return HeldCandidate(
            pending_id=house.clock.new_id(),
            key=None,
            fingerprint=f"{number:064}",
            value=None,
            text="maybe Berlin",
            kind=Kind.PREFERENCE,
            op=Op.SET,
            confidence=0.5,
            reason=Reason.HEDGED,
            sightings=(Sighting(evidence=quote, confidence=0.5, seen_at=now),),
            expires_at=now + timedelta(days=days),
        )

    held = [hold(number, days) for number, days in enumerate((-3, -0.001, 1))]
    with house.store.unit(OWNER) as unit:
        for each in held:
            unit.put_pending(each)
    assert run(house) == (0, 2)
    assert [each.pending_id for each in house.store.read.list_pending(OWNER)] == [held[2].pending_id]


def test_a_stopped_sweep_says_so(house: House) -> None:
    """The next one does the rest."""
    Memory(house).remember("ann", "asked", kind="episode", at=house.clock.now() - timedelta(days=400))
    stop = threading.Event()
    stop.set()
    assert not sweep(house, stop).is_complete
    assert run(house) == (1, 0)
