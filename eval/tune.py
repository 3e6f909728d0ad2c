"""Weights found on train users and proven on test users."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace

import numpy as np

from eval.compare import Comparison, compare_runs
from eval.datasets import Dataset
from eval.errors import EvaluationError
from eval.metrics.summary import per_query
from eval.runner.prepared import Prepared, prepared
from eval.runner.progress import Bars
from ltm.recall import Profile, find_profile
from ltm.settings import Settings

GRID: Mapping[str, Sequence[float]] = {
    "dense_weight": (0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.9),
    "shift_n": (10.0, 20.0, 50.0, 100.0),
    "day_boost": (0.0, 0.5, 1.0, 1.5),
    "slot_boost": (0.0, 0.25, 0.5, 0.75, 1.0),
    "topic_boost": (0.0, 0.25, 0.5, 0.75),
    "elsewhere_cost": (0.0, 0.25, 0.5),
    "kind_boost": (0.0, 0.5, 0.75, 1.0),
    "speaker_boost": (0.0, 0.5, 1.0),
    "turn_before_weight": (0.0, 0.1, 0.2),
    "turn_after_weight": (0.0, 0.1, 0.3, 0.5),
    "recency_bound": (0.0, 0.03, 0.06, 0.1, 0.2),
    "confidence_bound": (0.0, 0.1, 0.2),
    "last_turn_weight": (0.25, 0.5, 1.0),
}
"""What is tried, one weight after another, the others held; the weights of ranking only."""
OBJECTIVE = "recall@10"
_ROUNDS = 2
_LEAST_GAIN = 1e-4
"""A round that gains no more than this is the last one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """One profile on the train users: the mean over the sets of the mean over queries."""

    changes: Mapping[str, float]
    objective: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuned:
    """What tuning found.

    Attributes:
        tried: Every profile that was tried, in order; the first is the one started from.
        changes: Weights in which the best differs from it.
        proofs: The best against the first on the test users, a comparison a set.
    """

    tried: tuple[Tried, ...]
    changes: Mapping[str, float]
    proofs: tuple[Comparison, ...]


def tune(sets: Sequence[Dataset], settings: Settings, show: Bars, rng: np.random.Generator) -> Tuned:
    """Climb weight by weight on the train users of all sets together, and compare on the test users.

    Raises:
        EvaluationError: A set has users of one split only.
    """
    for dataset in sets:
        _require_both_splits(dataset)
    start = find_profile(settings.profile)
    with ExitStack() as stack:
        train = [stack.enter_context(prepared(dataset.restrict("train"), settings, show)) for dataset in sets]
        tried = list(_climb(train, start, show))
    best = max(tried, key=lambda one: one.objective)
    proofs = []
    for test in [dataset.restrict("test") for dataset in sets if best.changes]:
        with prepared(test, settings, show) as one:
            ours, theirs = (one.rank(profile, show) for profile in (_changed(start, best.changes), start))
        proofs.append(compare_runs(test, ours, theirs, rng))
    return Tuned(tried=tuple(tried), changes=best.changes, proofs=tuple(proofs))


def _require_both_splits(dataset: Dataset) -> None:
    users = sorted({memory.user for memory in dataset.memories})
    missing = {"train", "test"} - {memory.split for memory in dataset.memories}
    if not missing:
        return
    why = (
        f"its only user is {users[0]!r}: add a second one"
        if len(users) == 1
        else f'none of its {len(users)} users is of split {" or ".join(sorted(missing))}: give some of them "split": '
        f'"{min(missing)}", or no row a split, and half of the users are held out'
    )
    raise EvaluationError(
        f"{dataset.name} has no users to hold out, and weights are searched on some users and proven on others; {why}. "
        "Other sets are chosen by --set, e.g. --set own"
    )


def _climb(train: Sequence[Prepared], start: Profile, show: Bars) -> Iterator[Tried]:
    best = Tried(changes={}, objective=_objective(train, start, show))
    yield best
    for _ in range(_ROUNDS):
        before = best
        for weight, values in GRID.items():
            tried = list(_try_values(train, start, best, weight, values, show))
            yield from tried
            best = max((best, *tried), key=lambda one: one.objective)
        if best.objective <= before.objective + _LEAST_GAIN:
            return


def _try_values(
    train: Sequence[Prepared], start: Profile, best: Tried, weight: str, values: Sequence[float], show: Bars
) -> Iterator[Tried]:
    """Yield the best profile so far with each other value of one weight."""
    for value in values:
        if value != getattr(_changed(start, best.changes), weight):
            changes = {**best.changes, weight: value}
            yield Tried(changes=changes, objective=_objective(train, _changed(start, changes), show))


def _changed(start: Profile, changes: Mapping[str, float]) -> Profile:
    if not changes:
        return start
    name = "+".join(f"{weight}={value:g}" for weight, value in changes.items())
    return replace(start, name=f"{start.name}+{name}", **changes)  # type: ignore[arg-type]


def _objective(train: Sequence[Prepared], profile: Profile, show: Bars) -> float:
    means = []
    for one in train:
        figures = per_query(one.dataset, one.rank(profile, show))[OBJECTIVE]
        means.append(float(np.mean(list(figures.values()))))
    return float(np.mean(means))
