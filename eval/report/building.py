"""Runs to what a report shows."""

from collections.abc import Mapping, Sequence

import numpy as np

from eval.datasets import Dataset
from eval.metrics.outcomes import SystemRun
from eval.metrics.summary import summarise
from eval.report.values import SetReport, find_worst


def report_set(dataset: Dataset, runs: Sequence[SystemRun], rng: np.random.Generator) -> SetReport:
    """Return one set's part; the first run is the system that the report is about."""
    latencies: Mapping[str, tuple[float, ...]] = {
        run.system: tuple(outcome.seconds * 1000 for outcome in run.outcomes) for run in runs
    }
    return SetReport(
        dataset=dataset.name,
        memories=len(dataset.memories),
        summaries=tuple(summarise(dataset, run, rng) for run in runs),
        latencies_ms=latencies,
        ingest=next((run.ingest for run in runs if run.ingest is not None), None),
        worst=find_worst(dataset, runs[0]),
    )
