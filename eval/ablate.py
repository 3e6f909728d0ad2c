"""What each term of the score is worth: the same set with one term off after another."""

from collections.abc import Iterator

import numpy as np

from eval.datasets import Dataset
from eval.metrics.intervals import compare
from eval.metrics.summary import per_query
from eval.report.values import AblationRow
from eval.runner.prepared import prepared
from eval.runner.progress import Bars
from ltm.recall import ablations, find_profile
from ltm.settings import Settings

METRICS = ("recall@10", "MRR")


def ablate(dataset: Dataset, settings: Settings, show: Bars, rng: np.random.Generator) -> Iterator[AblationRow]:
    """Yield, for each term of the settings' profile, what changes when it is off; ranking only."""
    profile = find_profile(settings.profile)
    with prepared(dataset, settings, show) as one:
        whole = per_query(dataset, one.rank(profile, show))
        for term, without in ablations(profile).items():
            figures = per_query(dataset, one.rank(without, show))
            for metric in METRICS:
                gap = compare(figures[metric], whole[metric], rng)
                yield AblationRow(dataset=dataset.name, term=term, metric=metric, difference=gap)
