"""Verify and repair a generation as it is found: point by point, or as a whole where its index cannot be read."""

from dataclasses import dataclass
from threading import Event

from indexing.opening import open_generation
from indexing.progress import Watch
from indexing.reindex import Ending, Reindex, ReindexOptions, Result
from indexing.repair import Repair, Repaired
from indexing.verify import Comparison, Report, Sampling
from ltm.apply.backoff import Jitter
from ltm.errors import ConfigurationError
from ltm.house import House
from ltm.ports import Generation


@dataclass(frozen=True, slots=True, kw_only=True)
class Mended:
    """What became of a repair; one of the two is None.

    Attributes:
        repaired: Points were mended where they are.
        rebuilt: The generation could not be read, so another one of the same embedder was built and took its place.
    """

    repaired: Repaired | None = None
    rebuilt: Result | None = None

    @property
    def is_clean(self) -> bool:
        """Tell whether nothing differs any more."""
        if self.repaired is not None:
            return self.repaired.proof.is_clean
        return self.rebuilt is not None and self.rebuilt.ending is Ending.SWITCHED


def sample_of(house: House, size: int, salt: int) -> Sampling:
    """Return a sampling that takes about `size` memories; 0 takes none."""
    memories = sum(house.store.read.counts().memories.values())
    return Sampling(every=max(1, memories // size) if size else 0, salt=salt)


def verify_generation(house: House, generation: Generation, *, sampling: Sampling, watch: Watch, stop: Event) -> Report:
    """Compare a generation with SQL; one that cannot be read is reported as unusable.

    Raises:
        IndexLockedError: Another process has the embedded index.
        LtmError: Store, index or embedder did not answer.
    """
    opened = open_generation(house, generation)
    if opened.space is None:
        return Report(generation=generation.name, unusable=opened.trouble)
    with watch.stage("verify", sum(house.store.read.counts().memories.values())) as advance:
        return Comparison(house.store, opened.space, sampling=sampling, advance=advance).run(stop)


def mend_generation(
    house: House, generation: Generation, *, sampling: Sampling, jitter: Jitter, watch: Watch, stop: Event
) -> Mended:
    """Mend what differs. A live generation that cannot be read is replaced by a new one; nothing of it is removed.

    Raises:
        ConfigurationError: A generation that is not live cannot be read, or the embedder cannot be had here.
        IndexLockedError: Another process has the embedded index.
        LtmError: Store, index or embedder did not answer.
    """
    opened = open_generation(house, generation)
    if opened.space is not None:
        with watch.stage("repair", sum(house.store.read.counts().memories.values())) as advance:
            repair = Repair(house.store, opened.space, sampling=sampling, advance=advance)
            return Mended(repaired=repair.run(stop))
    if generation.state != "live":
        raise ConfigurationError(
            f"generation {generation.name} cannot be read, drop it with `ltm index gc`: {opened.trouble}"
        )
    embedder = house.spaces.embedder_of(generation)
    if embedder is None:
        raise ConfigurationError(
            f"the embedder of generation {generation.name} cannot be had here: `ltm index reindex`"
        )
    job = Reindex(house, embedder, jitter=jitter, options=ReindexOptions(is_forced=True), watch=watch)
    return Mended(rebuilt=job.run(stop))
