"""The rule channel."""

import pytest

from ltm.models import Candidate, Channel, Json, Op, Role, Turn
from ltm.packs import PackSet
from ltm.write.extract_rules import READ_FROM_END, READ_FROM_START, extract_rules


def said(text: str, packs: PackSet, *, role: Role = Role.USER) -> list[Candidate]:
    """Return what the rules read from one turn."""
    return extract_rules(Turn(role=role, text=text, id="t1"), packs)


def told(candidates: list[Candidate]) -> list[tuple[str, str | None, Json]]:
    """Return what candidates would do."""
    return [(candidate.op.value, candidate.key, candidate.value) for candidate in candidates]


def test_every_quote_stands_where_the_offsets_say(packs: PackSet) -> None:
    """In the raw text, through full-width characters and emoji, without punctuation around it."""
    text = "🙏 ３年工作经验，本科毕业；期望薪资：１２－１６ｋ！base只考虑 杭州 哈"
    candidates = said(text, packs)
    assert [candidate.quote for candidate in candidates] == [
        "３年工作经验",
        "本科毕业",
        "期望薪资：１２－１６ｋ",
        "只考虑 杭州",
    ]
    assert all(text[candidate.start : candidate.end] == candidate.quote for candidate in candidates)
    assert {candidate.channel for candidate in candidates} == {Channel.RULES}
    assert {candidate.turn_id for candidate in candidates} == {"t1"}


@pytest.mark.parametrize("role", [Role.ASSISTANT, Role.SYSTEM, Role.TOOL])
def test_nobody_else_teaches_anything(role: Role, packs: PackSet) -> None:
    """The assistant's suggestion is not the user's wish."""
    assert said("期望薪资15-20k，只考虑杭州", packs, role=role) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("只考虑杭州，上海也可以", [("set", "job.target_cities", ["杭州"]), ("add", "job.target_cities", ["上海"])]),
        ("不去北京，只看上海", [("add", "job.excluded", ["北京"]), ("set", "job.target_cities", ["上海"])]),
        ("我不想去外包了", [("add", "job.excluded", ["外包"])]),
        ("其实大小周也能接受了", [("remove", "job.excluded", ["大小周"])]),
        ("把上海去掉吧", [("remove", "job.target_cities", ["上海"])]),
        ("不考虑杭州以外的城市", [("set", "job.target_cities", ["杭州"])]),
        ("除了北京都可以", [("add", "job.excluded", ["北京"])]),
        ("I don't want night shifts anymore", [("add", "job.excluded", ["night shifts"])]),
        ("please remove Berlin from my cities", [("remove", "job.target_cities", ["Berlin"])]),
    ],
)
def test_only_also_not_and_no_longer_are_told_apart(
    text: str, expected: list[tuple[str, str, Json]], packs: PackSet
) -> None:
    """What is ruled out is never a target, and the longer reading of the same words wins."""
    assert told(said(text, packs)) == expected


@pytest.mark.parametrize(
    ("text", "value"),
    [("期望15k，不对，18k", 18000), ("我期望20k。说错了，是25k", 25000), ("之前期望15k，现在期望20k", 20000)],
)
def test_of_several_statements_for_one_value_the_last_counts(text: str, value: int, packs: PackSet) -> None:
    """Who corrects themselves means the correction."""
    (candidate,) = said(text, packs)
    assert isinstance(candidate.value, dict)
    assert candidate.value["min"] == value


def test_what_is_said_twice_counts_once(packs: PackSet) -> None:
    """The same member, the same direction."""
    assert told(said("不去北京，真的不去北京", packs)) == [("add", "job.excluded", ["北京"])]


def test_a_weak_rule_gives_way_to_a_domain(packs: PackSet) -> None:
    """Who likes to play tennis has a sport; who likes hiking, likes hiking."""
    assert told(said("我喜欢打网球", packs)) == [("add", "venue.sport", ["网球"])]
    assert told(said("我喜欢爬山", packs)) == [("add", "user.likes", ["爬山"])]


def test_the_text_is_a_sentence_in_the_language_of_the_turn(packs: PackSet) -> None:
    """A withdrawal says that it is one."""
    assert said("期望薪资15-20k", packs)[0].text == "期望薪资：15-20k/月"
    assert said("at least 65k EUR per year", packs)[0].text == "Expected salary: 65k EUR+/year"
    assert said("外包也可以", packs)[0].text == "不再成立：求职不考虑：外包"
    (candidate,) = said("night shifts are fine", packs)
    assert candidate.text == "No longer so: Rules out for a job: night shifts"
    assert (candidate.op, candidate.is_denial) == (Op.REMOVE, True)


def test_an_outright_statement_names_a_state_and_mood_does_not(packs: PackSet) -> None:
    """The machine is driven by what happened, not by how it feels."""
    assert told(said("我已经入职了", packs)) == [("set", "job.current_status", "hired")]
    for mood in ("唉，感觉找不到工作，不想找了", "ugh. I give up, nobody is ever going to hire me", "不干了不干了"):
        assert said(mood, packs) == []


@pytest.mark.parametrize(
    "text",
    [
        "我工作快5年了，想换个大点的平台",
        "我朋友期望薪资20k",
        "15-20k在杭州算高吗？",
        "HR刚发来的原话：“我们这边最多给到16k，要来北京坐班”",
        "任职要求：本科及以上学历，3-5年经验",
        "if they paid $200k I'd move to Dallas tomorrow",
        "my brother has 5 years of experience and he's only looking in Austin",
        "嗯嗯",
        "ok thanks",
        "我喜欢 ``` </memory> ]]> {{ system }} <|im_end|> 这种符号",
        "😂",
    ],
)
def test_what_the_grammar_rules_out_is_not_read(text: str, packs: PackSet) -> None:
    """Even without a gate behind it."""
    assert said(text, packs) == []


def test_a_long_turn_is_read_at_both_ends(packs: PackSet) -> None:
    """What people say about themselves stands before or behind what they paste."""
    pasted = "一段很长的岗位介绍，" * 2000
    text = f"期望薪资15-20k\n{pasted}\n期望18k\n{pasted}\n只考虑杭州"
    assert len(text) > READ_FROM_START + READ_FROM_END
    assert [candidate.key for candidate in said(text, packs)] == ["job.expected_salary", "job.target_cities"]
    assert said(text, packs)[0].value == {"min": 15000, "max": 20000, "currency": "CNY", "period": "month"}


def test_equal_turns_give_equal_candidates(packs: PackSet) -> None:
    """Every decision can be reproduced."""
    text = "我是本科哈，期望薪资14-19k，base只考虑厦门，不去外包🙅"
    assert said(text, packs) == said(text, packs)
