"""The machine of the job search."""

import pytest

from ltm.models import Kind
from ltm.packs import Machine, load_packs

ORDER = ["searching", "applied", "interviewing", "offered", "hired"]


@pytest.fixture
def machine() -> Machine:
    """Return the built-in machine."""
    return load_packs(["job_search"]).machines["job_search"]


def test_states_may_be_skipped_forwards_and_never_backwards(machine: Machine) -> None:
    """Back means back to the beginning."""
    for position, state in enumerate(ORDER):
        for other, target in enumerate(ORDER):
            allowed = other >= position or target == "searching"
            assert machine.allows(state, target) == allowed, (state, target)


def test_paused_lies_beside_every_state_but_hired(machine: Machine) -> None:
    """Who is hired has nothing to pause, and nobody is hired while pausing."""
    assert {state for state in ORDER if machine.allows(state, "paused")} == set(ORDER) - {"hired"}
    assert set(machine.allowed("paused")) == set(ORDER) - {"hired"}


def test_being_hired_ends_what_belongs_to_the_search(machine: Machine) -> None:
    """Education and experience stay true, and no other state ends anything."""
    expiry = machine.expiry("hired")
    assert set(expiry.slots) == {"job.expected_salary", "job.target_cities", "job.target_roles", "job.excluded"}
    assert set(expiry.keyless_kinds) == {Kind.FACT, Kind.PREFERENCE, Kind.EXCLUSION, Kind.STATE}
    assert all(not machine.expiry(state).slots for state in ORDER[:-1])
    assert (machine.first, machine.pack, machine.state_slot) == ("searching", "job_search", "job.current_status")


def test_an_unknown_state_leads_nowhere(machine: Machine) -> None:
    """Not even back to the beginning."""
    assert machine.allowed("retired") == ()
