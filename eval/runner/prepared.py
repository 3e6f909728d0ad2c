"""A set that was stored once and can be asked under many profiles."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from eval.datasets import Dataset, Query
from eval.metrics.outcomes import Outcome, SystemRun
from eval.runner.ask import Asker
from eval.runner.ingest import Stored, store_corpus
from eval.runner.opening import open_memory
from eval.runner.progress import Bars
from ltm.commands.scratch import scratch_folder
from ltm.recall import DEFAULT, Profile
from ltm.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A stored set.

    Attributes:
        folder: Of the store; not used where the settings name servers.
        settings: With the set's packs.
    """

    dataset: Dataset
    folder: Path
    settings: Settings
    stored: Stored

    def run(self, profile: Profile, show: Bars) -> SystemRun:
        """Ask every query for its ranking and for what would be injected."""
        return self._ask(profile, show, lambda asker: asker.ask)

    def rank(self, profile: Profile, show: Bars) -> SystemRun:
        """Ask every query for its ranking only."""
        return self._ask(profile, show, lambda asker: asker.rank)

    def _ask(self, profile: Profile, show: Bars, how: Callable[[Asker], Callable[[Query], Outcome]]) -> SystemRun:
        queries, outcomes = self.dataset.queries, []
        bar = show.bar(f"{self.dataset.name}: {profile.name}", len(queries))
        with open_memory(self.folder, self.settings, profile) as opened, bar as advance:
            ask = how(Asker(memory=opened.memory, stored=self.stored, embedder=opened.embedder))
            for query in queries:
                outcomes.append(ask(query))
                advance(1)
        return SystemRun(
            dataset=self.dataset.name,
            system=profile.name,
            setup={},
            outcomes=tuple(outcomes),
            aliases=self.stored.aliases,
            ingest=self.stored.ingest,
        )


@contextmanager
def prepared(dataset: Dataset, settings: Settings, show: Bars) -> Iterator[Prepared]:
    """Store a set with `remember_many`, in a temporary folder unless the settings name servers."""
    own = settings.model_copy(update={"packs": packs_of(dataset, settings)})
    with scratch_folder() as folder:
        bar = show.bar(f"{dataset.name}: remember", len(dataset.memories))
        with open_memory(folder, own, DEFAULT) as opened, bar as advance:
            stored = store_corpus(opened.memory, dataset, opened.embedder, advance)
        yield Prepared(dataset=dataset, folder=folder, settings=own, stored=stored)


def packs_of(dataset: Dataset, settings: Settings) -> tuple[str, ...]:
    """Return the settings' packs and those that the set's keys belong to."""
    return tuple(dict.fromkeys((*settings.packs, *dataset.packs)))
