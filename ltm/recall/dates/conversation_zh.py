"""Named conversations in Chinese: `第一次聊天`, `第3次会话`, `上次我们聊了什么`.

Only conversations with the agent are meant, not those with somebody else (`和老板第一次谈话`), an event
(`第一次交流会`) or the first time of a topic (`第一次聊到猫`). Patterns match folded text and are bounded.
"""

import re

from ltm.packs.values.numerals import parse_number
from ltm.recall.dates.rule import ConversationRule

_NUMBER = "[0-9]{1,3}|[一二两三四五六七八九十百零]{1,5}"
_TIMES = "次|回|个|段|场"
_US = "你我?|您|你们|我|我们|咱|咱们|助手|ai"
_WITH = r"(?:[和跟与同](?P<whom>[^\s,。?!;、和跟与同第上]{1,6})的?)?"
"""Before it somebody may be named with whom one talks; a conversation with others is not one of ours."""
_WE = rf"(?:的|我们|咱们|我(?=[和跟与同]))?(?:[和跟与同](?:{_US}))?(?:的)?"
_NOUN = r"(?:会话|对话(?!框)|聊天(?!室|群|软件|工具|平台|对象|机器人)|谈话(?!节目)|交流(?!会|生|活动|群|赛))"
_CHATTED = r"(?:聊(?=$|[\s,。?!;]|的?时|的(?:内容|是|那次|都)|[了过]?(?:些|点)?(?:什么|啥|哪)|到哪|完|得|之?后))"
"""`聊` alone: what follows must not be what was talked about."""
_TALK = f"{_WE}(?:{_NOUN}|{_CHATTED})"


def _is_ours(match: re.Match[str]) -> bool:
    whom = match["whom"]
    return whom is None or re.fullmatch(_US, whom) is not None


def _nth(match: re.Match[str]) -> tuple[int, ...]:
    """`第一次聊天`, `第2次和第5次对话`."""
    if not _is_ours(match):
        return ()
    return tuple(int(parse_number(match[name]) or 0) for name in ("nth", "other") if match[name] is not None)


def _numbered(match: re.Match[str]) -> tuple[int, ...]:
    return (int(match["nth"]),)


def _first(match: re.Match[str]) -> tuple[int, ...]:
    return (1,) if _is_ours(match) else ()


def _before(match: re.Match[str]) -> tuple[int, ...]:
    """`上次聊天`, `上上次聊天`."""
    return (-max(match["back"].count("上"), 1),) if _is_ours(match) else ()


RULES: tuple[ConversationRule, ...] = (
    (
        re.compile(
            rf"{_WITH}(?<!倒数)第(?P<nth>{_NUMBER})(?:{_TIMES})"
            rf"(?:[和与跟、]第?(?P<other>{_NUMBER})(?:{_TIMES}))?{_TALK}"
        ),
        _nth,
    ),
    (re.compile(rf"{_WITH}(?:首次|(?:最早|最初|最开始)的?[一那]次){_TALK}"), _first),
    (re.compile(rf"{_WITH}(?<!上)(?P<back>上{{1,2}}一?(?:{_TIMES})|前一(?:{_TIMES})|最近[一那]次){_TALK}"), _before),
    (re.compile(r"(?:会话|对话)(?P<nth>[0-9]{1,3})(?![0-9.:/%年月日号点个次条句轮天周小分秒])"), _numbered),
)
