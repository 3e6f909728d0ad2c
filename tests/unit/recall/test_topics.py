"""What requests and memories are about."""

import pytest

from ltm.recall.topics import asked_about, is_about, is_foreign_slot, is_slot_of, topic_names
from ltm.recall.vocabulary import Vocabulary, with_plurals


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
    assert topic in topic_names(asked_about(intent).topics)


@pytest.mark.parametrize(
    "intent", ["recommend a good function", "of course", "机器学习是什么", "Python 的对象", "a train of thought"]
)
def test_words_of_other_trades_name_no_topic(intent: str) -> None:
    """Ambiguous words are left out on purpose."""
    assert topic_names(asked_about(intent).topics) == ()


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
    assert asked_about(intent).is_general


@pytest.mark.parametrize(
    "intent",
    ["how many years of experience do I have", "帮我推荐几个岗位", "When is my membership up?", "他最多能跑多远"],
)
def test_a_question_about_a_person_is_not_general(intent: str) -> None:
    """Impersonal wordings count only where nobody is spoken of."""
    assert not asked_about(intent).is_general


def test_a_memory_shares_a_topic_by_slot_or_by_words() -> None:
    """The slot decides whatever its value; words of memories may be broader than those of requests."""
    food, work = asked_about("推荐一家餐厅").topics, asked_about("推荐几个岗位").topics
    assert is_about(food, "用户对花生过敏", None)
    assert is_about(work, "15-20k/月", "job.expected_salary")
    assert not is_about(food, "15-20k/月", "job.expected_salary")
    assert not is_about(0, "用户对花生过敏", "job.expected_salary")


def test_a_slot_of_another_domain_is_foreign() -> None:
    """Only to requests that name a topic, and only slots of whole domains."""
    sport = asked_about("帮我订个羽毛球场").topics
    assert is_slot_of(sport, "venue.sport")
    assert is_foreign_slot(sport, "job.education")
    assert not is_foreign_slot(sport, "user.location")
    assert not is_foreign_slot(sport, None)
    assert not is_foreign_slot(0, "job.education")


def test_a_vocabulary_finds_whole_latin_words_and_chinese_anywhere() -> None:
    """Phrases span words, plurals are added, and parts of words are none."""
    words = Vocabulary(with_plurals({"job": 1, "board game": 2, "岗位": 4, "c++": 8, "can't sleep": 16}))
    assert words.find("two jobs and a board game") == 3
    assert words.find("帮我看看岗位") == 4
    assert words.find("jobless boardgame board a game 岗") == 0
    assert words.find("i can't sleep over c++") == 24
    assert words.find("") == 0
