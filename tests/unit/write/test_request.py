"""What a chat model is shown."""

import json
from datetime import timedelta

import pytest

from ltm.models import Turn
from ltm.packs import PackSet
from ltm.write.request import MAX_SHOWN_CHARS, Window, cut_windows, make_request
from ltm.write.secrets import REDACTED
from tests.unit.write.build import NOON


def say(text: str, turn_id: str, role: str = "user") -> Turn:
    """Return a turn."""
    return Turn(role=role, text=text, id=turn_id, at=NOON + timedelta(minutes=1))


def lines_of(packs: PackSet, *turns: Turn, read: tuple[str, ...]) -> list[dict[str, object]]:
    """Return what is shown of some turns."""
    user = make_request(Window(turns=turns, read_ids=read), packs).user
    return [json.loads(line) for line in user.splitlines()]


@pytest.mark.parametrize(("count", "windows"), [(1, [1]), (8, [8]), (9, [1, 8]), (16, [8, 8]), (20, [4, 8, 8])])
def test_every_turn_is_read_in_one_window(count: int, windows: list[int]) -> None:
    """Windows of eight turns, the last one full."""
    turns = [say("x", str(number)) for number in range(count)]
    cut = list(cut_windows(turns, frozenset(str(number) for number in range(count)), 8))
    assert [len(window.read_ids) for window in cut] == windows
    assert [turn_id for window in cut for turn_id in window.read_ids] == [str(number) for number in range(count)]


def test_windows_without_anything_to_read_are_left_out() -> None:
    """Nobody is asked about turns that were read before."""
    turns = [say("x", str(number)) for number in range(24)]
    assert [window.read_ids for window in cut_windows(turns, frozenset({"20"}), 8)] == [("20",)]
    assert list(cut_windows(turns, frozenset(), 8)) == []


def test_two_turns_stand_in_front_of_a_window() -> None:
    """An answer is not understood without its question."""
    turns = [say("x", str(number)) for number in range(16)]
    last = list(cut_windows(turns, frozenset({"8"}), 8))[-1]
    assert [turn.id for turn in last.turns][:3] == ["6", "7", "8"]


def test_secrets_and_recalled_memories_do_not_leave(packs: PackSet) -> None:
    """Nor does the text of the system, nor what a tool has answered."""
    block = "<user_memory>\n- 期望薪资：15k（用户于10月提及）\n</user_memory>"
    lines = lines_of(
        packs,
        say("You are a bot", "t0", "system"),
        say(f"{block}\n我密码是hunter2，本科", "t1"),
        say("{}", "t2", "tool"),
        say("好的", "t3", "assistant"),
        read=("t1",),
    )
    assert [line["turn_id"] for line in lines] == ["t1", "t3"]
    assert lines[0]["text"] == f"\n我密码是{REDACTED}，本科"
    assert [line["read"] for line in lines] == [True, False]


def test_long_turns_are_shown_in_part(packs: PackSet) -> None:
    """A secret at the cut is not shown in half."""
    text = "a" * (MAX_SHOWN_CHARS - 10) + " sk-test-9f3Ab77Qe1Xz02Lm8Kd5Vt4R"
    (line,) = lines_of(packs, say(text, "t1"), read=("t1",))
    assert len(str(line["text"])) <= MAX_SHOWN_CHARS + 2
    assert "sk-" not in str(line["text"])


def test_the_slots_of_the_packs_are_named_and_states_are_not(packs: PackSet) -> None:
    """No model sets a state."""
    system = make_request(Window(turns=(), read_ids=()), packs).system
    assert "`job.expected_salary`" in system
    assert "`venue.sport`" in system
    assert "job.current_status" not in system
