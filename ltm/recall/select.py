"""From the ranking to the lines of the block: near-duplicates, token budget, limit."""

from dataclasses import dataclass
from itertools import islice

from ltm.models import Lang
from ltm.recall import render
from ltm.recall.columns import Remembered
from ltm.recall.duplicates import Better
from ltm.recall.question import Question
from ltm.recall.rank import Ranked
from ltm.recall.tokens import count_tokens

_SHORTEST_LINE = 6
"""Tokens of a line without text: `- `, the annotation, the line break. Nothing shorter is worth rendering."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A chosen memory.

    Attributes:
        at: Its position in the pool.
        tokens: Length of its line, line break included.
    """

    at: int
    memory: Remembered
    text: str
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """What goes into the block, best first, and how many were left out for which reason."""

    frame: render.Frame
    lines: tuple[Line, ...]
    duplicate: int
    budget: int
    limit: int


def select(ranked: Ranked, question: Question, *, token_budget: int | None, limit: int, overlap: float) -> Selection:
    """Choose greedily, best first, until `limit` lines are chosen; what follows counts as left out by the limit.

    A line that does not fit into what is left of the budget is passed over, a shorter one behind it may still fit.
    Header and footer count; so the block is never longer than the budget, and where not even they fit it is empty.
    """
    memories = ranked.pool.memories
    order = ranked.order.tolist()
    frame = render.frame(_majority([memories[at].text for at in islice(order, limit)], question.lang))
    left = None if token_budget is None else token_budget - count_tokens(frame.header) - count_tokens(frame.footer)
    better = Better(overlap=overlap)
    lines: list[Line] = []
    duplicate = budget = seen = 0
    for at in order:
        if len(lines) == limit:
            break
        seen += 1
        memory = memories[at]
        if better.say(memory):
            duplicate += 1
            continue
        line = None if left is not None and left < _SHORTEST_LINE else _line(at, memory, question)
        if line is None or (left is not None and line.tokens > left):
            budget += 1
            continue
        lines.append(line)
        better.add(memory)
        left = None if left is None else left - line.tokens
    return Selection(frame=frame, lines=tuple(lines), duplicate=duplicate, budget=budget, limit=len(order) - seen)


def _line(at: int, memory: Remembered, question: Question) -> Line:
    text = render.line(memory.text, memory.valid_from, now=question.now, zone=question.zone)
    return Line(at=at, memory=memory, text=text, tokens=count_tokens(text))


def _majority(texts: list[str], asked_in: Lang) -> Lang:
    """Return the language of most texts, the intent's where there is no majority."""
    chinese = sum(render.lang_of(text) is Lang.ZH for text in texts)
    if 2 * chinese == len(texts):
        return asked_in
    return Lang.ZH if 2 * chinese > len(texts) else Lang.EN
