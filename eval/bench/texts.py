"""Made-up memories and intents, Chinese and English, that differ from each other; the same on every run."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

import numpy as np

from ltm.models import MemoryInput

START = datetime(2026, 1, 1, tzinfo=UTC)
_ZH = (
    "想换一个通勤{0}分钟以内的工作", "周{1}晚上一般在{2}打球", "不太能接受{3}，之前吃过亏", "最近在看{4}方向的资料",
    "问过{2}那边{3}能不能改期", "家里养了一只叫{5}的猫", "对{6}过敏，点餐要避开", "希望沟通时先说{4}再说细节",
)  # fmt: skip
_EN = (
    "would rather not commute more than {0} minutes", "usually plays at {2} on {1} evenings",
    "cannot stand {3} at work",
    "is reading up on {4} these days", "asked {2} whether {3} can be moved", "has a dog called {5}",
    "is allergic to {6}", "wants {4} explained before the details",
)  # fmt: skip
_INTENTS = (
    "帮我推荐几个{4}的岗位",
    "订个{2}的场地",
    "find me something about {4}",
    "what did I say about {3}",
    "{5}怎么样了",
)
_WORDS: Sequence[Sequence[str]] = (
    [str(number) for number in range(15, 95, 5)],
    ("一", "三", "五", "Monday", "Tuesday", "Friday", "周末"),
    ("滨江体育馆", "奥体中心", "Kings Hall", "Riverside", "城西馆", "黄龙", "Blochaus", "西溪", "Urban Park"),
    ("加班", "大小周", "night shifts", "open offices", "出差", "拼场", "noise", "late meetings", "电话面试", "约课"),
    ("Java 后端", "data pipelines", "增长运营", "机器学习", "UX research", "前端性能", "budgeting", "供应链"),
    ("年糕", "Biscuit", "豆包", "Professor", "可乐", "Momo", "花卷", "Rocky"),
    ("花生", "shellfish", "牛奶", "gluten", "芒果", "pollen", "虾", "香菜"),
)


def memories(rng: np.random.Generator, count: int) -> list[MemoryInput]:
    """Return so many memories of one user, a few hours apart; a number at the end keeps any two from being equal."""
    return [
        MemoryInput(
            text=f"{_fill(rng, _ZH if rng.random() < 0.5 else _EN)}，{at}",
            at=START + timedelta(hours=3 * at),
            confidence=float(rng.uniform(0.7, 1.0)),
        )
        for at in range(count)
    ]


def intents(rng: np.random.Generator, count: int) -> Iterator[str]:
    """Yield so many distinct intents."""
    for number in range(count):
        yield f"{_fill(rng, _INTENTS)} {number}"


def turns(rng: np.random.Generator, count: int) -> list[str]:
    """Return chat-sized turns: half of them say something that a rule may match, half are small talk and questions."""
    stated = (
        "期望薪资{0}-95k，只考虑杭州",
        "I have {0} months of experience",
        "周末一般打羽毛球",
        "不想去外包了",
        "maybe Berlin",
    )
    idle = ("好的谢谢", "还有别的吗？", "hmm ok", "唉，好累啊", "what about {4}?", "哈哈哈")
    return [_fill(rng, stated if at % 2 else idle) for at in range(count)]


def _fill(rng: np.random.Generator, templates: Sequence[str]) -> str:
    words = (choices[int(rng.integers(len(choices)))] for choices in _WORDS)
    return templates[int(rng.integers(len(templates)))].format(*words)
