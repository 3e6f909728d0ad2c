"""What a regular expression is made of.

The standard library's parser is private to `re`, and only this module names it. A Python that lays it out differently
has no trees: whoever asks then gets None, and does without in a safe way.
"""

import re
from collections.abc import Iterable
from types import ModuleType
from typing import Any, NamedTuple, TypeAlias

_parser: ModuleType | None = getattr(re, "_parser", None)
_codes: ModuleType | None = getattr(re, "_constants", None)


class Literal(NamedTuple):
    """One character that stands for itself."""

    char: str


class Repeat(NamedTuple):
    """A body that occurs `low` to `high` times; `high` is None where nothing bounds it."""

    low: int
    high: int | None
    body: "Tree"


class Group(NamedTuple):
    """A body in parentheses."""

    body: "Tree"


class Choice(NamedTuple):
    """Branches, one of which occurs."""

    branches: "tuple[Tree, ...]"


class Other(NamedTuple):
    """Anything else: classes, anchors, looks ahead and behind, conditions; `bodies` is what is inside."""

    bodies: "tuple[Tree, ...]"


Node: TypeAlias = Literal | Repeat | Group | Choice | Other
Tree: TypeAlias = tuple[Node, ...]


def parse_pattern(pattern: str) -> Tree | None:
    """Return the nodes of a pattern in their order, or None where this Python's parser cannot be read.

    Raises:
        re.error: It is no regular expression; also OverflowError and RecursionError for absurd ones.
    """
    if _parser is None or _codes is None:
        re.compile(pattern)
        return None
    try:
        return _tree(_parser.parse(pattern), _codes)
    except (AttributeError, TypeError, ValueError):
        return None


def _tree(items: Iterable[tuple[Any, Any]], codes: Any) -> Tree:
    return tuple(_node(code, content, codes) for code, content in items)


def _node(code: Any, content: Any, codes: Any) -> Node:
    if code is codes.LITERAL:
        return Literal(chr(content))
    if code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
        low, high, body = content
        return Repeat(low, None if high is codes.MAXREPEAT else high, _tree(body, codes))
    if code is codes.SUBPATTERN:
        return Group(_tree(content[-1], codes))
    if code is codes.BRANCH:
        return Choice(tuple(_tree(branch, codes) for branch in content[1]))
    return Other(tuple(_tree(body, codes) for body in _bodies(code, content, codes)))


def _bodies(code: Any, content: Any, codes: Any) -> list[Any]:
    if code in (codes.ASSERT, codes.ASSERT_NOT):
        return [content[1]]
    if code is codes.ATOMIC_GROUP:
        return [content]
    if code is codes.GROUPREF_EXISTS:
        return [part for part in content[1:] if part is not None]
    return []
