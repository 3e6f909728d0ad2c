"""Named conversations in both languages, and which spans of time they are."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ltm.ports import TimeSpan
from ltm.recall.dates import NamedTimes, named_times, to_spans
from ltm.recall.dates.spans import conversations

TODAY = date(2026, 11, 18)


def _at(hour: int, minute: int = 0, day: int = 1) -> datetime:
    return datetime(2026, 11, day, hour, minute, tzinfo=UTC)


@pytest.mark.parametrize(
    ("intent", "places"),
    [
        ("In the first session, what sport did Matt join?", (1,)),
        ("what did I say in session 7", (7,)),
        ("in session number 7", (7,)),
        ("Session 7: what happened?", (7,)),
        ("in session seven", (7,)),
        ("in conversation #12", (12,)),
        ("in the first, second and third session", (1, 2, 3)),
        ("in the 1st, the 2nd, and the 4th chat", (1, 2, 4)),
        ("in sessions 1, 2 and 5", (1, 2, 5)),
        ("in sessions 4, 5, or 7", (4, 5, 7)),
        ("in session 3, 5 people came", (3,)),
        ("in sessions 3 and 5", (3, 5)),
        ("in sessions 3 to 5", (3, 4, 5)),
        ("during the 30th session", (30,)),
        ("in our second conversation", (2,)),
        ("in our very first chat", (1,)),
        ("in our first ever chat", (1,)),
        ("my twentieth chat session", (20,)),
        ("my first conversation with you", (1,)),
        ("in our first talk", (1,)),
        ("in the first and third dialogues", (1, 3)),
        ("the first time we chatted", (1,)),
        ("what did I say last time we talked", (-1,)),
        ("last time I talked to you", (-1,)),
        ("what did we talk about last time", (-1,)),
        ("when we last spoke", (-1,)),
        ("our previous session", (-1,)),
        ("in our last conversation?", (-1,)),
        ("the conversation before this one", (-1,)),
        ("the session before last", (-2,)),
        ("第一次聊天的时候我说了什么", (1,)),
        ("第3次会话里我说了什么", (3,)),
        ("第 3 次对话", (3,)),
        ("第十二次谈话", (12,)),
        ("第一百零三次聊天", (103,)),
        ("会话 3 里我说了什么", (3,)),
        ("首次聊天", (1,)),
        ("最早一次对话", (1,)),
        ("和你第一次聊天的时候", (1,)),
        ("第一次和你聊天", (1,)),
        ("第一次我们聊的时候", (1,)),
        ("第一次和第三次聊天", (1, 3)),
        ("上次聊天我说了什么", (-1,)),
        ("上次对话", (-1,)),
        ("上一个会话", (-1,)),
        ("上一次我们聊了什么", (-1,)),
        ("上回聊到哪了", (-1,)),
        ("最近一次交流", (-1,)),
        ("上上次聊天", (-2,)),
    ],
)
def test_a_named_conversation_is_read(intent: str, places: tuple[int, ...]) -> None:
    """Each wording names its conversations, counted from the first or back from the last, and no day."""
    assert named_times(intent, TODAY) == NamedTimes(conversations=places)


@pytest.mark.parametrize(
    "intent",
    [
        "my first yoga session",
        "her first training session",
        "the second interview session",
        "yoga session 7",
        "my first session with the therapist",
        "my last chat with my boss",
        "the last time I talked to my mother",
        "the first session of the conference",
        "the first talk at PyCon",
        "her first talk",
        "our first conversation about Rome",
        "the -1st session",
        "session one hundred",
        "session 0",
        "session 10000000000",
        "第零次聊天",
        "the last time we talked about hiking",
        "since our last session",
        "our second to last session",
        "the twenty-first session",
        "the first chat room",
        "our last conversations",
        "in session 2023",
        "in session 0",
        "at session 7pm",
        "let's chat",
        "和老板第一次谈话",
        "跟客户的第二次交流",
        "第一次交流会",
        "第三个聊天群",
        "第3个对话框",
        "第一次聊到猫",
        "上次我们聊到的公司",
        "上次聊的那个岗位",
        "上次面试聊了什么",
        "第一轮对话",
        "对话 3 次",
        "倒数第二次聊天",
        "陪我聊天",
    ],
)
def test_what_names_no_conversation_of_ours_is_left_alone(intent: str) -> None:
    """Other sessions, conversations with others or on a topic, events and numbers of other things give nothing."""
    assert named_times(intent, TODAY).conversations == ()


@pytest.mark.parametrize("intent", ["in our conversation 2 weeks ago", "our chat 3 days ago", "the chat 5 May 2023"])
def test_a_number_of_days_is_no_number_of_a_conversation(intent: str) -> None:
    """What belongs to a date names days alone."""
    named = named_times(intent, TODAY)
    assert (named.conversations, len(named.days)) == ((), 1)


def test_a_conversation_and_a_day_are_both_read() -> None:
    """Each word is used once: the 5th chat is no 5th of a month."""
    named = named_times("on the 5th chat, what did I say of 8 May 2023", TODAY)
    assert (named.conversations, [span.start for span in named.days]) == ((5,), [date(2023, 5, 8)])


@given(st.text(alphabet=st.sampled_from("0123456789第一二十百次上回聊天会话和你的到 firstlaeonvcdhg#-"), max_size=60))
def test_no_text_breaks_it(intent: str) -> None:
    """Whatever is written, places are never 0 and at most eight."""
    places = named_times(intent, TODAY).conversations
    assert 0 not in places
    assert len(places) <= 8


def test_an_hour_of_silence_ends_a_conversation() -> None:
    """Statements less than an hour apart are one conversation, also over midnight; its span holds no other one's."""
    said_at = [_at(9), _at(9, 59), _at(10, 59), _at(23, 30), _at(0, 20, day=2)]
    assert conversations(said_at) == [
        TimeSpan(start=_at(9), end=_at(10, 59)),
        TimeSpan(start=_at(10, 59), end=_at(11, 59)),
        TimeSpan(start=_at(23, 30), end=_at(1, 20, day=2)),
    ]
    assert conversations([]) == []


@pytest.mark.parametrize(
    ("place", "now", "start"),
    [
        (1, _at(20), _at(9)),
        (3, _at(20), _at(18)),
        (4, _at(20), None),
        (-1, _at(20), _at(18)),
        (-1, _at(18, 30), _at(14)),
        (-2, _at(18, 30), _at(9)),
        (-3, _at(18, 30), None),
        (-1, _at(9, 30), None),
    ],
)
def test_places_count_from_the_first_and_back_from_the_last_that_is_over(
    place: int, now: datetime, start: datetime | None
) -> None:
    """What still goes on is not the previous one; what there is not, is named by nothing."""
    said_at = [_at(9), _at(14), _at(18)]
    found = to_spans(NamedTimes(conversations=(place,)), zone=UTC, said_at=said_at, now=now)
    expected = [] if start is None else [(start, start + timedelta(hours=1), 4.0)]
    assert [(one.span.start, one.span.end, one.boost) for one in found] == expected
