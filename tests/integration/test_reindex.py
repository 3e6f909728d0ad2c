"""Reindex, rollback and gc over SQLite and MariaDB, with a stand-in for the index's server."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from indexing.collect import collect
from indexing.difference import Fault
from indexing.progress import Silent
from indexing.reindex import Ending, Reindex, ReindexOptions
from indexing.relay import Relay, RelayOptions
from indexing.repair import Repair
from indexing.rollback import RolledBack, find_retired, roll_back
from indexing.verify import Sampling
from ltm.apply.backoff import Backoff
from ltm.errors import ConfigurationError, ModelError, VectorIndexError
from ltm.house import House
from ltm.memory import Memory
from ltm.ports import Embedder, EmbedderSpec, Generation
from tests.support.embedders import Projected, Watched
from tests.support.houses import compare, house_of, remember_texts
from tests.support.stand_in_index import StandInAdmin, StandInIndex

COUNT = 120
PROBED = 1 + 8 + 32 + COUNT
"""Passages that a job embeds before its build: a word, then samples that grow."""


@pytest.fixture
def new() -> Watched:
    """Return the embedder to change to."""
    return Watched(Projected())


@pytest.fixture
def house(empty_url: str, tmp_path: Path, admin: StandInAdmin, new: Watched) -> Iterator[House]:
    """Return a store of four users with a live generation of the hashing embedder."""
    with house_of(empty_url, tmp_path, admin, others=[new]) as opened:
        for user in range(4):
            remember_texts(opened, f"u{user}", [f"likes tea number {user} {n}" for n in range(COUNT // 4)])
        yield opened


def job(house: House, embedder: Embedder, **options: Any) -> Reindex:
    """Return a reindex of small batches, so that there are several."""
    return Reindex(house, embedder, jitter=lambda: 0.5, options=ReindexOptions(batch=16, **options))


def generations(house: House) -> list[Generation]:
    """List the generations."""
    return house.store.generations.list_all()


def states(house: House) -> list[str]:
    """List their states, the oldest first."""
    return [each.state for each in generations(house)]


def roll(house: House, number: int | None = None) -> RolledBack:
    """Roll back."""
    target = find_retired(house, number)
    return roll_back(house, target, jitter=lambda: 0.5, watch=Silent(), stop=threading.Event())


def index_of(admin: StandInAdmin, generation: Generation) -> StandInIndex:
    """Return a generation's index."""
    return admin.generations[generation.name][1]


def test_another_embedder_takes_over(house: House, new: Watched) -> None:
    """Every memory is in the new space, recall uses the new embedder, and the old generation is kept."""
    result = job(house, new).run()
    assert result.ending is Ending.SWITCHED
    assert result.recall is not None
    assert (result.recall.found, result.recall.asked) == (result.recall.asked, COUNT)
    assert result.recall.lexical_overlap == 1.0
    assert 0.3 < (result.recall.dense_overlap or 0) <= 1.0
    assert states(house) == ["retired", "live"]
    assert generations(house)[1].name == f"g2-{generations(house)[1].fingerprint[:8]}"
    assert compare(house).is_clean
    recall = Memory(house).recall("u1", "likes tea number 1 7")
    assert recall.degraded == ()
    assert recall.items[0].memory.text == "likes tea number 1 7"


def test_nothing_is_done_where_nothing_is_to_be_done(house: House) -> None:
    """A live generation that is whole and of this embedder stays, unless it is forced."""
    result = job(house, house.embedder).run()
    assert (result.ending, states(house)) == (Ending.UNNEEDED, ["live"])
    forced = job(house, house.embedder, is_forced=True).run()
    assert (forced.ending, states(house)) == (Ending.SWITCHED, ["retired", "live"])
    assert generations(house)[1].name.startswith("g2-")


def test_a_live_generation_that_lost_points_is_built_anew(house: House, admin: StandInAdmin) -> None:
    """A restored database with an empty index needs no flag."""
    index_of(admin, generations(house)[0]).points.clear()
    assert job(house, house.embedder).run().ending is Ending.SWITCHED
    assert compare(house).is_clean


def test_the_first_generation_of_a_store(empty_url: str, tmp_path: Path, admin: StandInAdmin) -> None:
    """Where nothing was ever written, the generation that is made is live at once."""
    with house_of(empty_url, tmp_path, admin) as house:
        assert job(house, house.embedder).run().ending is Ending.SWITCHED
        assert states(house) == ["live"]


def test_the_estimate_changes_nothing(house: House, new: Watched, admin: StandInAdmin) -> None:
    """Texts and rate are said, no generation is made."""
    probe = job(house, new).estimate()
    assert probe.memories == COUNT
    assert probe.per_s is not None
    assert probe.seconds == pytest.approx(COUNT / probe.per_s)
    assert (states(house), len(admin.generations)) == (["live"], 1)


class Wrong(Projected):
    """Gives vectors of another length than its spec says."""

    def __init__(self) -> None:
        super().__init__()
        self.spec = EmbedderSpec(name="wrong", model="wrong", revision="1", dim=97)


class Long(Projected):
    """Gives vectors that are not of unit length."""

    def embed_passages(self, texts: object) -> "np.ndarray[tuple[int, ...], np.dtype[np.float32]]":
        """Double them."""
        return super().embed_passages(cast(list[str], texts)) * np.float32(2)


class Dead(Watched):
    """Does not answer."""

    def __init__(self) -> None:
        super().__init__(Projected())
        self.is_down = True


@pytest.mark.parametrize("embedder", [Wrong, Long, Dead])
def test_a_probe_that_fails_changes_nothing(house: House, admin: StandInAdmin, embedder: type[Embedder]) -> None:
    """An embedder that is not what it says is an error before anything is registered."""
    with pytest.raises(ModelError):
        job(house, embedder()).run()
    assert (states(house), len(admin.generations)) == (["live"], 1)
    assert compare(house).is_clean


def test_an_index_that_does_not_answer_changes_nothing(house: House, new: Watched, admin: StandInAdmin) -> None:
    """No generation is registered while the index is away: a failed look is no reason to rebuild."""
    index_of(admin, generations(house)[0]).is_down = True
    with pytest.raises(VectorIndexError):
        job(house, new).run()
    assert (states(house), len(admin.generations)) == (["live"], 1)


def test_writes_during_the_build_reach_both_generations(house: House, new: Watched) -> None:
    """What is added, changed, retracted and erased meanwhile ends the same in both."""
    memory = Memory(house)
    all_ids = [owned.head.memory_id for owned in house.store.read.scan(limit=COUNT)]
    home = memory.remember("u0", "lives in Hangzhou", key="home", value="Hangzhou").memory_id

    def write() -> None:
        memory.remember("u0", "lives in Shanghai", key="home", value="Shanghai")
        memory.retract("u0", all_ids[0])
        memory.retract("u3", all_ids[-1])
        memory.erase("u1")
        remember_texts(house, "new", ["has a cat"])

    new.plan(write, after=PROBED + 40)
    result = job(house, new).run()
    assert result.ending is Ending.SWITCHED
    assert compare(house).is_clean
    assert compare(house, generations(house)[0]).different == 0
    recalled = memory.recall("u0", "where do I live", min_relevance=0)
    assert (home, "lives in Shanghai") in [(item.memory.memory_id, item.memory.text) for item in recalled.items]
    assert memory.recall("new", "cat", min_relevance=0).items[0].memory.text == "has a cat"


def test_a_stopped_build_goes_on_at_its_checkpoint(house: House, new: Watched) -> None:
    """The second run embeds what is left, not what is there, and makes no third generation."""
    stop = threading.Event()
    new.plan(stop.set, after=PROBED + 40)
    assert job(house, new, sample=0).run(stop).ending is Ending.STOPPED
    assert states(house) == ["live", "building"]
    done = house.spaces.get(generations(house)[1]).index.count()
    assert 0 < done < COUNT
    assert generations(house)[1].checkpoint is not None
    assert Memory(house).recall("u1", "likes tea number 1 7").items[0].memory.text == "likes tea number 1 7"
    embedded = len(new.embedded)
    assert job(house, new, sample=0).run().ending is Ending.SWITCHED
    assert len(new.embedded) - embedded - PROBED <= COUNT - done + 16 + 1
    assert states(house) == ["retired", "live"]
    assert compare(house).is_clean


def test_an_outage_ends_the_run_and_loses_nothing(house: House, new: Watched) -> None:
    """The error says which part it was; the next run goes on."""
    new.plan(lambda: setattr(new, "is_down", True), after=PROBED + 40)
    with pytest.raises(ModelError):
        job(house, new).run()
    new.is_down = False
    assert states(house) == ["live", "building"]
    assert job(house, new).run().ending is Ending.SWITCHED
    assert compare(house).is_clean


def test_a_build_that_lost_its_points_begins_again(house: House, new: Watched, admin: StandInAdmin) -> None:
    """A checkpoint is worth nothing without the points before it."""
    stop = threading.Event()
    new.plan(stop.set, after=PROBED + 40)
    job(house, new).run(stop)
    index_of(admin, generations(house)[1]).points.clear()
    assert job(house, new).run().ending is Ending.SWITCHED
    assert compare(house).is_clean


def test_a_generation_that_is_not_whole_is_not_switched_to(
    house: House, new: Watched, admin: StandInAdmin, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A memory that cannot be applied is named; the live generation stays until it can."""
    refused = [owned.head.memory_id for owned in house.store.read.scan(limit=3)][2]
    real = StandInIndex.upsert

    def upsert(self: StandInIndex, points: object) -> None:
        if self.dim == 96:
            self.refused = {refused} if not open_again else set()
        real(self, cast("list[object]", points))  # type: ignore[arg-type]

    open_again: list[bool] = []
    monkeypatch.setattr(StandInIndex, "upsert", upsert)
    result = job(house, new).run()
    assert result.ending is Ending.REFUSED
    assert result.report is not None
    assert result.report.faults == {Fault.MISSING: 1}
    assert [each.memory_id for each in result.report.shown] == [refused]
    assert states(house) == ["live", "building"]
    open_again.append(True)
    house.store.outbox.revive(generations(house)[1].generation_id)
    assert job(house, new).run().ending is Ending.SWITCHED
    assert compare(house).is_clean


def test_what_was_not_whole_can_be_repaired_and_switched_to(
    house: House, new: Watched, admin: StandInAdmin, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Points that a build lost are found, mended, and the next run switches."""
    monkeypatch.setattr(
        StandInIndex, "flush", lambda self: self.points.pop(min(self.points), None) if self.dim == 96 else None
    )
    assert job(house, new).run().ending is Ending.REFUSED
    monkeypatch.undo()
    building = generations(house)[1]
    assert building.state == "building"
    repaired = Repair(house.store, house.spaces.get(building), sampling=Sampling(every=1)).run()
    assert (repaired.mended, repaired.proof.is_clean) == (1, True)
    assert job(house, new).run().ending is Ending.SWITCHED


def test_workers_and_a_second_job_at_once(house: House, new: Watched) -> None:
    """Two jobs for one embedder build one generation together."""
    with ThreadPoolExecutor(2) as pool:
        jobs = [job(house, new, workers=3) for _ in range(2)]
        endings = {each.result().ending for each in [pool.submit(one.run) for one in jobs]}
    assert endings <= {Ending.SWITCHED, Ending.UNNEEDED}
    assert "building" not in states(house)
    assert compare(house).is_clean


def test_relays_build_along(house: House, new: Watched) -> None:
    """A shared build hands its batches to whoever serves the generation."""
    options = RelayOptions(batch=8, idle_s=0.01, backoff=Backoff(first_s=0.01))
    relay = Relay(house.store, house.spaces, clock=house.clock, jitter=lambda: 0.5, options=options)
    stop = threading.Event()
    thread = threading.Thread(target=relay.run, args=(stop,))
    thread.start()
    try:
        result = job(house, new, is_shared=True).run()
    finally:
        stop.set()
        thread.join()
    assert result.ending is Ending.SWITCHED
    assert compare(house).is_clean


def test_rollback_loses_nothing(house: House, new: Watched) -> None:
    """What was written since the switch is there when the pointer has gone back, and again when it goes on."""
    job(house, new).run()
    memory = Memory(house)
    memory.erase("u2")
    remember_texts(house, "u0", ["has a dog called Biscuit"])
    assert roll(house).is_live
    assert states(house) == ["live", "retired"]
    assert compare(house).is_clean
    assert memory.recall("u0", "Biscuit").items[0].memory.text == "has a dog called Biscuit"
    remember_texts(house, "u0", ["has a cat called Momo"])
    assert roll(house, 2).is_live
    assert states(house) == ["retired", "live"]
    assert compare(house).is_clean


def test_rollback_refuses_what_is_not_whole(house: House, new: Watched, admin: StandInAdmin) -> None:
    """A retired generation that lost points, or whose index is gone, does not become live."""
    job(house, new).run()
    index_of(admin, generations(house)[0]).points.popitem()
    found = roll(house)
    assert not found.is_live
    assert found.report is not None
    assert found.report.faults == {Fault.MISSING: 1}
    assert states(house) == ["retired", "live"]


def test_rollback_needs_a_generation_and_its_embedder(
    house: House, new: Watched, empty_url: str, tmp_path: Path, admin: StandInAdmin
) -> None:
    """The error names what there is to go back to, or what cannot be had."""
    with pytest.raises(ConfigurationError, match="there are: none"):
        roll(house)
    job(house, new).run()
    with pytest.raises(ConfigurationError, match=r"there are: 1 \(g1-"):
        roll(house, 7)
    with (
        house_of(empty_url, tmp_path, admin, embedder=Projected()) as elsewhere,
        pytest.raises(ConfigurationError, match="embedder"),
    ):
        roll(elsewhere)


def test_gc_drops_what_nobody_reads(house: House, new: Watched, admin: StandInAdmin) -> None:
    """Retired generations go with their rows; one that is being built goes on request; the live one stays."""
    job(house, new).run()
    house.store.generations.create("g9-unfinished", fingerprint="f", spec=new.spec)
    remember_texts(house, "u0", ["has a cat"])
    retired = generations(house)[0]
    assert collect(house, ("retired",)) == [retired.name]
    assert states(house) == ["live", "building"]
    assert retired.name not in admin.generations
    assert house.store.outbox.lag(retired.generation_id).rows == 0
    assert collect(house, ("retired", "building")) == ["g9-unfinished"]
    assert collect(house, ("live", "retired", "building")) == []
    assert Memory(house).recall("u0", "cat").items[0].memory.text == "has a cat"


def test_readers_without_the_new_embedder_recall_by_words(
    house: House, new: Watched, empty_url: str, tmp_path: Path, admin: StandInAdmin
) -> None:
    """They say so, never ask one model's vectors with another's query, and writes go on."""
    with house_of(empty_url, tmp_path, admin) as elsewhere:
        memory = Memory(elsewhere)
        assert memory.recall("u1", "likes tea number 1 7").degraded == ()
        job(house, new).run()
        recall = memory.recall("u1", "likes tea number 1 7")
        assert recall.degraded == ("embedder",)
        assert recall.items[0].memory.text == "likes tea number 1 7"
        memory.remember("u1", "has a cat")
    assert compare(house).in_flight == 1
    drained = Relay(house.store, house.spaces, clock=house.clock, jitter=lambda: 0.5).once(threading.Event())
    assert drained.settled == 1
    assert compare(house).is_clean
