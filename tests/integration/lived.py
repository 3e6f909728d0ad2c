"""A simple model of a memory: what was said, by whom, and what was undone; values are worked out from it anew."""

from dataclasses import dataclass, field
from datetime import datetime

from ltm.models import Json

ACTIVE, RETRACTED, EXPIRED, REVERTED = "active", "retracted", "expired", "reverted"
Shown = tuple[str, Json]
"""Status and value."""


@dataclass
class Entry:
    """One version.

    Attributes:
        does: `set` or `add`; a status that ends; `back` to a version; `undo`.
        value: What is set or added; of an end the value that ended; of an undo the value that was undone.
        said_in: The session whose words made it; None for the application.
        support: The sessions that stand behind it.
        back_to: The version whose words a `back` shows.
    """

    at: datetime
    does: str
    value: Json = None
    said_in: str | None = None
    support: set[str] = field(default_factory=set)
    stands: bool = True
    back_to: int = -1


class Chain:
    """One memory: its versions in the order in which they became known, numbered from 0."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []

    def order(self) -> list[int]:
        """Return the standing versions in the order of time."""
        standing = [number for number, entry in enumerate(self.entries) if entry.stands]
        return sorted(standing, key=lambda number: (self.entries[number].at, number))

    def shown(self) -> dict[int, Shown]:
        """Return what each standing version shows."""
        found: dict[int, Shown] = {}
        before: Shown = (REVERTED, None)
        for place, number in enumerate(self.order()):
            entry = self.entries[number]
            if entry.does == "undo":
                before = before if place else (REVERTED, entry.value)
            elif entry.does == "back":
                before = found[entry.back_to]
            elif entry.does == "add":
                held = list(before[1]) if before[0] == ACTIVE and isinstance(before[1], list) else []
                given = entry.value if isinstance(entry.value, list) else []
                before = (ACTIVE, held + [one for one in given if one not in held])
            else:
                before = (ACTIVE if entry.does == "set" else entry.does, entry.value)
            found[number] = before
        return found

    @property
    def head(self) -> int:
        """Return what comes last."""
        return self.order()[-1]

    def now(self) -> Shown:
        """Return what the head shows."""
        return self.shown()[self.head]

    def true_at(self, when: datetime) -> Json:
        """Return the value that held then, or None."""
        begun = [number for number in self.order() if self.entries[number].at <= when]
        status, value = self.shown()[begun[-1]] if begun else (REVERTED, None)
        return value if status == ACTIVE else None

    def source(self, number: int) -> int:
        """Return the version whose words another one shows."""
        entry = self.entries[number]
        if entry.does == "back":
            return self.source(entry.back_to)
        place = self.order().index(number)
        return self.source(self.order()[place - 1]) if entry.does == "undo" and place else number

    def end(self, status: str, at: datetime) -> None:
        """End it, if it is active."""
        if self.now()[0] == ACTIVE:
            self.entries.append(Entry(at=max(at, self.entries[self.head].at), does=status, value=self.now()[1]))

    def roll_back(self, number: int) -> None:
        """Undo what became known behind a standing version, and show that one again."""
        undone = [later for later in range(number + 1, len(self.entries)) if self.entries[later].stands]
        if undone:
            target, source = self.entries[number], self.source(number)
            behind = [self.entries[one].at for one in undone if (self.entries[one].at, one) > (target.at, number)]
            for one in undone:
                self.entries[one].stands = False
            self.entries.append(Entry(at=min(behind, default=target.at), does="back", back_to=source))

    def revert(self, session: str) -> set[int]:
        """Undo what nobody but a session stands behind, and return the versions that the session had made."""
        taught = {
            number
            for number, entry in enumerate(self.entries)
            if entry.stands and entry.said_in is not None and entry.support == {session}
        }
        self.undo(taught)
        for entry in self.entries:
            if entry.stands:
                entry.support.discard(session)
        return taught

    def undo(self, numbers: set[int]) -> None:
        """Undo versions together with the ways back to them."""
        gone = {number for number in numbers if self.entries[number].stands}
        for number, entry in enumerate(self.entries):
            if entry.stands and entry.back_to in gone:
                gone.add(number)
        if gone:
            first = min(gone, key=lambda number: (self.entries[number].at, number))
            value = self.shown()[first][1]
            for number in gone:
                self.entries[number].stands = False
            self.entries.append(Entry(at=self.entries[first].at, does="undo", value=value))
