"""The patterns of packs: put together, checked so that none can run away on hostile text, compiled when needed."""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from ltm.errors import PackError
from ltm.packs.pattern_tree import Choice, Group, Other, Repeat, Tree, parse_pattern

MAX_NESTED_REPEATS = 400
"""Upper bound on the product of nested repetition counts, e.g. `(?:a{1,10}b){1,8}` has 80."""

_FRAGMENT = re.compile(r"\{([a-z][a-z0-9_]*)\}")


def expand(pattern: str, fragments: Mapping[str, str], *, where: str) -> str:
    """Replace each `{name}` by the fragment of that name, as a group; fragments may use fragments.

    Raises:
        PackError: A fragment is not declared, or they use each other in a circle.
    """
    for _ in range(8):
        expanded = _FRAGMENT.sub(lambda match: _fragment(match.group(1), fragments, where), pattern)
        if expanded == pattern:
            return pattern
        pattern = expanded
    raise PackError(f"{where}: fragments are nested more than eight deep, or use each other in a circle")


def check_pattern(pattern: str, *, where: str) -> None:
    """Refuse a pattern that is no regular expression or that hostile text could make run for seconds.

    Raises:
        PackError: It is not valid, has an unbounded repetition (`*`, `+`, `{2,}`), or nests repetitions too deeply; or
            this Python offers no way to tell.
    """
    try:
        tree = parse_pattern(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise PackError(f"{where}: not a regular expression: {error}") from error
    if tree is None:
        raise PackError(f"{where}: this Python offers no parser of patterns, so nothing says that it is bounded")
    _check_repeats(tree, 1, where)


@lru_cache(maxsize=8192)
def compiled(pattern: str) -> re.Pattern[str]:
    """Return the compiled pattern. The first use of a large one takes some milliseconds, so nobody does it ahead."""
    return re.compile(pattern)


def any_of(terms: Iterable[str]) -> str:
    """Return a pattern for any of these literal terms, the longest first; Latin ones only as whole words."""
    groups: dict[tuple[bool, bool], list[str]] = {}
    for term in sorted(set(terms), key=lambda term: (-len(term), term)):
        groups.setdefault((_is_latin(term[:1]), _is_latin(term[-1:])), []).append(re.escape(term))
    # Terms of both scripts come first, so that `ui` does not hide `ui设计`.
    ordered = sorted(groups.items(), key=lambda group: group[0][0] == group[0][1])
    return "|".join(_whole("|".join(words), *ends) for ends, words in ordered)


def _whole(words: str, starts_latin: bool, ends_latin: bool) -> str:
    before = r"(?<![a-z0-9])" if starts_latin else ""
    after = r"(?![a-z0-9])" if ends_latin else ""
    return f"{before}(?:{words}){after}"


def _is_latin(character: str) -> bool:
    return character.isascii() and character.isalnum()


def _fragment(name: str, fragments: Mapping[str, str], where: str) -> str:
    if name not in fragments:
        raise PackError(f"{where}: no fragment {name!r}; declared are {', '.join(sorted(fragments)) or 'none'}")
    return f"(?:{fragments[name]})"


def _check_repeats(tree: Tree, product: int, where: str) -> None:
    for node in tree:
        if isinstance(node, Repeat):
            if node.high is None:
                raise PackError(f"{where}: unbounded repetition; write {{0,40}} for *, {{1,40}} for +")
            if product > 1 and product * node.high > MAX_NESTED_REPEATS:
                raise PackError(f"{where}: nested repetitions multiply to more than {MAX_NESTED_REPEATS}")
            _check_repeats(node.body, product * max(node.high, 1), where)
        elif isinstance(node, Group):
            _check_repeats(node.body, product, where)
        elif isinstance(node, Choice | Other):
            for body in node.branches if isinstance(node, Choice) else node.bodies:
                _check_repeats(body, product, where)
