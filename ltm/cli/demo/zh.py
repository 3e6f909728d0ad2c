"""The story in Chinese."""

from datetime import datetime, timedelta, timezone

from ltm.cli.demo.story import Proposal, Question, Scene, Story, Words
from ltm.models import Kind, Turn

CHINA = timezone(timedelta(hours=8))


def _on(month: int, day: int, hour: int = 10, minute: int = 0) -> datetime:
    return datetime(2026, month, day, hour, minute, tzinfo=CHINA)


def _user(turn_id: str, at: datetime, text: str) -> Turn:
    return Turn(role="user", text=text, at=at, id=turn_id)


STORY = Story(
    opening=(
        "求职 Agent 的三周。对话原文进，记忆出；SQLite、进程内 Qdrant、自带向量模型，不联网。\n"
        "“模型”是脚本化的替身（真实 HTTP 接口，固定回答），用来重演一次真实发生过的幻觉。"
    ),
    zone=CHINA,
    words=Words(
        user="用户",
        agent="Agent",
        model="模型提议",
        nothing_decided="（没有候选）",
        intent="意图",
        block="注入到提示词的内容",
        nothing_said="（无可注入，0 token）",
        chain="版本链",
        state="状态机",
    ),
    scenes=(
        Scene(
            title="第 1 周 · 10 月 8 日",
            session="week-1",
            turns=(
                _user("t1", _on(10, 8), "期望薪资 15-20k，base 只考虑杭州"),
                Turn(role="assistant", text="好的，按 15-20k、杭州帮您找", at=_on(10, 8, 10, 1), id="t2"),
                _user("t3", _on(10, 8, 10, 2), "我想找 Java 后端的岗位，本科，三年经验"),
            ),
        ),
        Scene(
            title="事故一：情绪 · 10 月 15 日",
            session="week-2",
            turns=(_user("t4", _on(10, 15, 23), "唉，感觉找不到工作，不想找了"),),
            proposals=(
                Proposal(
                    turn_id="t4",
                    quote="不想找了",
                    text="用户已放弃求职",
                    kind=Kind.STATE,
                    key="job.current_status",
                    value="paused",
                ),
            ),
            moral="模型把气话当成了陈述；规则门只认情绪，不写状态。",
        ),
        Scene(
            title="事故二：幻觉 · 10 月 22 日",
            session="week-2b",
            turns=(_user("t5", _on(10, 22), "我在准备下周的面试，想先复习数据库"),),
            proposals=(
                Proposal(turn_id="t5", quote="可以接受大小周", text="用户可以接受大小周", kind=Kind.PREFERENCE),
                Proposal(turn_id="t5", quote="准备下周的面试", text="用户在准备下周的面试", kind=Kind.FACT),
            ),
            moral="没说过的话找不到原文，丢弃；说过的留下。",
        ),
        Scene(
            title="第 3 周 · 10 月 29 日",
            session="week-3",
            turns=(_user("t6", _on(10, 29), "其实上海也可以，薪资好商量"),),
            moral="更新不覆盖，只追加一个版本。",
            questions=(Question(intent="帮我推荐几个岗位", now=_on(10, 30)), Question(intent="你好", now=_on(10, 30))),
            chains=("job.target_cities",),
        ),
        Scene(
            title="事故三：过期 · 11 月 12 日",
            session="week-5",
            turns=(_user("t7", _on(11, 12), "我已经入职了"),),
            moral="入职使绑定的记忆一次性失效；不再推荐岗位。",
            questions=(Question(intent="帮我推荐几个岗位", now=_on(11, 13)),),
            chains=("job.expected_salary",),
            machine="job_search",
        ),
    ),
    closing="以上全部可查：ltm history / ltm why / ltm recall --explain。",
)
