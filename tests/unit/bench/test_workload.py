"""The texts and questions that every system is given."""

import pytest

from bench.workload import make_workload
from eval.errors import EvaluationError


def test_every_system_gets_the_same_in_every_run() -> None:
    """Two machines, and two systems, are measured on the same texts and questions."""
    assert make_workload(40, users=4, calls=8, rounds=2) == make_workload(40, users=4, calls=8, rounds=2)


def test_memories_and_questions_are_dealt_out_evenly() -> None:
    """No user weighs more than another; each is asked once before anything is timed; no question comes twice."""
    work = make_workload(40, users=4, calls=8, rounds=2)
    assert sorted(one.user for one in work.memories) == sorted([one.user for one in work.first] * 10)
    assert len({one.memory_id for one in work.memories}) == 40
    asked = [*work.first, *(query for part in work.rounds for query in part)]
    assert [len(part) for part in work.rounds] == [4, 4]
    assert len({query.intent for query in asked}) == len(asked) == 12


@pytest.mark.parametrize(("count", "calls"), [(41, 8), (40, 7)])
def test_what_cannot_be_dealt_out_is_an_error(count: int, calls: int) -> None:
    """A size that is not what was asked for would be compared with another."""
    with pytest.raises(EvaluationError, match="not even"):
        make_workload(count, users=4, calls=calls, rounds=2)
