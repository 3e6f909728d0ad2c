"""The benchmark's table as Markdown."""

from collections.abc import Sequence

from eval.report.markdown import table
from ltm.commands.figures import HEAD, Row


def to_markdown(title: str, rows: Sequence[Row]) -> str:
    """Return a heading and the table."""
    return "\n".join([f"## {title}", "", *table(HEAD, [row.cells for row in rows]), ""])
