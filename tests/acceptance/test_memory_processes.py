"""One folder and several processes: who holds the index, who waits for it, and what a crash leaves."""

import os
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ltm import Memory, MemoryInput, Turn
from ltm.errors import LtmError
from ltm.wiring import open_house
from tests.acceptance.conftest import SETTINGS
from tests.acceptance.told import SALARY, day, salary, say

CALLS: dict[str, Callable[[Memory], object]] = {
    "observe": lambda memory: memory.observe("u1", [Turn(role="user", text="hello")]),
    "remember": lambda memory: memory.remember("u1", "a"),
    "remember_many": lambda memory: memory.remember_many("u1", [MemoryInput(text="a")]),
    "recall": lambda memory: memory.recall("u1", "a"),
    "get": lambda memory: memory.get("u1", "a"),
    "list": lambda memory: memory.list("u1"),
    "history": lambda memory: memory.history("u1", key="k"),
    "as_of": lambda memory: memory.as_of("u1", day(1)),
    "rollback": lambda memory: memory.rollback("u1", "a", to_version=1),
    "revert": lambda memory: memory.revert("u1", session_id="s"),
    "transition": lambda memory: memory.transition("u1", "job_search", "hired"),
    "state": lambda memory: memory.state("u1", "job_search"),
    "pending": lambda memory: memory.pending("u1"),
    "confirm": lambda memory: memory.confirm("u1", "a"),
    "reject": lambda memory: memory.reject("u1", "a"),
    "retract": lambda memory: memory.retract("u1", "a"),
    "erase": lambda memory: memory.erase("u1"),
    "decisions": lambda memory: memory.decisions("u1"),
    "users": lambda memory: memory.users(),
    "chat": lambda memory: memory.chat("u1", "s"),
}
WRITER = """
import sys
from ltm import Memory, Settings
memory = Memory.open(sys.argv[1], settings=Settings(packs=("job_search",), embedder="hash"))
number = 0
while True:
    memory.remember("u1", f"word number{number}", session_id="s1")
    print(number, flush=True)
    number += 1
"""


@pytest.fixture
def holder(folder: Path) -> Iterator[Memory]:
    """Return a memory that holds the index of the folder; another one in the same process is as locked out as any."""
    with Memory.open(folder, settings=SETTINGS) as opened:
        opened.remember("u1", "喜欢绿茶", at=day(1))
        assert texts(opened, "绿茶") == ["喜欢绿茶"]
        yield opened


@pytest.fixture
def other(holder: Memory, folder: Path) -> Iterator[Memory]:
    """Return a memory of the same folder that came second."""
    with Memory.open(folder, settings=SETTINGS) as opened:
        yield opened


def texts(memory: Memory, intent: str, user: str = "u1") -> list[str]:
    """Return what is recalled, best first; the index must have answered."""
    recall = memory.recall(user, intent, min_relevance=0, limit=200, token_budget=None, now=day(30))
    assert recall.degraded == ()
    return [item.memory.text for item in recall.items]


def test_everything_but_the_index_works_beside_the_holder(other: Memory) -> None:
    """Lists, chains, decisions, states; recall is lexical, says so, and sees what is written."""
    made = other.list("u1")[0]
    assert other.history("u1", memory_id=made.memory_id) == other.as_of("u1", day(2)) == [made]
    say(other, "u1", "期望薪资 15-20k", on=2)
    assert [str(item.outcome) for item in other.decisions("u1")] == ["stored"]
    assert other.state("u1", "job_search") == "searching"
    recall = other.recall("u1", "期望薪资", now=day(3))
    assert recall.degraded == ("index",)
    assert [item.memory.value for item in recall.items] == [salary(15000, 20000)]


def test_what_others_write_is_recalled_by_the_holder(holder: Memory, other: Memory) -> None:
    """At its next recall of that user, without a relay; what they ended is not."""
    record = other.remember("u1", "喜欢红茶", at=day(2))
    assert texts(holder, "红茶")[0] == "喜欢红茶"
    other.retract("u1", record.memory_id)
    other.remember_many("u1", [MemoryInput(text=f"number{number}") for number in range(100)])
    assert "喜欢红茶" not in texts(holder, "红茶")
    assert all(texts(holder, f"number{number}")[0] == f"number{number}" for number in (0, 63, 64, 99))


def test_the_next_one_holds_what_was_let_go(holder: Memory, other: Memory) -> None:
    """When the holder closes, whoever recalls next has all of it."""
    other.remember("u1", "喜欢红茶", at=day(2))
    assert other.recall("u1", "红茶").degraded == ("index",)
    holder.close()
    assert texts(other, "红茶") == ["喜欢红茶", "喜欢绿茶"]


def test_an_erasure_waits_for_the_holder(holder: Memory, other: Memory, folder: Path) -> None:
    """The report says so, nothing is shown meanwhile, and the holder's next call removes the points."""
    report = other.erase("u1")
    assert (report.queued, report.verified, report.index) == (True, False, 0)
    assert holder.recall("u1", "绿茶", min_relevance=0).items == ()
    holder.close()
    other.close()
    with Memory.open(folder, settings=SETTINGS) as memory:
        memory.recall("nobody", "绿茶")
        memory.remember("u2", "喜欢白茶")
    house = open_house(folder, SETTINGS)
    assert {point.owner_key for point in house.spaces.live().index.scroll()} == {"7:default:u2"}
    house.close()


def test_what_was_acknowledged_survives_a_kill(folder: Path) -> None:
    """Whatever a killed process had written is listed and recalled when the folder is opened again."""
    process = subprocess.Popen([sys.executable, "-c", WRITER, str(folder)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    acknowledged = [int(process.stdout.readline()) for _ in range(20)]
    process.kill()
    acknowledged += [int(line) for line in process.stdout.read().split() if line.isdigit()]
    process.stdout.close()
    process.wait()
    with Memory.open(folder, settings=SETTINGS) as memory:
        stored = {record.text for record in memory.list("u1")}
        assert {f"word number{number}" for number in acknowledged} <= stored
        assert all(texts(memory, text.split()[1])[0] == text for text in sorted(stored)[-50:])
        assert memory.revert("u1", session_id="s1").changes


def test_the_next_one_takes_over_from_a_killed_holder(folder: Path) -> None:
    """A memory that was open all the time recalls by words, and the whole index as soon as the holder is gone."""
    process = subprocess.Popen([sys.executable, "-c", WRITER, str(folder)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    process.stdout.readline()
    with process.stdout, Memory.open(folder, settings=SETTINGS) as memory:
        memory.remember("u1", "喜欢红茶")
        assert memory.recall("u1", "红茶").degraded == ("index",)
        process.kill()
        process.wait()
        acknowledged = [int(line) for line in process.stdout.read().split() if line.isdigit()]
        assert texts(memory, "红茶")[0] == "喜欢红茶"
        for number in [0, *acknowledged[-10:]]:  # one by one: a recall holds no more than its pool
            assert texts(memory, f"number{number}")[0] == f"word number{number}"


def test_what_was_committed_and_not_applied_is_recalled(holder: Memory, folder: Path) -> None:
    """A crash between the commit and the index leaves a row in the outbox, which the next process brings along."""
    with Memory.open(folder, settings=SETTINGS) as crashed:
        crashed.remember("u1", "喜欢红茶", at=day(2))
        crashed.remember("u2", "喜欢白茶", at=day(2))
    holder.close()
    with Memory.open(folder, settings=SETTINGS) as memory:
        assert texts(memory, "红茶")[0] == "喜欢红茶"
        assert texts(memory, "白茶", "u2") == ["喜欢白茶"]


@pytest.mark.parametrize("call", CALLS.values(), ids=list(CALLS))
def test_a_closed_memory_says_so(closed: Memory, call: Callable[[Memory], object]) -> None:
    """Every method raises; closing again does nothing."""
    with pytest.raises(LtmError, match="closed"):
        call(closed)
    closed.close()


@pytest.fixture(scope="module")
def closed(empty_store: Path) -> Memory:
    """Return a memory that was closed."""
    with Memory.open(empty_store, settings=SETTINGS) as opened:
        return opened


def test_a_forked_child_is_told_to_open_its_own(holder: Memory) -> None:
    """Every method raises at once in the child, also closing does no harm, and the parent goes on."""
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        os.write(writing, _in_the_child(holder).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as told:
        assert told.read() == f"{len(CALLS)} told"
    os.waitpid(child, 0)
    assert texts(holder, "绿茶") == ["喜欢绿茶"]
    holder.remember("u1", "期望薪资 15-20k", key=SALARY, value="15-20k")


def _in_the_child(memory: Memory) -> str:
    told = 0
    for name, call in CALLS.items():
        try:
            call(memory)
        except LtmError as error:
            told += "before fork" in str(error)
        except BaseException as error:  # noqa: BLE001 - the child must never go on into the tests
            return f"{name}: {error!r}"
    memory.close()
    return f"{told} told"
