"""One candidate for one thing."""

from dataclasses import replace

import pytest

from ltm.models import Candidate, Channel, Kind, Op, Reason
from ltm.packs import PackSet
from ltm.write.merge import merge
from ltm.write.proposal import Proposal
from tests.unit.write.build import make_candidate


def soft(candidate: Candidate) -> Candidate:
    """Return the same candidate from the model."""
    return replace(candidate, channel=Channel.LLM)


CITY = make_candidate(start=0, end=5)
FREE = make_candidate(key=None, value=None, text="用户看重团队氛围", op=Op.SET, channel=Channel.LLM, start=10, end=16)


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        (CITY, soft(CITY), Reason.DUPLICATE),
        (CITY, soft(make_candidate(value=["上海"], start=3, end=6)), Reason.DUPLICATE),
        (CITY, soft(make_candidate(value=["上海"], start=20, end=22)), None),
        (CITY, soft(make_candidate(turn_id="t2")), None),
        (CITY, soft(make_candidate(key="job.education", value="bachelor", op=Op.SET)), None),
        (
            make_candidate(key="job.excluded", value=["北京"], kind=Kind.EXCLUSION),
            soft(make_candidate(value=["北京"], start=20, end=22)),
            Reason.VALUE_UNSUPPORTED,
        ),
        (CITY, FREE, None),
        (CITY, replace(FREE, start=1, end=7), Reason.DUPLICATE),
        (FREE, replace(FREE, start=30, end=36), Reason.DUPLICATE),
        (FREE, replace(FREE, text="用户看重氛围", start=11, end=16), Reason.DUPLICATE),
        (soft(CITY), soft(CITY), Reason.DUPLICATE),
    ],
)
def test_what_says_the_same_or_the_opposite_is_refused(
    first: Candidate, second: Candidate, reason: Reason | None, packs: PackSet
) -> None:
    """The rules win over the model, and the first of the model's own over the second."""
    merged = merge([Proposal(candidate=item, heard=None) for item in (first, second)], packs)
    assert [item.reason for item in merged] == [None, reason]


def test_what_a_gate_refused_displaces_nothing(packs: PackSet) -> None:
    """A joke is no rival."""
    joke = Proposal(candidate=CITY, heard=None, reason=Reason.JOKE)
    assert [item.reason for item in merge([joke, Proposal(candidate=soft(CITY), heard=None)], packs)] == [
        Reason.JOKE,
        None,
    ]
