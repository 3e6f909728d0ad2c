"""The small-talk gate: whole utterances only."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ltm.packs import load_packs
from ltm.recall.small_talk import SmallTalk

SMALL_TALK = SmallTalk(load_packs())


@pytest.mark.parametrize(
    "utterance",
    [
        "你好",
        "您好！",
        "在吗？",
        "好的",
        "好的谢谢",
        "收到",
        "嗯嗯嗯",
        "哈哈哈哈哈哈",
        "谢谢你",
        "辛苦了～",
        "早上好呀",
        "晚安",
        "再见",
        "你好，在吗？",
        "不错不错",
        "天气真好",
        "今天天气不错",
        "你是谁",
        "讲个笑话",
        "ok谢谢",
        "666",
        "hi",
        "hi there!",
        "Hello!!!",
        "hello there",
        "good morning ☀️ everyone",
        "thanks, have a nice day!",
        "thx",
        "ok thanks bye",
        "Ok, got it, thanks!",
        "haha that's great",
        "hahahaha",
        "lol",
        "How are you doing today?",
        "nice weather",
        "who are you?",
        "go on",
        "👍👍",
        "？？？",
        "...",
        " ok ",
    ],
)
def test_small_talk_is_recognised(utterance: str) -> None:
    """Greetings, thanks, goodbyes, assent, praise and combinations of them need no memory."""
    assert SMALL_TALK.is_all_of(utterance)


@pytest.mark.parametrize(
    "utterance",
    [
        "好的，按我的意向城市推荐",
        "谢谢你上次推荐的场馆",
        "你好，帮我找个工作",
        "在杭州吗",
        "我叫什么名字",
        "老地方",
        "帮我订个场",
        "好吃的推荐",
        "早上跑步好不好",
        "好的岗位有哪些",
        "hi, find me a job",
        "thanks for the Berlin jobs",
        "what is my name",
        "great restaurants nearby",
        "is this good for me",
        "who am I",
        "yes, the one in Munich",
    ],
)
def test_a_request_is_no_small_talk(utterance: str) -> None:
    """One word that asks for something is enough to look."""
    assert not SMALL_TALK.is_all_of(utterance)


@given(st.text(alphabet=st.sampled_from("好的谢谢哈hiao k!，"), max_size=80))
def test_no_row_of_pleasantries_takes_long(utterance: str) -> None:
    """Every utterance gets an answer, the same in capitals (pytest-timeout would see one that goes back and forth)."""
    assert SMALL_TALK.is_all_of(utterance) == SMALL_TALK.is_all_of(utterance.upper())


def test_a_long_text_is_no_small_talk() -> None:
    """Whoever writes so much says something."""
    assert not SMALL_TALK.is_all_of("好的" * 100)
