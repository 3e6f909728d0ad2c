"""What the parts of a unit of work share."""

from dataclasses import dataclass
from datetime import datetime

from ltm.models import Owner
from ltm.ports import Clock
from ltm.store.database import Database, Session
from ltm.store.slots import Slots
from ltm.store.tombstones import Graves


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """The open transaction of one owner.

    Attributes:
        owner_id: Number of the owner's locked row.
        now: Time of recording of everything in the unit.
    """

    database: Database
    session: Session
    owner: Owner
    owner_id: int
    now: datetime
    clock: Clock
    slots: Slots
    graves: Graves


class Part:
    """One part of a unit of work."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
