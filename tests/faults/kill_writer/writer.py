"""Writes without end: bulk, chains, dialogues, retractions, erasures."""

from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import numpy as np

from ltm.memory import Memory
from ltm.models import MemoryInput, Turn
from ltm.wiring import open_house
from tests.faults.kill_writer.place import USERS, Place
from tests.support.ledger import Voice

BULK = 12
_SAID = (
    "期望薪资 {0}-95k，base 只考虑杭州",
    "其实上海也可以，薪资好商量",
    "I have {0} years of experience and prefer Berlin",
    "我不想去外包了",
)


def write_for_ever(place: Place, path: Path, *, number: int, seed: int) -> NoReturn:
    """Open the store and write until the process is killed; every write is announced, and said when it is committed."""
    voice = Voice(path)
    memory = Memory(open_house(None, place.settings))
    rng = np.random.default_rng(seed)
    writer = _Writer(memory, voice, rng, number)
    voice.say(open=True)
    often: tuple[Callable[[str], None], ...] = (writer.bulk, writer.chain)
    actions = (*often, *often, writer.single, writer.observe, writer.retract, writer.erase)
    while True:
        user = USERS[int(rng.integers(len(USERS)))]
        voice.say(about=user)
        actions[int(rng.integers(len(actions)))](user)


class _Writer:
    def __init__(self, memory: Memory, voice: Voice, rng: np.random.Generator, number: int) -> None:
        self._memory = memory
        self._voice = voice
        self._rng = rng
        self._number = number
        self._count = 0
        self._singles: dict[str, list[str]] = {user: [] for user in USERS}

    def bulk(self, user: str) -> None:
        """Write several memories in one transaction; their texts say how many there must be."""
        batch = f"batch {self._number}-{self._next()}"
        inputs = [MemoryInput(text=f"{batch} {at}/{BULK} likes tea", context="about tea") for at in range(BULK)]
        records = self._memory.remember_many(user, inputs)
        self._voice.say(user=user, kept=[(record.memory_id, record.version) for record in records])

    def single(self, user: str) -> None:
        """Write one memory."""
        record = self._memory.remember(user, f"single {self._number}-{self._next()} likes cake")
        self._singles[user].append(record.memory_id)
        self._voice.say(user=user, kept=[(record.memory_id, record.version)])

    def chain(self, user: str) -> None:
        """Append a version to the user's one memory of a key."""
        count = self._next()
        record = self._memory.remember(
            user, f"home {self._number}-{count}", key="home", value=f"{self._number}-{count}"
        )
        self._voice.say(user=user, kept=[(record.memory_id, record.version)])

    def observe(self, user: str) -> None:
        """Learn from a dialogue by rules."""
        text = _SAID[int(self._rng.integers(len(_SAID)))].format(int(self._rng.integers(2, 40)))
        turn = Turn(role="user", text=text, id=f"{self._number}-{self._next()}")
        receipt = self._memory.observe(user, [turn], session_id=f"session {self._number}")
        kept = [(one.memory_id, one.version) for one in receipt.decisions if one.memory_id and one.version]
        self._voice.say(user=user, kept=kept)

    def retract(self, user: str) -> None:
        """End a memory."""
        if not self._singles[user]:
            return self.single(user)
        chosen = self._singles[user][int(self._rng.integers(len(self._singles[user])))]
        record = self._memory.retract(user, chosen)
        self._voice.say(user=user, kept=[(record.memory_id, record.version)])
        return None

    def erase(self, user: str) -> None:
        """Erase a memory physically."""
        if not self._singles[user]:
            return self.single(user)
        chosen = self._singles[user].pop()
        self._memory.erase(user, chosen)
        self._voice.say(user=user, erased=[chosen])
        return None

    def _next(self) -> int:
        self._count += 1
        return self._count
