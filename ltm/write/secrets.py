"""Find what must neither be remembered nor leave for a model: keys, passwords, card and identity numbers.

Phone numbers and e-mail addresses are contact details, not secrets: a user may well want them remembered.
"""

import re
from collections.abc import Iterator

from ltm.packs.folding import fold
from ltm.write.spans import Span, cut_out, merge_spans

REDACTED = "[redacted]"

_TOKEN = re.compile(
    r"-----begin [a-z ]{0,40}private key-----(?:[^-]|-(?!----)){0,8000}(?:-----end [a-z ]{0,40}private key-----)?"
    r"|\beyj[a-z0-9_-]{8,4000}\.[a-z0-9_-]{4,8000}(?:\.[a-z0-9_-]{0,4000})?"
    r"|(?<![a-z0-9])(?:sk|pk|rk)[-_][a-z0-9_-]{14,300}"
    r"|(?<![a-z0-9])(?:akia|asia)[0-9a-z]{16}(?![a-z0-9])"
    r"|(?<![a-z0-9])aiza[0-9a-z_-]{30,60}"
    r"|(?<![a-z0-9])(?:gh[pousr]_|github_pat_|glpat-|hf_|npm_|pypi-|xox[abeprs]-|ltai)[0-9a-z_-]{14,300}"
    r"|(?<=://)[^\s/:@]{1,100}:[^\s/@]{1,100}(?=@)"
)
_TRIGGER = re.compile(r"-----b|eyj|[spr]k[-_]|a[ks]ia|aiza|gh[pousr]_|github_|glpat|hf_|npm_|pypi-|xox|ltai|://")
_LABEL = re.compile(
    "密|口令|验证码|私钥|证|护照|社保|卡|cvv|pass|pwd|pin|verif|key|secret|token|bearer|ssn|social|id |card"
)
"""What every label has; most texts have none and need no closer look."""

_LABELLED = re.compile(
    r"(?:密码|口令|验证码|密钥|私钥|passwords?|passwd|passcode|pwd|pin code|verification code"
    r"|api[ _-]?key|secret(?:[ _-]key)?|access[ _-](?:key|token)|auth token)"
    r"[^\S\n]{0,3}(?P<link>就?是|为|[改设换][成为]了?|[:=：]\s{0,3}|(?:is|was)(?:\snow)?\b|'s\b)[^\S\n]{0,3}"
    r"['\"“‘]?((?<=['\"])[^'\"\n]{4,100}(?=['\"])|[!-~]{3,200}[!#-&*+/-9<-~-])"
)
_CODE = re.compile(
    r"(?:验证码|\bpin(?:\scode|\snumber)?\b)[^\S\n]{0,3}(?:是|为|[:=：]|(?:is|was)\b)?[^\S\n]{0,3}(\d{4,8})(?![\d%])"
)
_CREDENTIAL = re.compile(r"\b(?:token|bearer)\s?[:=]?\s?((?=[a-z_-]{0,40}\d)[a-z0-9._~+/=-]{16,400})")
_LABELLED_NUMBER = re.compile(
    r"(?:身份证|护照|社保|银行卡|信用卡|储蓄卡|卡号|(?P<short>cvv)|\bssn\b|social security|passport"
    r"|id (?:card|number)|card number)"
    r"[^\d\n。;；]{0,12}?([a-z]{0,2}\d[\d -]{1,30}[\dx])"
)
_NO_NUMBER = re.compile(r"\d{4}-\d{1,2}(?:-\d{1,2})?|\d{3,6} ?- ?\d{3,6}")
"""A date, or from one amount to another."""
_LEAST_DIGITS, _LEAST_DIGITS_CVV = 6, 3
_SSN = re.compile(r"(?<![\d-])\d{3}-\d{2}-\d{4}(?![\d-])")
_DIGITS = re.compile(r"(?<![\d.])(?<![a-z0-9]-)\d(?:[ -]?\d){11,18}[x]?(?!\d)(?!-[a-z0-9])")
"""Not a piece of something longer with dashes, as of a UUID."""
_NUMBER = re.compile(r"\d[\d -]{1,30}[\dx]")
"""What every number of worth has; short numbers are no secrets."""

_ID_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
"""Weights of the check character of a resident identity number (GB 11643-1999)."""


def find_secrets(text: str) -> tuple[Span, ...]:
    """Return where secrets stand in a text, in order, merged where they overlap."""
    folded = fold(text)
    return merge_spans(Span(*folded.span(span.start, span.end)) for span in _found(folded.text))


def holds_secret(folded: str) -> bool:
    """Tell whether there is a secret in a folded text."""
    return next(_found(folded), None) is not None


def redact(text: str) -> str:
    """Return the text with every secret replaced by `[redacted]`."""
    return cut_out(text, find_secrets(text), REDACTED)


def _found(folded: str) -> Iterator[Span]:
    if _TRIGGER.search(folded):
        yield from (Span(*match.span()) for match in _TOKEN.finditer(folded))
    is_labelled = _LABEL.search(folded) is not None
    for match in _LABELLED.finditer(folded) if is_labelled else ():
        if not match["link"].endswith(("is", "was", "now", "'s")) or _looks_random(match[2]):
            yield Span(*match.span(2))
    for pattern in (_CODE, _CREDENTIAL) if is_labelled else ():
        yield from (Span(*match.span(1)) for match in pattern.finditer(folded))
    if _NUMBER.search(folded):
        if is_labelled:
            yield from (Span(*match.span(2)) for match in _LABELLED_NUMBER.finditer(folded) if _is_long_enough(match))
        yield from (Span(*match.span()) for match in _SSN.finditer(folded))
        yield from (Span(*match.span()) for match in _DIGITS.finditer(folded) if _is_number_of_worth(match[0]))


def _looks_random(word: str) -> bool:
    """Tell `hunter2` from `wrong`: after "is" an ordinary word is no password."""
    return any(not char.isalpha() for char in word.replace(" ", "").rstrip(".,!?"))


def _is_long_enough(match: re.Match[str]) -> bool:
    """Tell the number of a passport from the year in which it expires, and that of a card from what it was charged."""
    digits = sum(char.isdigit() for char in match[2])
    least = _LEAST_DIGITS if match["short"] is None else _LEAST_DIGITS_CVV
    return digits >= least and _NO_NUMBER.fullmatch(match[2]) is None


def _is_number_of_worth(written: str) -> bool:
    digits = written.replace(" ", "").replace("-", "")
    if len(digits) == 18 and _is_identity_number(digits):
        return True
    return digits.isdigit() and 13 <= len(digits) <= 19 and digits[0] in "23456" and _passes_luhn(digits)


def _is_identity_number(digits: str) -> bool:
    if not (digits[:17].isascii() and digits[:17].isdigit()) or not 1 <= int(digits[10:12]) <= 12:
        return False
    total = sum(int(digit) * weight for digit, weight in zip(digits[:17], _ID_WEIGHTS, strict=True))
    return "10x98765432"[total % 11] == digits[17]


def _passes_luhn(digits: str) -> bool:
    total = 0
    for position, char in enumerate(reversed(digits)):
        digit = int(char) * (2 if position % 2 else 1)
        total += digit - 9 if digit > 9 else digit
    return total % 10 == 0
