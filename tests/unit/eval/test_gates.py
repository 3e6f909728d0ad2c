"""Floors and ceilings."""

from pathlib import Path

import pytest

from eval.errors import EvaluationError
from eval.gates import DEFAULT, Gate, judge, read_gates
from eval.metrics.intervals import Estimate
from eval.metrics.summary import Latency, Summary
from eval.scenarios.results import Totals


def summary(recall: float) -> Summary:
    """Return a summary of the set `own` with one figure."""
    return Summary(
        dataset="own",
        system="default",
        queries=1,
        figures={"recall@10": Estimate(mean=recall, low=0.0, high=1.0, count=1)},
        by_category={},
        latency=Latency(p50=1.0, p99=2.0, embed_p50=0.0),
        skipped={},
        ties=0,
    )


def test_bound_belongs_to_what_is_admitted() -> None:
    """A figure at the floor passes; below it the gate is broken."""
    gate = Gate(set="own", metric="recall@10", at_least=0.7)
    assert not judge([gate], [summary(0.7)], None)[0].is_broken
    assert judge([gate], [summary(0.69)], None)[0].is_broken


def test_ceiling_works_the_other_way() -> None:
    """False injections and latencies may not grow."""
    assert judge([Gate(set="own", metric="p50_ms", at_most=0.5)], [summary(1.0)], None)[0].is_broken


def test_absent_set_breaks_nothing() -> None:
    """Where a set is not on the machine its gate has no figure."""
    verdict = judge([Gate(set="locomo", metric="recall@10", at_least=0.7)], [summary(1.0)], None)[0]
    assert verdict.figure is None
    assert not verdict.is_broken


def test_stories_have_gates_too() -> None:
    """The write side is held by the same file."""
    totals = Totals(stories=2, held=1, turns=4, pollution_rate=0.25, miss_rate=0.0)
    verdicts = judge(
        [Gate(set="stories", metric="pollution_rate", at_most=0.0), Gate(set="stories", metric="held", at_least=1.0)],
        [],
        totals,
    )
    assert [verdict.is_broken for verdict in verdicts] == [True, True]


def test_misspelt_metric_is_an_error() -> None:
    """A gate that can never be judged must not pass in silence."""
    with pytest.raises(EvaluationError, match="no metric 'recal@10'"):
        judge([Gate(set="own", metric="recal@10", at_least=0.7)], [summary(1.0)], None)


@pytest.mark.parametrize("text", ["[[gate]]\nset = 'a'\nmetric = 'b'\n", "[[gate]]\nset = 'a'\nfloor = 1\n", "["])
def test_malformed_file_is_named(tmp_path: Path, text: str) -> None:
    """A gate without a bound, with an unknown field, or a file that is no TOML is refused with its name."""
    path = tmp_path / "gates.toml"
    path.write_text(text)
    with pytest.raises(EvaluationError, match=r"gates\.toml"):
        read_gates(path)


def test_own_gates_are_readable() -> None:
    """The file that ships holds bounds on the set that ships and on the stories."""
    assert {"own", "stories"} <= {gate.set for gate in read_gates(DEFAULT)}
