"""Named conversations in English: `in the first session`, `session 7`, `last time we talked`.

Only conversations with the agent are meant. No word may stand between number and noun (`my first yoga session`), and
none behind the noun that makes it somebody else's (`with my boss`), an event (`of the conference`) or one of several on
a topic (`about Rome`). Patterns match folded text and are bounded.
"""

import re

from ltm.packs.values.numerals import NUMBER_WORD, parse_number
from ltm.recall.dates.rule import ConversationRule

_MOST = 8
_UP_TO_TENTH = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_TO_NINETEENTH = ("eleventh", "twelfth", *(f"{stem}teenth" for stem in ("thir", "four", "fif", "six", "seven")))
_ORDINALS = {
    name: at + 1 for at, name in enumerate((*_UP_TO_TENTH, *_TO_NINETEENTH, "eighteenth", "nineteenth", "twentieth"))
}
_ORDINAL = rf"(?:[0-9]{{1,3}}(?:st|nd|rd|th)|(?<!ty[- ])(?:{'|'.join(_ORDINALS)}))"
_NUMBER = rf"(?:[0-9]{{1,3}}|(?:{NUMBER_WORD}))(?![0-9a-z%/]|[.:][0-9])"
_NOUN = r"(?:(?:chat|conversation|dialog(?:ue)?)\s)?(?:session|conversation|chat|dialog(?:ue)?)"
_NO_CHANNEL = (
    r"(?![- ](?:rooms?|groups?|apps?|bots?|windows?|messages?|partners?|logs?|gpt|shows?|musicians?|cookies?|tokens?"
    r"|keys?|ids?|starters?|timeouts?)\b)"
)
_OF_ALL = r"(?!\s(?:of(?!\sours?\b)|with(?!\s(?:you|me|us|each)\b))\b)"
_ON_NOTHING = (
    r"(?!\s(?:about|regarding|concerning|on|at|for|by|to(?!\syou\b)|after|since|until|till|before(?!\sthis\b))\b)"
)
_OURS = rf"\b{_NO_CHANNEL}{_OF_ALL}{_ON_NOTHING}"
_SINCE = r"(?P<since>\bsince\s(?:the\s|our\s|my\s)?(?:very\s)?)?"
_TALKED = r"(?:talked|spoke|chatted|had\sa\s(?:chat|conversation|talk))"
_WE_TALKED = rf"(?:we\s(?:ever\s)?{_TALKED}{_OURS}|i\s(?:ever\s)?{_TALKED}\s(?:to|with)\syou\b)"
# Before `session 7`: what makes a noun of its own with it ("yoga session 7") is not among these.
_BEFORE_NUMBERED = (
    r"(?:^|[^a-z0-9\s-]\s?|\b(?:in|during|of|from|at|for|on|about|between|since|before|after|to|and|or|vs|with|our|my"
    r"|the|his|her|their|chat)\s)"
)
_UNITS = r"(?!\s(?:am|pm|percent|(?:second|minute|hour|day|week|month|year)s?)\b)"
_MONTH_BEHIND = r"(?!\s(?:of\s)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))"


def _ordinal(words: str) -> int:
    return _ORDINALS[words] if words in _ORDINALS else int(words[:-2])


def _nth(match: re.Match[str]) -> tuple[int, ...]:
    """`the first session`, `our 2nd and 3rd chats`, `the first, second and third session`."""
    other = match.groupdict().get("other")
    firsts = re.findall(_ORDINAL, match.groupdict().get("more") or "")
    places = tuple(_ordinal(words) for words in (*firsts, match["nth"], other) if words is not None)
    return () if match["since"] else places


def _numbered(match: re.Match[str]) -> tuple[int, ...]:
    """`session 7`, `session number seven`, `sessions 3 and 5`, `sessions 1, 2 and 3`, `sessions 3 to 5`."""
    first, last = (_count(match[name]) for name in ("first", "last"))
    is_range = match["join"] not in (None, "and", "or", "&")
    named = range(first, min(last, first + _MOST) + 1) if is_range else (first, last)
    return (*map(_count, re.findall(_NUMBER, match["more"])), *named)[:_MOST]


def _count(words: str | None) -> int:
    return 0 if words is None else int(parse_number(words) or 0)


def _previous(match: re.Match[str]) -> tuple[int, ...]:
    """`our last conversation`, `when we last talked`, `what did we talk about last time`."""
    return () if match.groupdict().get("since") else (-1,)


def _before_previous(_match: re.Match[str]) -> tuple[int, ...]:
    return (-2,)


RULES: tuple[ConversationRule, ...] = (
    (re.compile(rf"\b{_NOUN}\sbefore\s(?:the\s)?last(?:\sone)?\b(?!\s[a-z]*ed\b)"), _before_previous),
    (
        re.compile(rf"\b{_NOUN}\sbefore\s(?:this|the\scurrent)\b(?!\s(?!one\b|session\b|chat\b|conversation\b)[a-z])"),
        _previous,
    ),
    (
        re.compile(
            rf"{_SINCE}(?<!-)\b(?P<more>(?:{_ORDINAL},\s?(?:the\s)?){{0,6}})(?P<nth>{_ORDINAL})"
            rf"(?:,?\s(?:and|or)\s(?:the\s)?(?P<other>{_ORDINAL}))?[- ](?:ever\s)?"
            rf"{_NOUN}s?{_OURS}"
        ),
        _nth,
    ),
    (re.compile(rf"{_SINCE}\b(?:our|their)\s(?:very\s)?(?P<nth>{_ORDINAL})\s(?:ever\s)?talk{_OURS}"), _nth),
    (re.compile(rf"{_SINCE}\b(?P<nth>{_ORDINAL})\stime\s(?:that\s)?{_WE_TALKED}"), _nth),
    (
        re.compile(
            rf"{_BEFORE_NUMBERED}(?:{_NOUN})(?P<several>s)?\s(?:number\s|no\.?\s?|#\s?)?"
            rf"(?P<more>(?(several)(?:{_NUMBER},\s?){{0,6}}))(?P<first>{_NUMBER})(?!\s(?:hundred|thousand)\b)"
            rf"(?:,?\s?(?P<join>and|or|&|to|-|through)\s?(?:session\s)?(?P<last>{_NUMBER}){_UNITS})?{_UNITS}{_MONTH_BEHIND}"
            rf"{_OF_ALL}"
        ),
        _numbered,
    ),
    (
        re.compile(
            rf"{_SINCE}(?<!\bto[- ])(?<!second[- ])(?<!third[- ])"
            rf"\b(?:last|previous|prior|preceding|latest|most\srecent)\s{_NOUN}{_OURS}"
        ),
        _previous,
    ),
    (re.compile(rf"{_SINCE}\b(?:our|their)\s(?:last|previous|latest|most\srecent)\stalk{_OURS}"), _previous),
    (re.compile(rf"{_SINCE}\b(?:last|previous)\stime\s(?:that\s)?{_WE_TALKED}"), _previous),
    (re.compile(rf"{_SINCE}\bwe\slast\s{_TALKED}{_OURS}"), _previous),
    (
        re.compile(
            r"\bwe\s(?:talk(?:ed)?|speak|spoke|chat(?:ted)?|discuss(?:ed)?)(?:\sabout)?\s(?:the\s)?last\stime\b"
        ),
        _previous,
    ),
)
