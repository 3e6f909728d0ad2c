"""Nobody ever sees anything of anybody else, whatever their ids look like and whatever is done in whatever order."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np
import pytest

from ltm import Memory, MemoryInput, Turn
from ltm.errors import IllegalTransitionError, InvalidRequestError, LtmError
from ltm.models import MemoryVersion, Owner
from ltm.recall.pool_bytes import from_bytes
from tests.acceptance.conftest import SETTINGS
from tests.acceptance.told import day
from tests.support.backends import BACKENDS, Backend

HOSTILE = (
    *("a", "A", "a ", " a", "a\t", "a\n", "á", "a\u0301", "\u00e9", "e\u0301", "ａ", "ß", "ss", "İ", "i", "ı"),
    *("*", "%", "_", "a%", "a_", "a*", "?", "[a]", "^a", "\\", "\\*", "'", '"', "`", "--", ";", "' OR '1'='1", "%s"),
    *("'; DROP TABLE users; --", '{"match": {"any": ["a"]}}', "a/b", "../a", "7:default:a", "0", "00", "null", "true"),
    *("😀", "😁", "用户", "用戶", "\u200b", "\u202ea", "x" * 255),
)
assert len(set(HOSTILE)) == 50
CITIES = ("杭州", "上海", "成都", "南京")
STATES = ("searching", "applied", "interviewing", "offered", "hired", "paused")


class Crowd:
    """Fifty users of one memory. Sessions, turns, keys and external ids have the same names for all of them.

    Attributes:
        owners: Who was the first to be seen with a memory id; nobody else may ever be.
        texts: What each user's free texts must be, by memory id.
        named: Which memory each external id of a user stands for.
        erased: External ids of a user whose memories were erased.
    """

    def __init__(self, memory: Memory, seed: int) -> None:
        self.memory = memory
        self.dice = np.random.default_rng(seed)
        self.count = 0
        self.owners: dict[str, str] = {}
        self.texts: dict[str, dict[str, str]] = {user: {} for user in HOSTILE}
        self.named: dict[str, dict[str, str]] = {user: {} for user in HOSTILE}
        self.erased: dict[str, set[str]] = {user: set() for user in HOSTILE}

    def step(self) -> None:
        """Do something for somebody, and look at what comes back."""
        user = self._one_of(HOSTILE)
        acts: dict[Callable[[str], None], int] = {
            self._remember: 20,
            self._remember_many: 4,
            self._remember_key: 10,
            self._observe: 14,
            self._recall: 22,
            self._look: 12,
            self._retract: 4,
            self._rollback: 3,
            self._revert: 2,
            self._transition: 3,
            self._chat: 4,
            self._erase_memory: 1,
            self._erase_user: 1,
        }
        weights = np.array(list(acts.values()), dtype=float)
        list(acts)[int(self.dice.choice(len(acts), p=weights / weights.sum()))](user)

    def check_everything(self, backend: Backend) -> None:
        """Look behind the facade: each user has theirs; rows, points and cached bytes carry one user's marks each."""
        for user in HOSTILE:
            self._look(user)
        numbers = {user: number for user, number in _numbers(backend).items() if user in HOSTILE}
        for table, rows in backend.tables().items():
            for row in rows:
                found = {user for user in HOSTILE if mark(user) in row}
                assert len(found) <= 1, table
                assert all(str(numbers[user]) in row for user in found), table
        for point in backend.points():
            assert point.owner_key == Owner(namespace="default", user_id=self.owners[point.memory_id]).key
        for key, value in backend.cached().items():
            pool = from_bytes(value) if b":pool:" in key else None
            ids = {self.owners[one] for one in pool.ids if one in self.owners} if pool is not None else set()
            assert len(ids | {user for user in HOSTILE if mark(user).encode() in value}) <= 1

    def _remember(self, user: str) -> None:
        external_id = f"x{self._number(1000)}"
        if external_id in self.erased[user]:
            with pytest.raises(InvalidRequestError, match="erased"):
                self.memory.remember(user, self._text(user), external_id=external_id)
            return
        record = self.memory.remember(user, self._text(user), at=day(self._number(25)), external_id=external_id)
        self._saw(user, [record])
        if self.named[user].setdefault(external_id, record.memory_id) == record.memory_id and record.status == "active":
            self.texts[user][record.memory_id] = record.text

    def _remember_many(self, user: str) -> None:
        records = self.memory.remember_many(user, [MemoryInput(text=self._text(user)) for _ in range(5)])
        self._saw(user, records)
        self.texts[user] |= {record.memory_id: record.text for record in records}

    def _remember_key(self, user: str) -> None:
        key = self._one_of(HOSTILE[:12])
        self._saw(user, [self.memory.remember(user, self._text(user), key=key, value=self._number(9))])

    def _observe(self, user: str) -> None:
        said = f"{self._one_of(('', '可能'))}{self._one_of(CITIES)}也可以"
        turn = Turn(role="user", text=said, at=day(self._number(25)), id=f"t{self._number(50)}")
        for decision in self.memory.observe(user, [turn], f"s{self._number(5)}").decisions:
            if decision.memory_id is not None:
                assert self.owners.setdefault(decision.memory_id, user) == user

    def _recall(self, user: str) -> None:
        other = self._one_of(HOSTILE)
        intent = f"{mark(other)} {self._one_of(CITIES)} {other[:20].strip() or 'a'}"
        recall = self.memory.recall(user, intent, min_relevance=0, token_budget=None, now=day(30))
        self._saw(user, [item.memory for item in recall.items])
        assert not [one for one in HOSTILE if one != user and mark(one) in recall.text]

    def _look(self, user: str) -> None:
        memory, records = self.memory, self.memory.list(user, status=None)
        self._saw(user, records)
        self._saw(user, memory.as_of(user, day(self._number(30))))
        free = {item.memory_id: item.text for item in memory.list(user) if item.key is None}
        assert free == self.texts[user]
        for record in records[:3]:
            self._saw(user, memory.history(user, memory_id=record.memory_id))
        assert {held.user_id for held in memory.pending(user)} <= {user}
        touched = {item.memory_id for item in memory.decisions(user)} - {None}
        assert all(self.owners[str(memory_id)] == user for memory_id in touched)

    def _retract(self, user: str) -> None:
        for memory_id in list(self.texts[user])[:1]:
            self.memory.retract(user, memory_id)
            del self.texts[user][memory_id]
        self._try_somebody_elses(user, self.memory.retract)

    def _rollback(self, user: str) -> None:
        for record in self.memory.list(user)[:2]:
            if record.key is not None:
                self._saw(user, [self.memory.rollback(user, record.memory_id, to_version=1)])

    def _revert(self, user: str) -> None:
        self.memory.revert(user, session_id=f"s{self._number(5)}")

    def _transition(self, user: str) -> None:
        try:
            self._saw(user, self.memory.transition(user, "job_search", self._one_of(STATES)).expired)
        except IllegalTransitionError:
            return

    def _chat(self, user: str) -> None:
        window = self.memory.chat(user, "s1")
        # Nothing that leaves the window teaches anything: it is not the user who says it.
        window.append(Turn(role="assistant", text=self._text(user)))
        assert all(mark(user) in turn.text for turn in window.turns())

    def _erase_memory(self, user: str) -> None:
        for memory_id in list(self.texts[user])[-1:]:
            assert self.memory.erase(user, memory_id).verified
            del self.texts[user][memory_id]
            self._bury(user, {name for name, named in self.named[user].items() if named == memory_id})
        self._try_somebody_elses(user, self.memory.erase)

    def _erase_user(self, user: str) -> None:
        assert self.memory.erase(user).verified
        self.texts[user] = {}
        self._bury(user, set(self.named[user]))

    def _bury(self, user: str, external_ids: set[str]) -> None:
        self.erased[user] |= external_ids
        self.named[user] = {name: named for name, named in self.named[user].items() if name not in external_ids}

    def _try_somebody_elses(self, user: str, act: Callable[[str, str], object]) -> None:
        other = next((one for one, owner in self.owners.items() if owner != user), None)
        if other is not None:
            with pytest.raises(LtmError):
                act(user, other)

    def _saw(self, user: str, records: Iterable[MemoryVersion]) -> None:
        for record in records:
            assert record.user_id == user
            assert self.owners.setdefault(record.memory_id, user) == user
            assert not [one for one in HOSTILE if one != user and mark(one) in record.text]

    def _text(self, user: str) -> str:
        self.count += 1
        return f"{mark(user)} says number{self.count} {self._one_of(CITIES)}"

    def _number(self, below: int) -> int:
        return int(self.dice.integers(below))

    def _one_of(self, choices: tuple[str, ...]) -> str:
        return choices[self._number(len(choices))]


def mark(user: str) -> str:
    """Return a word that only this user's memories have."""
    return f"mark{HOSTILE.index(user):02d}x"


def _numbers(backend: Backend) -> dict[str, int]:
    with backend.house.store.unit(Owner(namespace="default", user_id="a")) as unit:
        unit.discard()
    owners = [Owner(namespace="default", user_id=user) for user in backend.memory.users()]
    return {owner.user_id: backend.house.store.read.snapshot(owner).life for owner in owners}


def _run(backend: Backend, steps: int, seed: int) -> None:
    crowd = Crowd(backend.memory, seed)
    for _ in range(steps):
        crowd.step()
    crowd.check_everything(backend)


@pytest.fixture(params=["embedded", "client", pytest.param("servers", marks=pytest.mark.service)])
def backend(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Backend]:
    """Return a memory over one of the backends."""
    with BACKENDS[request.param](tmp_path / "store", SETTINGS.packs) as opened:
        yield opened


def test_a_crowd_keeps_apart(backend: Backend) -> None:
    """Three hundred random acts of fifty users with hostile ids: no leak in SQL, index or cache."""
    _run(backend, 300, seed=4)


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_a_crowd_keeps_apart_for_long(backend: Backend) -> None:
    """Ten thousand random acts of fifty users with hostile ids: no leak in SQL, index or cache."""
    _run(backend, 10_000, seed=2026)


def test_namespaces_keep_apart(tmp_path: Path) -> None:
    """The same user id in two namespaces of one store is two users, also where a prefix could be misread."""
    folder = tmp_path / "store"
    for namespace, user in (("a/b", "c"), ("a", "b/c"), ("a:1", "c"), ("a", "1:c")):
        with Memory.open(folder, settings=SETTINGS.model_copy(update={"namespace": namespace})) as memory:
            assert user not in memory.users()
            memory.remember(user, f"{namespace} {user}", key="k", value=1)
            assert [item.text for item in memory.list(user)] == [f"{namespace} {user}"]
            recall = memory.recall(user, "k 1", min_relevance=0)
            assert [item.memory.text for item in recall.items] == [f"{namespace} {user}"]
