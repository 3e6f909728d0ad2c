"""Print the largest files and functions and fail where one is above the limits.

Limits: 250 lines a file, 40 lines of code a function (its docstring not counted), three levels of nesting.
What was discussed and stays larger is named with its reason under `[tool.ltm.size]` in pyproject.toml.

    python .ci/size_report.py ltm indexing eval
"""

import ast
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FILE_LINES = 250
FUNCTION_LINES = 40
DEPTH = 3
SHOWN = 8
NO_NAMES = {"utils.py", "helpers.py", "common.py", "manager.py", "base.py"}
BLOCKS = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.Match)
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """One figure: what was measured, how large it is, how large it may be."""

    name: str
    what: str
    size: int
    limit: int


def measure_file(path: Path) -> Iterator[Measure]:
    """Yield the measures of one file: its lines, then lines and depth of every function in it."""
    source = path.read_text(encoding="utf-8")
    yield Measure(name=str(path), what="lines", size=source.count("\n"), limit=FILE_LINES)
    for name, function in _functions(ast.parse(source), f"{path}:"):
        yield Measure(name=name, what="lines of code", size=_code_lines(function), limit=FUNCTION_LINES)
        yield Measure(name=name, what="levels", size=_depth(function), limit=DEPTH)


def _functions(node: ast.AST, prefix: str) -> Iterator[tuple[str, Function]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Function):
            yield f"{prefix}{child.name}", child
        if isinstance(child, Function | ast.ClassDef):
            yield from _functions(child, f"{prefix}{child.name}.")


def _code_lines(function: Function) -> int:
    last = function.end_lineno or function.lineno
    first = function.body[0]
    has_docstring = ast.get_docstring(function, clean=False) is not None
    docstring = (first.end_lineno or first.lineno) - first.lineno + 1 if has_docstring else 0
    return last - function.lineno + 1 - docstring


def _depth(node: ast.AST) -> int:
    children = [child for child in ast.iter_child_nodes(node) if not isinstance(child, Function | ast.ClassDef)]
    return max((_depth(child) + _opens_level(child, node) for child in children), default=0)


def _opens_level(child: ast.AST, parent: ast.AST) -> bool:
    is_elif = isinstance(child, ast.If) and isinstance(parent, ast.If) and child.col_offset == parent.col_offset
    return isinstance(child, BLOCKS) and not is_elif


def main(roots: list[str]) -> int:
    """Measure every Python file under the roots; return 1 where something is too large or badly named."""
    discussed = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["tool"].get("ltm", {}).get("size", {})
    paths = [path for root in roots for path in sorted(Path(root).rglob("*.py"))]
    measures = [measure for path in paths for measure in measure_file(path)]
    _print_largest(measures)
    too_large = [m for m in measures if m.size > m.limit and m.name not in discussed]
    faults = [f"{m.name}: {m.size} {m.what}, at most {m.limit}" for m in too_large]
    faults += [f"{path}: say in its name what it holds" for path in paths if path.name in NO_NAMES]
    faults += [f"{name}: no longer too large, take it off the list" for name in discussed.keys() - _names(measures)]
    for fault in faults:
        print(f"size: {fault}", file=sys.stderr)
    return 1 if faults else 0


def _names(measures: list[Measure]) -> set[str]:
    return {m.name for m in measures if m.size > m.limit}


def _print_largest(measures: list[Measure]) -> None:
    files = sorted(m.size for m in measures if m.what == "lines")
    if not files:
        return
    print(f"{len(files)} files, {sum(files)} lines, median {files[len(files) // 2]}")
    for what in ("lines", "lines of code", "levels"):
        largest = sorted((m for m in measures if m.what == what), key=lambda m: (-m.size, m.name))[:SHOWN]
        for m in largest:
            print(f"  {m.size:4} {what:13} {m.name}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or ["ltm"]))
