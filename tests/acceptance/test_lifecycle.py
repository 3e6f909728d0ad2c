"""A user who was hired is no longer offered jobs: what a step of a state machine ends, and what it leaves."""

from datetime import timedelta

import pytest

from ltm import Memory
from ltm.clock import SystemClock
from ltm.errors import IllegalTransitionError, InvalidRequestError
from ltm.models import Kind, Status
from tests.acceptance.told import CITIES, SALARY, STATUS, active, day, reasons, say, shown

JOBS = "job_search"


@pytest.fixture
def searching(memory: Memory) -> Memory:
    """Return the memory of u1, who told what they look for, who they are, and what they asked."""
    say(memory, "u1", "我是本科，期望薪资 15-20k，base 只考虑杭州", on=1)
    memory.remember("u1", "在准备 Java 后端面试", kind="fact", at=day(2))
    say(memory, "u1", "我想找 Go 后端的工作，不接受大小周", on=3)
    memory.remember("u1", "喜欢爬山", kind="preference", at=day(4))
    return memory


def test_a_machine_begins_in_its_first_state(memory: Memory) -> None:
    """Nobody has to be registered."""
    assert memory.state("nobody", JOBS) == "searching"
    assert list(memory.users()) == []


def test_a_step_taken_now_is_the_last_one(memory: Memory) -> None:
    """Another machine's clock may run ahead: a step without a time of its own follows the one before."""
    ahead = SystemClock().now() + timedelta(minutes=1)
    memory.transition("u1", JOBS, "hired", at=ahead)
    with pytest.raises(InvalidRequestError, match="lies before that"):
        memory.transition("u1", JOBS, "searching", at=ahead - timedelta(seconds=1))
    assert memory.transition("u1", JOBS, "searching").at == ahead
    assert memory.state("u1", JOBS) == "searching"


def test_being_hired_ends_the_search(searching: Memory) -> None:
    """In one step: the bound slots expire with their values, what stays true stays, and no recall offers jobs."""
    assert searching.recall("u1", "帮我推荐几个岗位", min_relevance=0).items
    report = searching.transition("u1", JOBS, "hired", at=day(20))
    assert (report.from_state, report.to_state, report.at, report.dry_run) == ("searching", "hired", day(20), False)
    assert {item.key for item in report.expired} >= {SALARY, CITIES, "job.target_roles", "job.excluded"}
    assert all(item.status is Status.EXPIRED for item in report.expired)
    assert all(item.reason == f"transition:{report.transition_id}" for item in report.expired)
    assert searching.state("u1", JOBS) == "hired"
    left = active(searching, "u1")
    assert left["job.education"] == "bachelor"
    assert left[STATUS] == "hired"
    assert not left.keys() & {SALARY, CITIES, "job.target_roles", "job.excluded"}
    recalled = searching.recall("u1", "帮我推荐几个岗位", min_relevance=0, now=day(21))
    assert not {item.memory.key for item in recalled.items} & {SALARY, CITIES, "job.target_roles", "job.excluded"}
    ended = searching.history("u1", key=SALARY)[-1]
    assert (ended.status, ended.value, ended.valid_from) == (
        Status.EXPIRED,
        searching.history("u1", key=SALARY)[0].value,
        day(20),
    )


def test_the_past_can_still_be_asked(searching: Memory) -> None:
    """Why they turned that offer down is answered by what was true then."""
    searching.transition("u1", JOBS, "hired", at=day(20))
    assert SALARY in {item.key for item in searching.as_of("u1", day(10))}
    recalled = searching.recall("u1", "期望薪资", as_of=day(10), min_relevance=0)
    assert SALARY in {item.memory.key for item in recalled.items}
    assert SALARY not in {item.memory.key for item in searching.recall("u1", "期望薪资", as_of=day(25)).items}


def test_a_preview_is_what_then_happens(searching: Memory) -> None:
    """`dry_run` lists the same memories and writes nothing."""
    before = [searching.history("u1", memory_id=item.memory_id) for item in searching.list("u1", status=None)]
    preview = searching.transition("u1", JOBS, "hired", at=day(20), dry_run=True)
    assert [searching.history("u1", memory_id=chain[0].memory_id) for chain in before] == before
    assert searching.state("u1", JOBS) == "searching"
    report = searching.transition("u1", JOBS, "hired", at=day(20))
    assert (preview.dry_run, preview.transition_id) == (True, None)
    assert [(item.memory_id, item.version, item.value, item.status) for item in preview.expired] == [
        (item.memory_id, item.version, item.value, item.status) for item in report.expired
    ]


def test_searching_again_revives_nothing(searching: Memory) -> None:
    """What was wanted last year is history; what is said anew continues the chain."""
    searching.transition("u1", JOBS, "hired", at=day(20))
    report = searching.transition("u1", JOBS, "searching", at=day(25))
    assert report.expired == ()
    assert not active(searching, "u1").keys() & {SALARY, CITIES}
    say(searching, "u1", "上海也可以", on=26)
    assert active(searching, "u1")[CITIES] == ["上海"]
    assert len(searching.history("u1", key=CITIES)) == 3


@pytest.mark.parametrize("course", [("applied", "interviewing", "offered", "hired"), ("paused", "offered"), ("hired",)])
def test_states_may_be_skipped_forwards(memory: Memory, course: tuple[str, ...]) -> None:
    """Each step is recorded in the state slot, which has a chain of its own."""
    for at, state in enumerate(course, start=1):
        memory.transition("u1", JOBS, state, at=day(at))
    assert [item.value for item in memory.history("u1", key=STATUS)] == list(course)
    assert memory.get("u1", memory.history("u1", key=STATUS)[0].memory_id).kind is Kind.STATE


def test_an_illegal_step_says_what_is_allowed(memory: Memory) -> None:
    """Backwards only to the search; nothing of a refused step is stored."""
    memory.transition("u1", JOBS, "offered", at=day(1))
    with pytest.raises(IllegalTransitionError, match="hired, paused, searching"):
        memory.transition("u1", JOBS, "applied", at=day(2))
    with pytest.raises(InvalidRequestError):
        memory.transition("u1", JOBS, "hired", at=day(0))
    assert memory.state("u1", JOBS) == "offered"
    assert shown(memory.history("u1", key=STATUS)) == [("offered", "active")]


def test_a_step_to_where_one_is_does_nothing(searching: Memory) -> None:
    """The report says so: no id, nothing expired, no version."""
    searching.transition("u1", JOBS, "hired", at=day(20))
    count = len(searching.list("u1", status=None))
    again = searching.transition("u1", JOBS, "hired", at=day(21))
    assert (again.from_state, again.to_state, again.transition_id, again.expired) == ("hired", "hired", None, ())
    assert len(searching.list("u1", status=None)) == count
    assert len(searching.history("u1", key=STATUS)) == 1


def test_what_has_no_key_ends_with_its_pack(memory: Memory) -> None:
    """Preparing for an interview must not outlive the search; what belongs to no pack does."""
    memory.transition("u1", JOBS, "interviewing", at=day(1))
    say(memory, "u1", "我对大小周比较敏感，最近在准备 Java 后端方向的面试", on=2)
    memory.remember("u1", "喜欢爬山", kind="preference", at=day(3))
    bound = [item for item in memory.list("u1") if item.key is None and (item.pack or "").startswith("job_search@")]
    report = memory.transition("u1", JOBS, "hired", at=day(20))
    assert {item.memory_id for item in bound} <= {item.memory_id for item in report.expired}
    assert active(memory, "u1")[None] == "喜欢爬山"


def test_the_users_own_words_move_the_machine_and_moods_do_not(searching: Memory) -> None:
    """An outright statement ends the search as the application's transition does."""
    assert reasons(say(searching, "u1", "唉，感觉找不到工作，不想找了", on=5)) == ["emotion"]
    assert searching.state("u1", JOBS) == "searching"
    assert "new" in reasons(say(searching, "u1", "我已经入职了", on=20))
    assert searching.state("u1", JOBS) == "hired"
    left = active(searching, "u1")
    assert left[STATUS] == "hired"
    assert SALARY not in left


def test_words_never_force_a_machine(memory: Memory) -> None:
    """An old log that says something the machine has left behind is late news, and not a step back."""
    memory.transition("u1", JOBS, "hired", at=day(20))
    say(memory, "u1", "我已经入职了", on=5)
    assert memory.state("u1", JOBS) == "hired"
    assert len(memory.history("u1", key=STATUS)) <= 2
    assert active(memory, "u1")[STATUS] == "hired"


def test_users_have_machines_of_their_own(searching: Memory) -> None:
    """One user's step leaves another user's memories alone."""
    searching.remember("u2", "15-20k", key=SALARY, value="15-20k", at=day(1))
    searching.transition("u1", JOBS, "hired", at=day(20))
    assert searching.state("u2", JOBS) == "searching"
    assert SALARY in active(searching, "u2")


def test_an_applications_own_write_of_the_state_moves_the_machine(searching: Memory) -> None:
    """The slot and the machine say the same: what must not outlive the step ends with it."""
    record = searching.remember("u1", "入职了", key=STATUS, value="hired", at=day(20), session_id="s9")
    assert (record.value, searching.state("u1", JOBS)) == ("hired", "hired")
    assert SALARY not in active(searching, "u1")
    with pytest.raises(IllegalTransitionError, match="allowed are: searching"):
        searching.remember("u1", "在面试", key=STATUS, value="interviewing", at=day(21))
    assert active(searching, "u1")[STATUS] == "hired"
    searching.revert("u1", session_id="s9")
    assert searching.state("u1", JOBS) == "searching"
    assert SALARY in active(searching, "u1")


def test_an_old_state_moves_nothing(searching: Memory) -> None:
    """It was true before the last step: it belongs into the history."""
    searching.transition("u1", JOBS, "hired", at=day(20))
    searching.remember("u1", "面试中", key=STATUS, value="interviewing", at=day(10))
    assert searching.state("u1", JOBS) == "hired"
    assert active(searching, "u1")[STATUS] == "hired"
    assert {item.value for item in searching.as_of("u1", day(11)) if item.key == STATUS} == {"interviewing"}


def test_going_back_in_the_state_slot_takes_the_machine_along(searching: Memory) -> None:
    """Nothing that the step had ended revives, and the next step is one from the state gone back to."""
    first = searching.remember("u1", "面试中", key=STATUS, value="interviewing", at=day(10))
    searching.transition("u1", JOBS, "hired", at=day(20))
    searching.rollback("u1", first.memory_id, 1)
    assert searching.state("u1", JOBS) == "interviewing"
    assert SALARY not in active(searching, "u1")
    searching.transition("u1", JOBS, "hired", at=day(22))
    assert active(searching, "u1")[STATUS] == "hired"


def test_a_state_that_is_withdrawn_is_no_longer_where_the_machine_stands(searching: Memory) -> None:
    """Retracted, rolled back to nothing or erased: machine and slot say the same, and nothing tells it any more."""
    told = searching.remember("u1", "入职了", key=STATUS, value="hired", at=day(20), session_id="s9")
    searching.retract("u1", told.memory_id)
    assert (searching.state("u1", JOBS), STATUS in active(searching, "u1")) == ("searching", False)
    searching.rollback("u1", told.memory_id, 1)
    assert (searching.state("u1", JOBS), active(searching, "u1")[STATUS]) == ("hired", "hired")
    searching.revert("u1", session_id="s9")
    searching.rollback("u1", told.memory_id, 2)
    assert (searching.state("u1", JOBS), STATUS in active(searching, "u1")) == ("searching", False)
    searching.transition("u1", JOBS, "hired")
    assert (searching.state("u1", JOBS), active(searching, "u1")[STATUS]) == ("hired", "hired")
    searching.erase("u1", told.memory_id)
    assert searching.state("u1", JOBS) == "searching"
