"""Make a memory's text safe to stand as one line of a prompt, and leave it readable.

What a user said is data. In the block it must not end the block, open another one, look like a role label or a heading,
or carry characters that a reader does not see.
"""

import re
from functools import lru_cache

_CACHED_CHARS = 2_000
_ROLES = "system|assistant|developer|human|user|tool|ai|系统|助手"
_BREAK = r"[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]"
_LINE_START = rf"(^|{_BREAK})\s*"

_PLAIN = re.compile(
    rf"(?!(?:{_ROLES})\s*[:：])[A-Za-z0-9一-鿿]"
    r"(?:[A-Za-z0-9一-鿿，。、；：！？（）“”《》·,.:;!?()'\"/%+&$￥…-]| (?=\S))*",
    re.IGNORECASE,
)
"""Most texts: nothing in them needs a change."""

_INVISIBLE = re.compile(
    "["
    "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f"  # control characters that are no white space
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"  # soft hyphen, joiners, fillers
    "\u200b-\u200f\u202a-\u202e\u2060-\u206f"  # zero width, bidirectional controls
    "\u2800\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb"  # blank letters, variation selectors, byte order mark
    "\ud800-\udfff\ue000-\uf8ff"  # lone surrogates, private use
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff\U000f0000-\U0010ffff"  # tags, private use
    "]"
)
_STEPS: tuple[tuple[re.Pattern[str], str], ...] = (
    # Removing these may join what they separated, so they go first.
    (_INVISIBLE, ""),
    (re.compile("\ufe0f{2,}"), "\ufe0f"),  # one emoji selector says all; a row of them hides data
    # Line by line, while there are lines: rules, heading and list markers, role labels.
    (re.compile(rf"{_LINE_START}(?:={{3,}}|-{{3,}}|\*{{3,}}|_{{3,}})(?=\s*(?:$|{_BREAK}))"), r"\1"),
    (re.compile(rf"{_LINE_START}(?:(?:#{{1,6}}|[-*+>|]+)\s+)+"), r"\1"),
    (re.compile(rf"{_LINE_START}#*({_ROLES})\s*[:：]", re.IGNORECASE), r"\1(\2) "),
    # Fences, tags (also chat-template ones, comments and CDATA), template braces.
    (re.compile(r"`{3,}|~{3,}"), "'''"),
    (re.compile(r"[<＜](?=\s*[/!?|A-Za-z_一-鿿<＜])([^<>＜＞]{0,200})[>＞]"), r"‹\1›"),
    (re.compile(r"[<＜](?=\s*[/!?|A-Za-z_<＜])"), "‹"),
    (re.compile(r"(?:(?<=\]\])|(?<=--)|(?<=[|/]))[>＞]"), "›"),
    (re.compile(r"\[(/?(?:INST|SYS|SYSTEM))\]", re.IGNORECASE), r"(\1)"),
    (re.compile(r"\{(?=[{%#])"), "{ "),
    (re.compile(r"(?<=[}%#])\}"), " }"),
    (re.compile(r"\s+"), " "),
)


def escape(text: str) -> str:
    """Return the text as one line that cannot break out of the block. Escaping again changes nothing."""
    return _escape_short(text) if len(text) <= _CACHED_CHARS else _escape(text)


def _escape(text: str) -> str:
    if _PLAIN.fullmatch(text):
        return text
    for pattern, replacement in _STEPS:
        text = pattern.sub(replacement, text)
    return text.strip()


_escape_short = lru_cache(maxsize=8192)(_escape)
