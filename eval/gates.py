"""Floors and ceilings under which a change does not pass."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from eval.errors import EvaluationError
from eval.metrics.summary import Summary
from eval.scenarios.results import Totals

STORIES = "stories"
"""Name under which the write side stands in the file."""
DEFAULT = Path(__file__).with_name("gates.toml")


class Gate(BaseModel):
    """One bound on one figure of one set: a floor or a ceiling."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    set: str
    metric: str
    at_least: float | None = None
    at_most: float | None = None

    @model_validator(mode="after")
    def _one_bound(self) -> "Gate":
        if (self.at_least is None) == (self.at_most is None):
            raise ValueError("a gate has either at_least or at_most")
        return self

    @property
    def words(self) -> str:
        """Return the bound in words."""
        return f"≥ {self.at_least:g}" if self.at_least is not None else f"≤ {self.at_most:g}"

    def admits(self, figure: float) -> bool:
        """Tell whether the figure is within the bound, which belongs to it."""
        return (self.at_least is None or figure >= self.at_least) and (self.at_most is None or figure <= self.at_most)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What became of a gate.

    Attributes:
        figure: None where the set was not run; then nothing is said about the gate.
    """

    gate: Gate
    figure: float | None

    @property
    def is_broken(self) -> bool:
        """Tell whether the figure is there and out of bounds."""
        return self.figure is not None and not self.gate.admits(self.figure)


def read_gates(path: Path) -> list[Gate]:
    """Return the gates of a file, in its order.

    Raises:
        EvaluationError: There is no such file, or a gate is malformed.
    """
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8")).get("gate", [])
        return [Gate.model_validate(one) for one in found]
    except (OSError, tomllib.TOMLDecodeError, ValidationError) as error:
        raise EvaluationError(f"{path}: {error}") from error


def judge(gates: Sequence[Gate], summaries: Sequence[Summary], stories: Totals | None) -> list[Verdict]:
    """Return a verdict for each gate; a set that was run but lacks the metric breaks the gate's file.

    Raises:
        EvaluationError: A gate names a metric that its set does not have.
    """
    figures = {summary.dataset: _figures(summary) for summary in summaries}
    if stories is not None:
        figures[STORIES] = {
            "held": stories.held / max(stories.stories, 1),
            "pollution_rate": stories.pollution_rate,
            "miss_rate": stories.miss_rate,
        }
    return [Verdict(gate=gate, figure=_find(figures, gate)) for gate in gates]


def _figures(summary: Summary) -> Mapping[str, float]:
    latency = {"p50_ms": summary.latency.p50, "p99_ms": summary.latency.p99}
    return {**{name: found.mean for name, found in summary.figures.items()}, **latency}


def _find(figures: Mapping[str, Mapping[str, float]], gate: Gate) -> float | None:
    if gate.set not in figures:
        return None
    if gate.metric not in figures[gate.set]:
        raise EvaluationError(f"gate on {gate.set}: no metric {gate.metric!r}; it has {', '.join(figures[gate.set])}")
    return figures[gate.set][gate.metric]
