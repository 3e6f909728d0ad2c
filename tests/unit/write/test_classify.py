"""What a candidate means for what is stored."""

from dataclasses import replace
from datetime import timedelta

import pytest

from ltm.models import Action, Candidate, Json, Kind, Op, Outcome, Reason, Status
from ltm.ports import Head
from ltm.write.classify import Effect, classify
from tests.unit.write.build import NOON, make_candidate, make_head

years = make_candidate(key="job.years_of_experience", value=3, op=Op.SET)
years_head = make_head(key="job.years_of_experience", value=3, is_set=False)
LATER = NOON + timedelta(days=1)
EARLIER = NOON - timedelta(days=1)
SALARY: Json = {"min": 15000, "max": 20000}
HIGHER: Json = {"min": 20000, "max": None}
salary = make_candidate(key="job.expected_salary", value=SALARY, op=Op.SET)
salary_head = make_head(key="job.expected_salary", value=SALARY, is_set=False)


@pytest.mark.parametrize(
    ("candidate", "head", "effect", "action", "outcome", "reason"),
    [
        (salary, None, Effect.APPEND, Action.CREATE, Outcome.STORED, Reason.NEW),
        (salary, salary_head, Effect.REINFORCE, Action.IGNORE, Outcome.REINFORCED, Reason.DUPLICATE),
        (replace(salary, value=HIGHER), salary_head, Effect.APPEND, Action.UPDATE, Outcome.STORED, Reason.CHANGED),
        (
            salary,
            make_head(key="job.expected_salary", value=SALARY, is_set=False, status=Status.EXPIRED),
            Effect.APPEND,
            Action.CREATE,
            Outcome.STORED,
            Reason.NEW,
        ),
        (
            replace(salary, is_denial=True, value=None),
            salary_head,
            Effect.END,
            Action.DELETE,
            Outcome.RETRACTED,
            Reason.DENIED,
        ),
        (
            replace(salary, is_denial=True, value=HIGHER),
            salary_head,
            Effect.NOTHING,
            Action.IGNORE,
            Outcome.DROPPED,
            Reason.DUPLICATE,
        ),
        (
            replace(salary, is_denial=True),
            None,
            Effect.NOTHING,
            Action.IGNORE,
            Outcome.DROPPED,
            Reason.DUPLICATE,
        ),
    ],
)
def test_a_single_value_is_new_the_same_changed_or_denied(
    candidate: Candidate, head: Head | None, effect: Effect, action: Action, outcome: Outcome, reason: Reason
) -> None:
    """A slot with one value."""
    change = classify(candidate, head, LATER, is_set=False)
    assert (change.effect, change.action, change.outcome, change.reason) == (effect, action, outcome, reason)


@pytest.mark.parametrize(
    ("op", "members", "stored", "effect", "outcome", "reason", "payload"),
    [
        (Op.ADD, ["上海"], ["杭州"], Effect.APPEND, Outcome.STORED, Reason.ADDED, ["上海"]),
        (Op.ADD, ["杭州", "上海"], ["杭州"], Effect.APPEND, Outcome.STORED, Reason.ADDED, ["杭州", "上海"]),
        (Op.ADD, ["杭州"], ["上海", "杭州"], Effect.REINFORCE, Outcome.REINFORCED, Reason.DUPLICATE, None),
        (Op.SET, ["杭州", "上海"], ["上海", "杭州"], Effect.REINFORCE, Outcome.REINFORCED, Reason.DUPLICATE, None),
        (Op.SET, ["杭州"], ["上海", "杭州"], Effect.APPEND, Outcome.STORED, Reason.CHANGED, ["杭州"]),
        (Op.REMOVE, ["上海"], ["上海", "杭州"], Effect.APPEND, Outcome.STORED, Reason.REMOVED, ["上海"]),
        (Op.REMOVE, ["上海", "北京"], ["上海"], Effect.APPEND, Outcome.RETRACTED, Reason.DENIED, ["上海"]),
        (Op.REMOVE, ["北京"], ["上海"], Effect.NOTHING, Outcome.DROPPED, Reason.DUPLICATE, None),
    ],
)
def test_a_set_gains_loses_or_keeps_members(
    op: Op, members: Json, stored: Json, effect: Effect, outcome: Outcome, reason: Reason, payload: Json
) -> None:
    """The payload of an addition is all that was said: what another session said too must outlive its revert."""
    change = classify(make_candidate(op=op, value=members), make_head(value=stored), LATER, is_set=True)
    assert (change.effect, change.outcome, change.reason, change.value) == (effect, outcome, reason, payload)


def test_an_old_statement_goes_to_its_place_in_the_past() -> None:
    """Even with the value that holds today: it held then too."""
    change = classify(salary, salary_head, EARLIER, is_set=False)
    assert (change.effect, change.reason) == (Effect.APPEND, Reason.STALE_STATEMENT)


def test_an_old_denial_does_not_end_what_was_said_since() -> None:
    """What it denied is not known any more."""
    change = classify(replace(salary, is_denial=True), salary_head, EARLIER, is_set=False)
    assert (change.effect, change.reason) == (Effect.NOTHING, Reason.STALE_STATEMENT)


def test_an_old_removal_goes_to_its_place_in_the_past() -> None:
    """The fold decides what it takes away."""
    change = classify(make_candidate(op=Op.REMOVE), make_head(), EARLIER, is_set=True)
    assert (change.effect, change.action, change.reason) == (Effect.APPEND, Action.DELETE, Reason.STALE_STATEMENT)


def test_the_same_words_are_one_fact_but_two_episodes() -> None:
    """An episode of another day is another event."""
    fact = make_candidate(key=None, value=None, text="用户在学 Go", kind=Kind.FACT, op=Op.SET)
    head = make_head(key=None, value=None, text="用户在学 Go", kind=Kind.FACT)
    assert classify(fact, head, LATER, is_set=False).effect is Effect.REINFORCE
    assert classify(replace(fact, kind=Kind.EPISODE), None, LATER, is_set=False).effect is Effect.APPEND


@pytest.mark.parametrize(("bound", "effect"), [(2, Effect.NOTHING), (3, Effect.NOTHING), (5, Effect.APPEND)])
def test_a_lower_bound_never_lowers_a_number(bound: int, effect: Effect) -> None:
    """Two years of Go say nothing against three years of work; five say that there are more."""
    assert classify(replace(years, value=bound, is_least=True), years_head, LATER, is_set=False).effect is effect
