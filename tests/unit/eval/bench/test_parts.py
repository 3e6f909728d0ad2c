"""The parts of the benchmark that measure nothing."""

import numpy as np
import pytest

from eval.bench.markdown import to_markdown
from eval.bench.texts import intents, memories, turns
from eval.bench.timing import time_in_turns, timings
from ltm.commands.figures import Row, at_least, at_most


def test_memories_differ_and_are_the_same_on_every_run() -> None:
    """No two are merged by the store, and two machines measure the same texts."""
    made = memories(np.random.default_rng(3), 200)
    assert len({one.text for one in made}) == 200
    assert made == memories(np.random.default_rng(3), 200)


def test_intents_and_turns_come_in_the_number_asked_for() -> None:
    """Distinct intents, so that no cache answers the second."""
    rng = np.random.default_rng(3)
    assert len(set(intents(rng, 50))) == 50
    assert len(turns(rng, 7)) == 7


def test_each_argument_is_timed_once_in_every_call() -> None:
    """Rounds alternate between the calls; the count is of calls."""
    seen: list[str] = []
    found = time_in_turns({"a": lambda at: seen.append(f"a{at}"), "b": lambda at: seen.append(f"b{at}")}, [[1, 2], [3]])
    assert seen == ["a1", "a2", "b1", "b2", "a3", "b3"]
    assert found["a"].count == found["b"].count == 3


def test_nothing_to_time_is_an_error() -> None:
    """A median of nothing is not 0."""
    with pytest.raises(ValueError, match="nothing to time"):
        timings([])


def test_rows_say_whether_the_aim_was_reached() -> None:
    """The bound belongs to what is reached; a row without aim says nothing."""
    assert at_most("recall", 4.0, 4.0).is_reached
    assert not at_least("writes", 700.0, 800.0).is_reached
    text = to_markdown("Speed", [at_least("writes", 700.0, 800.0), Row(name="RSS", value="90 MB")])
    assert "| writes |  | 700 /s | ≥ 800 /s | NO |" in text
    assert "| RSS |  | 90 MB |  |  |" in text
