"""The words that amounts of money are said with, and patterns over folded text made of them."""

import re

from ltm.packs.values.numerals import DIGITS, HAN_NUMERAL

UNITS = {"k": 1e3, "thousand": 1e3, "grand": 1e3, "千": 1e3, "w": 1e4, "万": 1e4, "m": 1e6, "million": 1e6}
MARKS = {
    "hk$": "HKD",
    "s$": "SGD",
    "a$": "AUD",
    "c$": "CAD",
    "us$": "USD",
    "$": "USD",
    "€": "EUR",
    "£": "GBP",
    "¥": "CNY",
}
NAMES = {
    "CNY": ("人民币", "块钱", "元", "块", "rmb", "cny", "yuan"),
    "USD": ("美元", "美金", "刀", "usd", "dollars", "us dollars", "bucks"),
    "EUR": ("欧元", "eur", "euros", "euro"),
    "GBP": ("英镑", "gbp", "pounds", "quid"),
    "HKD": ("港币", "港元", "hkd"),
    "SGD": ("新币", "新加坡元", "sgd"),
    "JPY": ("日元", "jpy", "yen"),
    "AUD": ("澳元", "aud"),
    "CAD": ("加元", "cad"),
    "CHF": ("瑞士法郎", "瑞郎", "chf", "francs"),
    "INR": ("卢比", "inr", "rupees"),
}
CURRENCY_OF = {**MARKS, **{name: code for code, names in NAMES.items() for name in names}}
PERIODS = {
    "hour": r"时薪|[每一/]\s?(?:个)?小时|(?:an|per|each|every|/)\s?(?:hour|hr)\b|hourly",
    "day": r"日薪|[每一/]\s?天|(?:a|per|each|every|/)\s?day\b|daily",
    "week": r"周薪|[每一/]\s?周|(?:a|per|each|every|/)\s?(?:week|wk)\b|weekly",
    "month": r"月薪|月入|[每一/]\s?(?:个)?月|(?:a|per|each|every|/)\s?(?:month|mo)\b|monthly",
    "year": r"年薪|年包|年收入|[每一/]\s?年|(?:a|per|each|every|/)\s?(?:year|yr|annum)\b|annual(?:ly)?|yearly|p\.?a\b",
}

CODE = r"(?:usd|eur|gbp|cad|aud|chf|sgd|hkd|inr|jpy|cny|rmb)(?=\s?\d)"
MARK = rf"(?:hk|us|[sac])?\$|[€£¥]|{CODE}"
NAME = "|".join(
    sorted((n if not n.isascii() else rf"{n}(?![a-z])" for ns in NAMES.values() for n in ns), key=len)[::-1]
)
UNIT = r"k(?![a-z])|thousand|grand|million|w(?![a-z])|m(?![a-z])|千|万"
NUMBER = rf"(?:(?:{DIGITS})|{HAN_NUMERAL})"
TAIL = r"\d(?![\d.%年个岁])"
ONE = rf"(?:{MARK})?\s?{NUMBER}\s?(?:(?:{UNIT})(?:{TAIL})?)?(?:\s?(?:{NAME}))?"
JOIN = (
    r"(?:\s?(?:-{1,2}|~|至|到|to|and|or)\s?"
    r"|,?\s?(?:最高|最多|至多|顶多|上限|max(?:imum)?|up to|at most)(?:是|到|要|给)?\s?)"
)
EVERY = "|".join(PERIODS.values())
BEFORE = (
    r"至少|最少|最低|起码|不低于|不少于|不能低于|不能少于|别低于|不小于|低于|少于|给不到|达不到|没到|不到|"
    r"高于|超过|大于|不超过|不高于|最多|最高|顶多|"
    r"at (?:the very )?least|no less than|not less than|not below|not under|no lower than|minimum(?: of)?|min|"
    r"more than|over|above|nothing (?:below|under|less than)|"
    r"up to|at most|no more than|not more than|maximum(?: of)?|max|below|under|"
    r"less than|lower than|between|from|around|about|大概|大约|差不多"
)
REFUSED = r"(?:的)?(?:工作|岗位|岗)?(?:我)?(?:都|就|一律|一概)?(?:不|免谈|算了|没兴趣|别|勿扰|pass)"
BEHIND = (
    rf"(?:或|及)?以下{REFUSED}|以上|往上|起步|起|\+|或以上|or more|or above|and up|and above|minimum|or higher|plus|"
    r"以内|以下|封顶|min(?:imum)?(?![a-z])|max(?:imum)?(?![a-z])|or less|tops|左右|上下"
)
RANGE = rf"{ONE}{JOIN}{ONE}(?:\s?(?:{EVERY}))?"
"""A folded range without bounds, as a fragment for rules; it has no groups."""

AMOUNT = rf"{ONE}(?:{JOIN}{ONE})?(?:\s?(?:{EVERY}))?"
"""A folded amount or range without bounds, as a fragment for rules; it has no groups."""

MONEY = (
    rf"(?:(?:{BEFORE})\s?(?:(?:是|为|也?要|也?得|给我?|有|of)\s?){{0,2}})?(?:(?:{EVERY})\s?)?{ONE}(?:{JOIN}{ONE})?"
    rf"(?:\s?(?:{EVERY}))?(?:\s?(?:{BEHIND})(?:\s?(?:{NAME}))?)?(?:\s?(?:{EVERY}))?(?:,?\s(?:in\s)?(?:{NAME}))?"
)
"""A folded amount with bounds (`至少`, `以上`, `up to`), as a fragment for rules; it has no groups."""

FULL = re.compile(
    rf"(?:(?P<before>{BEFORE})\s?(?:(?:是|为|也?要|也?得|给我?|有|of)\s?){{0,2}})?(?:(?:{EVERY})\s?)?"
    rf"(?P<mark>{MARK})?\s?(?P<low>{NUMBER})\s?(?:(?P<unit>{UNIT})(?P<tail>{TAIL})?)?(?:\s?(?P<name>{NAME}))?"
    rf"(?:{JOIN}(?P<mark2>{MARK})?\s?(?P<high>{NUMBER})\s?(?:(?P<unit2>{UNIT})(?P<tail2>{TAIL})?)?"
    rf"(?:\s?(?P<name2>{NAME}))?)?(?:\s?(?:{EVERY}))?"
    rf"(?:\s?(?P<behind>{BEHIND})(?:\s?(?P<name3>{NAME}))?)?(?:\s?(?:{EVERY}))?(?:,?\s(?:in\s)?(?P<name4>{NAME}))?"
)
SMALL_PERIODS = ("hour", "day", "week")
"""Rates of which two digits are an amount: `时薪50`."""
PERIOD_WORDS = {period: re.compile(words) for period, words in PERIODS.items()}
MIN_BEFORE = re.compile(
    r"至少|最少|最低|起码|不低于|不少于|不能低于|不能少于|别低于|不小于|(?<!不)(?:高于|超过)|大于|"
    r"at (?:the very )?least|no less|not less|not below|not under|no lower|min|"
    r"(?<!no )(?<!not )more than|over|above|nothing"
)
MAX_BEFORE = re.compile(r"不超过|不高于|最多|最高|顶多|up to|at most|no more|not more|max")
UNCLEAR_BEFORE = re.compile(r"低于|少于|不到|没到|below|under|less than|lower than")
MIN_BEHIND = re.compile(rf"以下{REFUSED}|以上|往上|起|\+|or more|or above|and up|and above|min|or higher|plus")
NAMED_MIN = re.compile(r"(?<![a-z])min(?:imum)?(?![a-z])|最低|底线|floor|下限")
"""Names of what is asked for (`minimum salary`, `最低薪资`): the figure behind is the least."""
NAMED_MAX = re.compile(r"(?<![a-z])max(?:imum)?(?![a-z])|上限")
REFUSED_BEHIND = re.compile(r"以下")
"""`20k以下` is what is refused where a refusal stands in front of it: the figure is the least."""
MAX_BEHIND = re.compile(r"以内|以下|封顶|max|or less|tops")
REFUSING = re.compile(
    r"不会?再?考虑|拒绝|不接受|不看|不谈|不去|不接|不要|免谈|免聊|免开|算了|没兴趣|别找|别谈|别聊|别联系|别推|勿扰|"
    r"won't|wouldn't|will not|would not|don't|do not|"
    r"can't|cannot|not (?:consider|accept|take|interested)|no go|a no\b|never"
)
