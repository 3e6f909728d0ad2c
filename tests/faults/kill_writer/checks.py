"""Looks at a store after its writer was killed: nothing lost, nothing half, index and SQL agree after one relay run."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from threading import Event

from indexing.relay import Relay, RelayOptions
from indexing.verify import Comparison, Sampling
from ltm.house import House
from ltm.models import Owner
from ltm.ports import OwnedHead
from ltm.wiring import open_house
from tests.faults.kill_writer.place import USERS, Place
from tests.faults.kill_writer.writer import BULK
from tests.support.ledger import Ledger

_BATCH = re.compile(r"batch \d+-\d+")
LEASE_S = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a look at the store found; the figures from `lost` on are faults.

    Attributes:
        memories: How many there are.
        rows: Outbox rows that the relay found.
        cut_off: Whether a write had been cut off.
        lost: Memories that were said to be committed and are not there, or not as far.
        returned: Erased memories that are in SQL or in the index.
        half: Transactions of which a part is there.
        broken: Chains that are not whole.
        different: Points that differ from their heads.
        waiting: Outbox rows left after the relay's run, dead letters included.
        erased: Memories whose erasure was cut off before it could be acknowledged.
    """

    memories: int
    rows: int
    cut_off: bool
    lost: int
    returned: int
    half: int
    broken: int
    different: int
    waiting: int
    erased: tuple[str, ...]

    @property
    def faults(self) -> int:
        """Return the sum of all faults."""
        return self.lost + self.returned + self.half + self.broken + self.different + self.waiting


def check(place: Place, ledger: Ledger) -> Found:
    """Open the store, as the application would, and look."""
    house = open_house(None, place.settings)
    try:
        heads = {owned.head.memory_id: owned for owned in house.store.read.scan(limit=1_000_000)}
        rows = _relay(house)
        live = house.spaces.live()
        compared = Comparison(house.store, live, sampling=Sampling(every=1)).run()
        lag = house.store.outbox.lag(live.generation.generation_id)
        erased = [*ledger.erased & heads.keys(), *live.index.retrieve(list(ledger.erased))]
        return Found(
            memories=len(heads),
            rows=rows,
            cut_off=bool(ledger.unsure),
            lost=sum(1 for _ in _lost(ledger, heads)),
            returned=len(erased),
            half=_half(heads),
            broken=sum(1 for _ in _broken(house, heads)),
            different=compared.different + (not compared.is_complete),
            waiting=lag.rows + lag.dead,
            erased=tuple(one for one, (user, _) in ledger.kept.items() if user in ledger.unsure and one not in heads),
        )
    finally:
        house.close()


def _relay(house: House) -> int:
    """Run a relay once; what a killed relay had claimed comes back when its short lease is over."""
    options = RelayOptions(lease_s=LEASE_S)
    relay = Relay(house.store, house.spaces, clock=house.clock, jitter=lambda: 0.5, options=options)
    rows = relay.once(Event()).rows
    live = house.store.generations.find_live()
    if live is not None and house.store.outbox.lag(live.generation_id).rows:
        Event().wait(2 * LEASE_S)
        rows += relay.once(Event()).rows
    return rows


def _lost(ledger: Ledger, heads: dict[str, OwnedHead]) -> Iterator[str]:
    for memory_id, (user, version) in ledger.kept.items():
        found = heads.get(memory_id)
        is_there = found is not None and found.owner.user_id == user and found.head.last_version >= version
        if not is_there and user not in ledger.unsure:
            yield memory_id


def _half(heads: dict[str, OwnedHead]) -> int:
    batches = Counter(found.group() for owned in heads.values() if (found := _BATCH.match(owned.head.text)))
    return sum(count != BULK for count in batches.values())


def _broken(house: House, heads: dict[str, OwnedHead]) -> Iterator[str]:
    owners = {user: Owner(namespace=house.namespace, user_id=user) for user in USERS}
    for memory_id, owned in heads.items():
        chain = house.store.read.history(owners[owned.owner.user_id], memory_id)
        numbers = [version.version for version in chain]
        head = next((version for version in chain if version.version == owned.head.version), None)
        is_whole = numbers == list(range(1, owned.head.last_version + 1)) and head is not None
        if not is_whole or head is None or (head.status, head.text) != (owned.head.status, owned.head.text):
            yield memory_id
