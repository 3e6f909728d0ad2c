"""Compile the patterns of packs, and refuse those that could run away on hostile text."""

import re
from collections.abc import Iterable, Mapping
from re import _constants, _parser  # type: ignore[attr-defined]

from ltm.errors import PackError

MAX_NESTED_REPEATS = 400
"""Upper bound on the product of nested repetition counts, e.g. `(?:a{1,10}b){1,8}` has 80."""

_FRAGMENT = re.compile(r"\{([a-z][a-z0-9_]*)\}")
_REPEATS = (_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT)


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


def compile_pattern(pattern: str, *, where: str) -> re.Pattern[str]:
    """Compile a pattern whose every repetition is bounded.

    Raises:
        PackError: It is no valid regular expression, has an unbounded repetition (`*`, `+`, `{2,}`), or nests
            repetitions so deeply that hostile text could make it run for seconds.
    """
    try:
        tree = _parser.parse(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise PackError(f"{where}: not a regular expression: {error}") from error
    _check_repeats(tree, 1, where)
    return re.compile(pattern)


def any_of(terms: Iterable[str]) -> str:
    """Return a pattern for any of these literal terms, the longest first; Latin ones only as whole words."""
    parts = (_literal(term) for term in sorted(set(terms), key=lambda term: (-len(term), term)))
    return "|".join(parts)


def _literal(term: str) -> str:
    before = r"(?<![a-z0-9])" if term[:1].isascii() and term[:1].isalnum() else ""
    after = r"(?![a-z0-9])" if term[-1:].isascii() and term[-1:].isalnum() else ""
    return f"{before}{re.escape(term)}{after}"


def _fragment(name: str, fragments: Mapping[str, str], where: str) -> str:
    if name not in fragments:
        raise PackError(f"{where}: no fragment {name!r}; declared are {', '.join(sorted(fragments)) or 'none'}")
    return f"(?:{fragments[name]})"


def _check_repeats(node: object, product: int, where: str) -> None:
    if isinstance(node, _parser.SubPattern | list | tuple):
        items = list(node)
        if len(items) == 2 and items[0] in _REPEATS:
            _low, high, body = items[1]
            if high is _constants.MAXREPEAT:
                raise PackError(f"{where}: unbounded repetition; write {{0,40}} for *, {{1,40}} for +")
            if product * high > MAX_NESTED_REPEATS and product > 1:
                raise PackError(f"{where}: nested repetitions multiply to more than {MAX_NESTED_REPEATS}")
            _check_repeats(body, product * max(high, 1), where)
            return
        for item in items:
            _check_repeats(item, product, where)
