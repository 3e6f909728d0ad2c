from collections.abc import Callable, Sequence

import pytest

from ltm.cache.process import ProcessCache
from ltm.cache.window import ChatWindow, WindowLimits
from ltm.errors import InvalidRequestError, StoreUnavailableError
from ltm.models import Turn
from tests.support.manual_clock import ManualClock


class Story:
    """A window over a cache in the process, with what was observed."""

    def __init__(self, *, rounds: int = 2, tokens: int = 100) -> None:
        self.clock = ManualClock()
        self.cache = ProcessCache(monotonic=self.clock.monotonic)
        self.observed: list[str] = []
        self.rounds = rounds
        self.tokens = tokens

    def window(self, session_id: str = "s", observe: Callable[[Sequence[Turn]], object] | None = None) -> ChatWindow:
        """Return the window of a dialogue."""
        return ChatWindow(
            self.cache,
            owner_key="o",
            session_id=session_id,
            limits=WindowLimits(rounds=self.rounds, tokens=self.tokens, ttl_s=60),
            count_tokens=lambda text: len(text.split()),
            clock=self.clock,
            observe=observe or self._note,
        )

    def _note(self, turns: Sequence[Turn]) -> None:
        self.observed += [turn.text for turn in turns]


def user(text: str, turn_id: str | None = None) -> Turn:
    """Return a turn of the user."""
    return Turn(role="user", text=text, id=turn_id)


def texts(window: ChatWindow) -> list[str]:
    """Return what is in the window."""
    return [turn.text for turn in window.turns()]


def test_what_leaves_is_observed_first_and_nothing_else() -> None:
    """A turn is in the window or was observed, never neither and never both."""
    story = Story()
    window = story.window()

    for number in range(5):
        window.append(user(str(number)))
        seen = story.observed + texts(window)
        assert seen == [str(one) for one in range(number + 1)]

    assert texts(window) == ["3", "4"]


def test_a_turn_that_could_not_be_observed_stays() -> None:
    """With the store down nothing leaves and nothing is added; the same append works later."""
    story = Story()

    def refuse(turns: Sequence[Turn]) -> None:
        raise StoreUnavailableError("down")

    for number in range(2):
        story.window().append(user(str(number)))
    with pytest.raises(StoreUnavailableError):
        story.window(observe=refuse).append(user("2"))

    assert texts(story.window()) == ["0", "1"]
    story.window().append(user("2"))
    assert texts(story.window()) == ["1", "2"]
    assert story.observed == ["0"]


def test_clear_observes_what_was_left() -> None:
    """The end of a dialogue loses nothing."""
    story = Story()
    window = story.window()
    window.append(user("a"))
    window.append(user("b"))

    window.clear()

    assert window.turns() == ()
    assert story.observed == ["a", "b"]
    window.clear()
    assert story.observed == ["a", "b"]


def test_after_its_time_the_window_is_empty_and_its_turns_are_observed_at_the_next_one() -> None:
    """A user who comes back the next day starts anew, and what was said is not lost."""
    story = Story()
    window = story.window()
    window.append(user("a"))
    story.clock.advance(60)

    assert window.turns() == ()
    assert story.observed == []
    window.append(user("b"))

    assert texts(window) == ["b"]
    assert story.observed == ["a"]


def test_the_system_turn_comes_first_and_stays() -> None:
    """However late the last one was given."""
    story = Story()
    window = story.window()
    window.append(user("a"))
    window.append(Turn(role="system", text="be kind"))
    for number in range(4):
        window.append(user(str(number)))

    assert texts(window) == ["be kind", "2", "3"]


def test_turns_get_an_id_and_a_time_once() -> None:
    """So that a turn which is offered twice is observed once, at the time it was said."""
    story = Story(rounds=1)
    offered: list[Turn] = []
    window = story.window(observe=offered.extend)
    window.append(user("a"))
    (kept,) = window.turns()
    story.clock.advance(30)
    window.append(user("b"))

    assert offered == [kept]
    assert kept.id
    assert kept.at is not None
    assert kept.at < story.clock.now()


def test_appending_the_same_turn_again_changes_nothing() -> None:
    """A caller who does not know whether an append arrived may repeat it."""
    story = Story()
    window = story.window()
    window.append(user("a", turn_id="t1"))
    window.append(user("a", turn_id="t1"))

    assert texts(window) == ["a"]
    with pytest.raises(InvalidRequestError, match="t1"):
        window.append(user("b", turn_id="t1"))


def test_sessions_do_not_see_each_other() -> None:
    """Each dialogue has its own window."""
    story = Story()
    story.window("s").append(user("a"))

    assert story.window("t").turns() == ()


def test_clear_gets_rid_of_what_cannot_be_read() -> None:
    """An entry of another version does not block a dialogue for ever."""
    story = Story()
    story.cache.append("o", "s", b"garbage", ttl_s=60)
    story.window().clear()

    story.window().append(user("a"))

    assert texts(story.window()) == ["a"]


def test_erasing_the_owner_empties_the_window_without_observing() -> None:
    """What was erased is not learnt on its way out."""
    story = Story()
    story.window().append(user("a"))

    assert story.cache.delete_owner("o") == 1
    assert story.window().turns() == ()
    assert story.observed == []
