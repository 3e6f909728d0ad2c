"""Many ways to damage an index: verify finds each, repair mends each and proves it."""

import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any
from uuid import UUID

import numpy as np
import pytest
import qdrant_edge as qe

from indexing.difference import Fault
from indexing.mending import Mended, mend_generation, sample_of, verify_generation
from indexing.opening import find_generation
from indexing.progress import Silent
from indexing.verify import Report
from ltm.house import House
from ltm.memory import Memory
from ltm.models import Owner
from ltm.ports import Failure
from ltm.settings import Settings
from ltm.wiring import open_parts

SETTINGS = Settings(embedder="hash")
STRANGER = "01999999-0000-7000-8000-000000000001"
EARLY, LATE = "00000000-0000-4000-8000-000000000001", "ffffffff-ffff-4fff-bfff-ffffffffffff"


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """Ids of the memories in the store that is damaged."""

    tea: str
    home: str
    ended: str
    episodes: tuple[str, ...]
    others: tuple[str, ...]

    @property
    def active(self) -> int:
        """Count the memories that must have a point."""
        return 2 + len(self.episodes) + len(self.others)


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Known]:
    """Make a store with a chain of two versions, an ended memory, one with a context, and two users."""
    folder = tmp_path_factory.mktemp("whole")
    with Memory.open(folder, settings=SETTINGS) as memory:
        tea = memory.remember("ann", "likes green tea").memory_id
        memory.remember("ann", "lives in Hangzhou", key="home", value="Hangzhou")
        home = memory.remember("ann", "lives in Shanghai", key="home", value="Shanghai").memory_id
        ended = memory.remember("ann", "cannot stand noise").memory_id
        memory.retract("ann", ended)
        episodes = tuple(
            memory.remember("ann", f"问过第{n}个场地", kind="episode", context="滨江体育馆").memory_id for n in range(3)
        )
        others = tuple(memory.remember("bob", f"plays badminton on day {n}").memory_id for n in range(5))
    return folder, Known(tea=tea, home=home, ended=ended, episodes=episodes, others=others)


class Shard:
    """The index, touched as nobody should."""

    def __init__(self, folder: Path) -> None:
        self.folder = next((folder / "index").glob("g1-*"))

    def update(self, operation: Any) -> None:
        """Open the shard with the driver and change it."""
        shard = qe.EdgeShard.load(str(self.folder / "shard"))
        shard.update(operation)
        shard.close()

    def payload(self, memory_id: str, **changes: Any) -> None:
        """Set fields of a point's payload."""
        self.update(qe.UpdateOperation.set_payload([UUID(memory_id)], changes))

    def strip(self, memory_id: str, *fields: str) -> None:
        """Remove fields of a point's payload."""
        self.update(qe.UpdateOperation.delete_payload([UUID(memory_id)], list(fields)))

    def delete(self, *memory_ids: str) -> None:
        """Remove points."""
        self.update(qe.UpdateOperation.delete_points([UUID(each) for each in memory_ids]))

    def add(self, *point_ids: UUID | int, owner: str = "3:abc1:x") -> None:
        """Add points of nobody's."""
        payload = {"owner": owner, "status": "active", "kind": "fact", "version": 1, "valid_from": 0}
        vector: Any = {"dense": [1.0] + [0.0] * 255, "bm25": qe.SparseVector([1], [1.0])}
        self.update(qe.UpdateOperation.upsert_points([qe.Point(each, vector, payload) for each in point_ids]))

    def vectors(self, memory_id: str, **vectors: Any) -> None:
        """Overwrite vectors of a point."""
        self.update(qe.UpdateOperation.update_vectors([qe.PointVectors(UUID(memory_id), vectors)]))

    def drop_vector(self, memory_id: str, name: str) -> None:
        """Remove one of a point's vectors."""
        self.update(qe.UpdateOperation.delete_vectors([UUID(memory_id)], [name]))

    def identity(self, **changes: Any) -> None:
        """Change what the folder says it was built for."""
        path = self.folder / "generation.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | changes))


Damage = Callable[[Shard, Known], object]
POINTWISE: dict[str, tuple[Damage, dict[Fault, int]]] = {
    "a point is gone": (lambda shard, known: shard.delete(known.tea), {Fault.MISSING: 1}),
    "a user's points are gone": (lambda shard, known: shard.delete(*known.others), {Fault.MISSING: 5}),
    "every point is gone": (
        lambda shard, known: shard.update(qe.UpdateOperation.delete_points_by_filter(qe.Filter())),
        {Fault.MISSING: 10},
    ),
    "an erased memory is still there": (lambda shard, known: shard.add(UUID(STRANGER)), {Fault.ORPHANED: 1}),
    "orphans at both ends": (
        lambda shard, known: shard.add(UUID(EARLY), UUID(LATE)),
        {Fault.ORPHANED: 2},
    ),
    "a point with a number for an id": (lambda shard, known: shard.add(7), {Fault.ORPHANED: 1}),
    "an orphan of a known user": (
        lambda shard, known: shard.add(UUID(STRANGER), owner=Owner(namespace="default", user_id="ann").key),
        {Fault.ORPHANED: 1},
    ),
    "an older version": (lambda shard, known: shard.payload(known.home, version=1), {Fault.VERSION: 1}),
    "a version of the future": (lambda shard, known: shard.payload(known.home, version=9), {Fault.VERSION: 1}),
    "no version": (lambda shard, known: shard.strip(known.home, "version"), {Fault.VERSION: 1}),
    "a version that is no number": (lambda shard, known: shard.payload(known.tea, version="2"), {Fault.VERSION: 1}),
    "no status": (lambda shard, known: shard.strip(known.tea, "status"), {Fault.STATUS: 1}),
    "no status anywhere": (
        lambda shard, known: shard.update(qe.UpdateOperation.delete_payload_by_filter(qe.Filter(), ["status"])),
        {Fault.STATUS: 11},
    ),
    "an active memory called superseded": (
        lambda shard, known: shard.payload(known.tea, status="superseded"),
        {Fault.STATUS: 1},
    ),
    "a retracted memory called active": (
        lambda shard, known: shard.payload(known.ended, status="active"),
        {Fault.STATUS: 1},
    ),
    "a status that is no word": (lambda shard, known: shard.payload(known.tea, status=3), {Fault.STATUS: 1}),
    "another user's": (
        lambda shard, known: shard.payload(known.tea, owner=Owner(namespace="default", user_id="bob").key),
        {Fault.OWNER: 1},
    ),
    "nobody's": (lambda shard, known: shard.strip(known.tea, "owner"), {Fault.OWNER: 1}),
    "another kind": (lambda shard, known: shard.payload(known.tea, kind="episode"), {Fault.KIND: 1}),
    "no kind": (lambda shard, known: shard.strip(known.tea, "kind"), {Fault.KIND: 1}),
    "another time": (lambda shard, known: shard.payload(known.tea, valid_from=5), {Fault.VALID_FROM: 1}),
    "no time": (lambda shard, known: shard.strip(known.tea, "valid_from"), {Fault.VALID_FROM: 1}),
    "no payload": (
        lambda shard, known: shard.update(qe.UpdateOperation.clear_payload([UUID(known.tea)])),
        {Fault.OWNER: 1, Fault.STATUS: 1, Fault.KIND: 1, Fault.VERSION: 1, Fault.VALID_FROM: 1},
    ),
    "another model's vector": (
        lambda shard, known: shard.vectors(known.tea, dense=_unit(np.ones(256))),
        {Fault.VECTOR: 1},
    ),
    "a vector of another length": (
        lambda shard, known: shard.vectors(known.tea, dense=[0.0] * 256),
        {Fault.VECTOR: 1},
    ),
    "no vector": (lambda shard, known: shard.drop_vector(known.tea, "dense"), {Fault.VECTOR: 1}),
    "another text's words": (
        lambda shard, known: shard.vectors(known.episodes[0], bm25=qe.SparseVector([5], [1.0])),
        {Fault.TERMS: 1},
    ),
    "no words": (lambda shard, known: shard.drop_vector(known.tea, "bm25"), {Fault.TERMS: 1}),
}
WHOLE: dict[str, Damage] = {
    "built with another embedder": lambda shard, known: shard.identity(fingerprint="0" * 32),
    "built for other dimensions": lambda shard, known: shard.identity(dim=384),
    "of another format": lambda shard, known: shard.identity(format=9),
    "it does not say for which embedder": lambda shard, known: (shard.folder / "generation.json").unlink(),
    "its points are gone with their folder": lambda shard, known: shutil.rmtree(shard.folder / "shard"),
    "its configuration is zeroed": lambda shard, known: (shard.folder / "shard/edge_config.json").write_bytes(
        b"\0" * 99
    ),
}


def _unit(row: "np.ndarray[Any, Any]") -> list[float]:
    unit: list[float] = (row / np.linalg.norm(row)).tolist()
    return unit


@pytest.fixture
def damaged(tmp_path: Path, template: tuple[Path, Known]) -> tuple[Path, Known]:
    """Return a copy of the store that may be damaged."""
    folder, known = template
    shutil.copytree(folder, tmp_path / "store")
    return tmp_path / "store", known


@contextmanager
def opened(folder: Path) -> Iterator[House]:
    """Open the parts of a store as the jobs do."""
    house = open_parts(folder, SETTINGS)
    try:
        yield house
    finally:
        house.close()


def verify(house: House) -> Report:
    """Compare the live generation, every vector included."""
    generation = find_generation(house, None)
    return verify_generation(house, generation, sampling=sample_of(house, 10_000, 0), watch=Silent(), stop=Event())


def repair(house: House) -> Mended:
    """Mend the live generation."""
    generation = find_generation(house, None)
    return mend_generation(
        house,
        generation,
        sampling=sample_of(house, 10_000, 0),
        jitter=lambda: 0.5,
        watch=Silent(),
        stop=Event(),
    )


def recalled(house: House) -> Sequence[str]:
    """Return what a user recalls of tea."""
    found = Memory(house).recall("ann", "green tea", min_relevance=0)
    assert found.degraded == ()
    return [item.memory.memory_id for item in found.items]


def test_a_whole_index_is_clean(damaged: tuple[Path, Known]) -> None:
    """Verify finds nothing where nothing is wrong, and repair mends nothing."""
    folder, known = damaged
    with opened(folder) as house:
        report = verify(house)
        assert report.is_clean
        assert (report.heads, report.points, report.sampled) == (known.active + 1, known.active + 1, known.active)
        mended = repair(house).repaired
        assert mended is not None
        assert mended.mended == 0


@pytest.mark.parametrize(("damage", "faults"), POINTWISE.values(), ids=POINTWISE.keys())
def test_damaged_points_are_found_and_mended(
    damaged: tuple[Path, Known], damage: Damage, faults: dict[Fault, int]
) -> None:
    """Each difference is named as what it is, mended, and gone in a second comparison."""
    folder, known = damaged
    damage(Shard(folder), known)
    with opened(folder) as house:
        found = verify(house)
        assert found.faults == faults
        assert not found.is_clean
        mended = repair(house)
        assert mended.repaired is not None
        assert mended.repaired.found.faults == faults
        assert mended.repaired.mended == found.different
        assert mended.is_clean
        assert verify(house).is_clean
        assert recalled(house)[0] == known.tea


@pytest.mark.parametrize("damage", WHOLE.values(), ids=WHOLE.keys())
def test_a_damaged_generation_is_found_and_replaced(damaged: tuple[Path, Known], damage: Damage) -> None:
    """What cannot be read is built anew beside it, proved and switched to; the old one is left for gc."""
    folder, known = damaged
    damage(Shard(folder), known)
    with opened(folder) as house:
        found = verify(house)
        assert found.unusable is not None
        assert not found.is_clean
        mended = repair(house)
        assert mended.rebuilt is not None
        assert mended.is_clean
        assert verify(house).is_clean
        assert [each.state for each in house.store.generations.list_all()] == ["retired", "live"]
        assert recalled(house)[0] == known.tea


def test_dead_letters_are_differences(damaged: tuple[Path, Known]) -> None:
    """What nobody will bring to the index any more is not in flight; repair settles its row."""
    folder, known = damaged
    Shard(folder).delete(known.tea)
    with opened(folder) as house:
        number = find_generation(house, None).generation_id
        house.store.outbox.enqueue(number, [known.tea])
        assert (verify(house).different, verify(house).in_flight) == (0, 1)
        house.store.outbox.fail(number, [Failure(memory_id=known.tea, error="VectorIndexError", next_attempt_at=None)])
        assert (verify(house).different, verify(house).in_flight) == (1, 0)
        assert repair(house).is_clean
        assert house.store.outbox.lag(number).dead == 0
