"""The literals that a pattern cannot do without: where none of them is in a text, it need not be tried."""

from ltm.packs.pattern_tree import Choice, Group, Literal, Node, Repeat, Tree, parse_pattern

_MOST_LITERALS = 40


def needed_literals(pattern: str) -> tuple[str, ...]:
    """Return literals one of which is in every text that the pattern matches; nothing where that is not known."""
    return tuple(sorted(_of_all(parse_pattern(pattern) or ()) or ()))


def _of_all(tree: Tree) -> set[str] | None:
    """Return the most telling set of literals among the parts of a sequence."""
    choices: list[set[str]] = []
    run = ""
    for node in tree:
        if isinstance(node, Literal):
            run += node.char
            continue
        if run:
            choices.append({run})
        run = ""
        inner = _of_one(node)
        if inner:
            choices.append(inner)
    if run:
        choices.append({run})
    return max(choices, key=_telling, default=None)


def _of_one(node: Node) -> set[str] | None:
    if isinstance(node, Group):
        return _of_all(node.body)
    if isinstance(node, Repeat) and node.low > 0:
        return _of_all(node.body)
    if isinstance(node, Choice):
        parts = [_of_all(branch) for branch in node.branches]
        return {literal for part in parts for literal in part or ()} if all(parts) else None
    return None


def _telling(literals: set[str]) -> tuple[bool, int, int]:
    """Rank few, long literals over many short ones."""
    return len(literals) <= _MOST_LITERALS, min(map(len, literals)), -len(literals)
