"""A model's value must stand in its quote."""

import pytest

from ltm.models import Json, Lang
from ltm.packs import PackSet
from ltm.write.support import is_negated, is_negative_slot, is_text_supported, supported_value
from ltm.write.word_index import WordIndex

CNY = {"currency": "CNY", "period": "month"}


@pytest.mark.parametrize(
    ("key", "value", "quote", "supported"),
    [
        ("job.expected_salary", {"min": 18000, "max": 22000}, "接受18-22k", {"min": 18000, "max": 22000, **CNY}),
        (
            "job.expected_salary",
            {"min": 18000, "max": 22000, "currency": "USD"},
            "18-22k",
            {"min": 18000, "max": 22000, **CNY},
        ),
        ("job.expected_salary", {"min": 30000, "max": 30000}, "期望20k", None),
        ("job.expected_salary", {"min": 20000, "max": None}, "期望薪资不低", None),
        ("job.expected_salary", "lots", "期望20k", None),
        ("job.years_of_experience", 5, "干了五年", 5),
        ("job.years_of_experience", 5, "I have 3 years", None),
        ("job.target_cities", ["杭州", "上海"], "杭州和上海都行", ["杭州", "上海"]),
        ("job.target_cities", ["杭州", "上海"], "杭州都行", None),
        ("job.target_cities", ["Dallas"], "move to Dallas", ["Dallas"]),
        ("job.target_roles", ["Java 后端"], "准备 Java 后端 的面试", ["Java 后端"]),
        ("job.target_roles", ["java后端"], "准备 Java 后端 的面试", ["Java 后端"]),
        ("job.target_roles", ["Go"], "I am good at this", None),
        ("job.education", "bachelor", "我是本科", "bachelor"),
        ("job.education", "master", "我是本科", None),
        ("job.current_status", "已放弃", "不想找了", None),
        ("job.current_status", "paused", "不想找了", None),
        ("venue.preferred_time", ["周末晚上"], "一般都是周末晚上打", ["周末晚上"]),
        ("venue.preferred_time", ["周末晚上"], "一般都是晚上打", None),
        ("job.target_cities", ["看看岗位"], "帮我看看岗位", None),
        ("user.name", "张三", "我叫张三", "张三"),
        ("user.name", "李四", "我叫张三", None),
        ("user.likes", None, "我喜欢茶", None),
        ("user.likes", [], "我喜欢茶", None),
    ],
)
def test_a_value_counts_as_far_as_the_quote_states_it(
    key: str, value: Json, quote: str, supported: Json, packs: PackSet
) -> None:
    """Figures are read from the quote; every member of a set must stand in it."""
    slot = packs.find_slot(key)
    assert slot is not None
    assert supported_value(slot, value, quote, packs=packs, lang=Lang.ZH) == supported


@pytest.mark.parametrize(
    ("text", "quote", "supported"),
    [
        ("用户在学 Go 语言", "我在学Go语言，主要看并发这块", True),
        ("用户看重团队氛围", "看重团队氛围", True),
        ("User asked whether a court can be booked after midnight", "can I book a court after midnight", True),
        ("用户询问会员卡能不能转给家里人使用", "会员卡能不能转给家里人用", True),
        ("The user is learning Go", "我在学Go语言", True),
        ("用户已放弃求职", "不想找了", False),
        ("用户喜欢吃苹果", "我在学Go语言", False),
        ("用户期望30k", "期望20k", False),
        ("用户", "我", False),
        ("", "我在学Go语言", False),
        ("用户在学Go语言" * 100, "我在学Go语言", False),
    ],
)
def test_a_sentence_may_say_no_more_than_its_quote(text: str, quote: str, supported: bool) -> None:
    """Every figure, and at least half of the other words, are the user's."""
    assert is_text_supported(text, quote) is supported


def test_slots_of_what_is_not_wanted_are_known_by_what_they_say(packs: PackSet, words: WordIndex) -> None:
    """Exclusions by their kind, dislikes by their sentence."""
    negative = {slot.key for slot in packs.slots.values() if is_negative_slot(slot, words)}
    assert negative == {"job.excluded", "user.dislikes"}


@pytest.mark.parametrize(
    ("text", "negated"),
    [
        ("我不喜欢加班", True),
        ("没有经验", True),
        ("I don't like it", True),
        ("受不了大小周", True),
        ("特别喜欢加班", False),
        ("非常喜欢", False),
        ("麻烦推荐一下", False),
        ("不错，我喜欢", False),
        ("没问题", False),
        ("未来想做后端", False),
        ("能不能", False),
    ],
)
def test_denial_is_told_from_words_that_look_like_it(text: str, negated: bool, words: WordIndex) -> None:
    """`特别`, `非常` and `麻烦` deny nothing."""
    assert is_negated(text, words) is negated
