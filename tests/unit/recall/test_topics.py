"""What requests and memories are about."""

import pytest

from ltm.recall.topics import Bearing
from ltm.recall.word_trie import WordTrie, with_plurals
from tests.unit.recall.fakes import TOPICS


@pytest.mark.parametrize(
    ("intent", "topic"),
    [
        ("帮我推荐几个岗位", "work"),
        ("recommend me some jobs", "work"),
        ("帮我订个羽毛球场", "sport"),
        ("Book me a COURT", "sport"),
        ("中午吃什么", "food"),
        ("which restaurants are good?", "food"),
        ("周末去哪玩，帮我订酒店", "travel"),
        ("有什么好看的电影", "entertainment"),
    ],
)
def test_a_request_names_its_topic(intent: str, topic: str) -> None:
    """By words of both languages, whatever the case and the width."""
    assert topic in TOPICS.names(TOPICS.asked_about(intent).topics)


@pytest.mark.parametrize(
    "intent", ["recommend a good function", "of course", "机器学习是什么", "Python 的对象", "a train of thought"]
)
def test_words_of_other_trades_name_no_topic(intent: str) -> None:
    """Ambiguous words are left out on purpose."""
    assert TOPICS.names(TOPICS.asked_about(intent).topics) == ()


@pytest.mark.parametrize(
    "intent",
    [
        "1+1等于几",
        "what is 15% of 80",
        "用Python写一个快速排序",
        "why does this throw a NullPointerException?",
        "how far is the moon",
        "法国的首都是哪里",
        "今天会下雨吗",
        "translate this into French",
        "how many feet are in a mile",
    ],
)
def test_anybody_could_ask_it(intent: str) -> None:
    """Sums, code, general knowledge, texts, weather."""
    assert TOPICS.asked_about(intent).is_general


@pytest.mark.parametrize(
    "intent",
    ["how many years of experience do I have", "帮我推荐几个岗位", "When is my membership up?", "他最多能跑多远"],
)
def test_a_question_about_a_person_is_not_general(intent: str) -> None:
    """Impersonal wordings count only where nobody is spoken of."""
    assert not TOPICS.asked_about(intent).is_general


@pytest.mark.parametrize(
    ("intent", "text", "key", "expected"),
    [
        ("推荐一家餐厅", "用户对花生过敏", None, Bearing.ABOUT),
        ("推荐几个岗位", "15-20k/月", "job.expected_salary", Bearing.ABOUT),
        ("推荐一家餐厅", "15-20k/月", "job.expected_salary", Bearing.FOREIGN),
        ("帮我订个羽毛球场", "本科毕业", "job.education", Bearing.FOREIGN_ELSEWHERE),
        ("帮我订个羽毛球场", "用户养了一只橘猫", None, Bearing.ELSEWHERE),
        ("帮我订个羽毛球场", "成都", "user.location", Bearing.SILENT),
        ("帮我订个羽毛球场", "用户是INTJ", None, Bearing.SILENT),
        ("那件事怎么样了", "用户对花生过敏", "job.education", Bearing.SILENT),
    ],
)
def test_how_a_memory_stands_to_a_request(intent: str, text: str, key: str | None, expected: Bearing) -> None:
    """By its slot whatever the value, else by its words; a request without topics says nothing of either."""
    assert TOPICS.bearing(TOPICS.asked_about(intent).topics, text, key) is expected


def test_a_slot_belongs_to_its_topic() -> None:
    """By the prefix of its key."""
    sport = TOPICS.asked_about("帮我订个羽毛球场").topics
    assert TOPICS.is_slot_of(sport, "venue.sport")
    assert not TOPICS.is_slot_of(sport, "job.education")
    assert not TOPICS.is_slot_of(sport, None)
    assert not TOPICS.is_slot_of(0, "venue.sport")


def test_a_trie_finds_whole_latin_words_and_chinese_anywhere() -> None:
    """Phrases span words, plurals are added, and parts of words are none."""
    words = WordTrie(with_plurals({"job": 1, "board game": 2, "岗位": 4, "c++": 8, "can't sleep": 16}))
    assert words.find("two jobs and a board game") == 3
    assert words.find("帮我看看岗位") == 4
    assert words.find("jobless boardgame board a game 岗") == 0
    assert words.find("i can't sleep over c++") == 24
    assert words.find("") == 0
