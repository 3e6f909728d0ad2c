from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from ltm.cache.trim import Trimmed, trim
from ltm.models import Role, Turn

ROLES = st.sampled_from([Role.USER, Role.ASSISTANT, Role.SYSTEM])


def say(role: str, text: str = "one two three") -> Turn:
    """Return a turn of three words."""
    return Turn(role=role, text=text)


def call(*ids: str) -> Turn:
    """Return a turn that calls a tool, once for each id."""
    return Turn(role="assistant", text="", tool_calls=tuple({"id": one, "name": "search"} for one in ids))


def result(one: str) -> Turn:
    """Return the result of a call."""
    return Turn(role="tool", text="found", tool_call_id=one)


def count(text: str) -> int:
    """Take words for tokens."""
    return len(text.split())


def staying(turns: Sequence[Turn], *, rounds: int = 99, tokens: int = 9999) -> list[int]:
    """Return the positions that stay."""
    return list(trim(turns, rounds=rounds, tokens=tokens, count_tokens=count).staying)


def test_the_last_rounds_stay() -> None:
    """A round is a user turn and what follows it."""
    turns = [say("user"), say("assistant"), say("user"), say("assistant"), say("assistant"), say("user")]

    assert staying(turns, rounds=2) == [2, 3, 4, 5]


def test_what_was_said_before_the_first_user_turn_is_a_round_of_its_own() -> None:
    """A greeting of the assistant leaves first."""
    turns = [say("assistant"), say("user"), say("assistant"), say("user")]

    assert staying(turns, rounds=2) == [1, 2, 3]


def test_whole_rounds_leave_for_want_of_tokens() -> None:
    """The oldest round that does not fit leaves, and all before it."""
    turns = [say("user"), say("assistant", "short"), say("user", "word " * 10), say("user"), say("assistant")]

    assert staying(turns, tokens=15) == [3, 4]


def test_the_last_system_turn_is_pinned_and_paid_for() -> None:
    """It stays however old it is, and its tokens count."""
    turns = [say("system", "old"), say("system", "be kind"), say("user"), say("user"), say("user")]

    assert staying(turns, rounds=1) == [1, 4]
    assert staying(turns, tokens=8) == [1, 3, 4]


def test_calls_leave_together_with_their_results() -> None:
    """No result is without its call, even if it came after the next question."""
    turns = [say("user"), call("a", "b"), result("a"), say("user"), result("b"), say("assistant")]

    assert staying(turns, rounds=1) == [3, 5]
    assert staying(turns, rounds=2) == [0, 1, 2, 3, 4, 5]


def test_a_last_round_that_is_too_long_keeps_its_question_and_its_end() -> None:
    """Of a long chain of calls the middle leaves, in whole pairs."""
    turns = [say("user"), call("a"), result("a"), call("b"), result("b"), say("assistant")]

    assert staying(turns, tokens=12) == [0, 3, 4, 5]


def test_what_was_just_said_stays_however_long() -> None:
    """A window is never empty after a turn was put there."""
    assert staying([say("user"), say("user", "word " * 500)], tokens=10) == [1]
    assert staying([say("user"), say("assistant", "word " * 500)], tokens=10) == [0, 1]


def test_nothing_gives_nothing() -> None:
    """An empty dialogue is trimmed to an empty one."""
    assert trim([], rounds=1, tokens=1, count_tokens=count) == Trimmed(staying=(), leaving=())


@given(roles=st.lists(ROLES, max_size=30), rounds=st.integers(1, 5), tokens=st.integers(1, 60))
def test_limits_hold_and_every_turn_is_accounted_for(roles: list[Role], rounds: int, tokens: int) -> None:
    """Each turn stays or leaves; rounds are never too many; tokens only where one round alone is too long."""
    turns = [say(role) for role in roles]

    trimmed = trim(turns, rounds=rounds, tokens=tokens, count_tokens=count)

    assert sorted(trimmed.staying + trimmed.leaving) == list(range(len(turns)))
    kept = [turns[position] for position in trimmed.staying]
    questions = [turn for turn in kept if turn.role == Role.USER]
    assert len(questions) <= rounds
    spoken = [turn for turn in kept if turn.role != Role.SYSTEM]
    assert 3 * len(kept) <= tokens or len(questions) <= 1
    assert 3 * len(kept) <= tokens or len(spoken) <= 2
    if spoken:
        assert spoken[-1] is [turn for turn in turns if turn.role != Role.SYSTEM][-1]
