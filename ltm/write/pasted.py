"""Find what a user passes on in a turn: quotations, forwarded and pasted text, code, our own memory block."""

import re
from collections.abc import Iterator

from ltm.write.marks import Marks
from ltm.write.spans import Span

SHORT_QUOTE = 8
"""Up to so many characters in quotation marks are a term ('data analyst'), unless somebody is being quoted."""

LEAST_PASTED_LINES = 2
"""So many lines in front of a question about "this" are something pasted."""

_QUOTED = re.compile(r'"([^"]{1,4000})"')
_OPEN_QUOTE = re.compile(r':\s{0,4}"')
_LABEL = re.compile(
    r"(?:^|(?<=[\n\s\"'{\[(>|]))(?:system|assistant|developer|user|human|ai|bot|gpt|chatgpt|系统|系统提示|助手|用户|客服|面试官|hr|q|a)"
    r"\"?\s{0,3}:(?!//)"
)
_FENCE = re.compile(r"'''.{0,20000}?(?:'''|\Z)", re.DOTALL)
"""Code fences; folding makes straight quotes of backticks."""
_TAG = re.compile(r"</?[a-z_!][\w:-]{0,40}[^<>\n]{0,200}>|<\|[^\n|]{1,40}\|>|\{\{[^\n}]{0,80}\}\}|\]\]>|\[/?inst\]")
_JSON_MEMBER = re.compile(r'"[\w .-]{1,60}"\s{0,4}:\s{0,4}["\d\[{tfn-]')
_REMEMBERED = re.compile(r"\((?:用户于.{1,20}?提及|mentioned in [^()]{3,30})\)")
_MEMORY_BLOCK = re.compile(r"<user_memory>.{0,100000}?(?:</user_memory>|\Z)", re.DOTALL)
_PASSED_ON_LINE = re.compile(r"\s{0,20}(?:>|-{2,}\s?(?:original message|forwarded)|begin forwarded|fwd?:|转发)")
_SPEAKER_LINE = re.compile(
    r"(?:^|(?<=\n))(?!\d)[^\n:]{1,24}?\s{1,4}(?:\d{2,4}[-/.]\d{1,2}[-/.]?\d{0,4}\s)?(?:[ap]m\s)?\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]m)?\s{0,3}(?:\n|:)"
    r"|(?:^|(?<=\n))\[[^\]\n]{4,24}\]\s{0,3}[^\n:]{1,24}:"
)
"""A name and a time, as chat programs copy them."""
_LINE_LABEL = re.compile(r"(?:^|(?<=\n))\s{0,4}([^\s:\d][^\n:]{0,11}?)\s{0,2}:(?!//)")
_RULE = re.compile(r"[\s\-=_*—~.]{3,}$")


def passed_on(marks: Marks) -> list[Span]:
    """Return the ranges of the text that are not the user's own words, in order; they may overlap."""
    text = marks.text
    found = [*_quotations(marks), *_introduced(marks), *_adverts(marks)]
    if "\n" in text:
        found += _pointed_at(marks)
    if "<" in text or "{" in text or "[" in text or "]" in text or "'''" in text:
        found += (*_markup(text), *remembered(text))
    elif "(" in text:
        found += remembered(text)
    if ":" in text or ">" in text or "转发" in text:
        found += (*_dialogue(text), *_lines(text, _PASSED_ON_LINE))
    return sorted(found)


def remembered(folded: str) -> list[Span]:
    """Return where a block of recalled memories, or lines of one, were put into the text."""
    blocks = [Span(*match.span()) for match in _MEMORY_BLOCK.finditer(folded)]
    lines = (Span(*_line_around(folded, match.start())) for match in _REMEMBERED.finditer(folded))
    return [*blocks, *lines]


def _quotations(marks: Marks) -> Iterator[Span]:
    """What stands in quotation marks, where it is longer than a term or somebody is said to say it."""
    text = marks.text
    if '"' not in text:
        return
    for match in _QUOTED.finditer(text):
        inner = match[1].strip()
        before = Span(max(0, match.start() - 30), match.start())
        is_said = text[: match.start()].rstrip().endswith((":", ",")) or marks.has("speech", before)
        if (len(inner) > SHORT_QUOTE and not _is_words(inner)) or is_said:
            yield Span(match.start(1), match.end(1))
    if text.count('"') % 2:
        yield from (Span(match.end(), len(text)) for match in _OPEN_QUOTE.finditer(text))


def _is_words(inner: str) -> bool:
    """Tell a name in quotation marks (`senior data engineer`) from a sentence."""
    return inner.isascii() and inner.count(" ") < 3 and not inner.startswith(("i ", "we "))


def _introduced(marks: Marks) -> Iterator[Span]:
    """What follows "the original words:", as far as the paragraph goes."""
    for mark in marks.all("quoting"):
        end = marks.text.find("\n\n", mark.end)
        if not marks.text[mark.end :].lstrip(" \n").startswith('"'):
            yield Span(mark.end, len(marks.text) if end < 0 else end)


def _markup(text: str) -> Iterator[Span]:
    yield from (Span(*match.span()) for match in _FENCE.finditer(text))
    tags = list(_TAG.finditer(text))
    if tags:
        yield Span(_line_around(text, tags[0].start()).start, _line_around(text, tags[-1].end() - 1).end)
    members = list(_JSON_MEMBER.finditer(text))
    if members:
        first, last = members[0].start(), members[-1].end()
        closing = max(text.rfind("}", last), text.rfind("]", last))
        yield Span(max(0, first - 4), max(last, closing + 1, _line_around(text, last - 1).end))


def _dialogue(text: str) -> Iterator[Span]:
    """A transcript, from its first label on: nobody begins their own words with a role, or twice with one name."""
    label = _LABEL.search(text) or _SPEAKER_LINE.search(text)
    if label is not None:
        yield Span(label.start(), len(text))
    names = list(_LINE_LABEL.finditer(text))
    if len({name[1] for name in names}) < len(names):
        yield Span(names[0].start(), len(text))


def _lines(text: str, pattern: re.Pattern[str]) -> Iterator[Span]:
    for line in _split_lines(text):
        if pattern.match(text, line.start, line.end):
            yield line


def _adverts(marks: Marks) -> Iterator[Span]:
    """The lines of a job advert: from the first heading to the last, and what hangs on them.

    Its labels (`薪资：`) alone make an advert unless a form's are among them (`姓名：`). Lines in which the user speaks
    of themselves are none of it.
    """
    strong = marks.all("advert")
    weak = marks.all("advert_label") if strong or ":" in marks.text else []
    if not strong and (len(weak) < 2 or marks.all("form_label")):
        return
    lines = list(_split_lines(marks.text))
    is_own = [marks.has("self", line) and not marks.has("advert", line) for line in lines]
    is_marked = [
        not own and (marks.has("advert", line) or marks.has("advert_label", line))
        for own, line in zip(is_own, lines, strict=True)
    ]
    if True not in is_marked:
        return
    first, last = is_marked.index(True), len(lines) - 1 - is_marked[::-1].index(True)
    while first > 0 and _hangs_on(marks, lines[first - 1]):
        first -= 1
    while last + 1 < len(lines) and _hangs_on(marks, lines[last + 1]):
        last += 1
    yield from (line for line, own in zip(lines[first : last + 1], is_own[first : last + 1], strict=True) if not own)


def _pointed_at(marks: Marks) -> Iterator[Span]:
    """The lines that somebody pastes and then asks about ("is this one any good?"), but those about themselves."""
    lines = [line for line in _split_lines(marks.text) if marks.text[line.start : line.end].strip()]
    asks = [
        ("?" in marks.text[line.start : line.end] or marks.has("question", line)) and marks.has("pointing", line)
        for line in lines
    ]
    if len(lines) > LEAST_PASTED_LINES and asks[-1]:
        yield from (
            line for line, is_asking in zip(lines, asks, strict=True) if not is_asking and not marks.has("self", line)
        )


def _hangs_on(marks: Marks, line: Span) -> bool:
    words = marks.text[line.start : line.end]
    return bool(words.strip()) and not _RULE.match(words) and "?" not in words and not marks.has("self", line)


def _split_lines(text: str) -> Iterator[Span]:
    start = 0
    while start <= len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        yield Span(start, end)
        start = end + 1


def _line_around(text: str, offset: int) -> Span:
    end = text.find("\n", offset)
    return Span(text.rfind("\n", 0, offset) + 1, len(text) if end < 0 else end)
