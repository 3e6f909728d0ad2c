"""Rollback: the pointer goes back to a retired generation, once that has caught up."""

from dataclasses import dataclass
from threading import Event

from indexing.opening import lease_of, open_generation
from indexing.progress import Watch
from indexing.verify import Comparison, Report, Sampling
from ltm.apply.backoff import ROWS_OF_A_JOB, Jitter
from ltm.apply.drain import Drain
from ltm.errors import ConfigurationError
from ltm.house import House
from ltm.ports import Generation, Space


@dataclass(frozen=True, slots=True, kw_only=True)
class RolledBack:
    """What became of a rollback.

    Attributes:
        generation: The retired generation's name.
        is_live: False where it was stopped, or the comparison found a difference: then nothing was switched.
        report: Comparison of every payload, or None where it did not come to that.
    """

    generation: str
    is_live: bool
    report: Report | None = None


def find_retired(house: House, number: int | None) -> Generation:
    """Return the retired generation of this number, for None the latest one.

    Raises:
        ConfigurationError: There is none.
    """
    retired = [each for each in house.store.generations.list_all() if each.state == "retired"]
    wanted = [each for each in retired if number in (None, each.generation_id)]
    if not wanted:
        known = ", ".join(f"{each.generation_id} ({each.name})" for each in retired) or "none"
        raise ConfigurationError(f"no such retired generation to go back to; there are: {known}")
    return wanted[-1]


def roll_back(house: House, target: Generation, *, jitter: Jitter, watch: Watch, stop: Event) -> RolledBack:
    """Bring a retired generation up to date, compare it with SQL, and make it live.

    Raises:
        ConfigurationError: It is damaged, or its embedder cannot be had here.
        ModelError: Its embedder did not answer; nothing was switched.
        VectorIndexError: The index did not answer; nothing was switched.
    """
    opened = open_generation(house, target)
    if opened.space is None:
        raise ConfigurationError(f"generation {target.name} cannot be used: {opened.trouble}")
    if opened.space.embedder is None:
        raise ConfigurationError(f"the embedder of generation {target.name} cannot be had here")
    store, number = house.store, target.generation_id
    store.outbox.revive(number)
    drain = Drain(store, opened.space, clock=house.clock, jitter=jitter, backoff=ROWS_OF_A_JOB, lease_s=lease_of(house))
    with watch.stage("catch up", store.outbox.lag(number).rows) as advance:
        if not drain.catch_up(stop, advance=advance):
            return RolledBack(generation=target.name, is_live=False)
    report = _compare(house, opened.space, watch, stop)
    if not report.is_clean:
        return RolledBack(generation=target.name, is_live=False, report=report)
    drain.catch_up(stop)
    store.generations.switch(number)
    drain.catch_up(stop)
    return RolledBack(generation=target.name, is_live=True, report=report)


def _compare(house: House, space: Space, watch: Watch, stop: Event) -> Report:
    with watch.stage("verify", sum(house.store.read.counts().memories.values())) as advance:
        return Comparison(house.store, space, sampling=Sampling(every=0), advance=advance).run(stop)
