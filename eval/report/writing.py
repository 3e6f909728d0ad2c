"""A report as files."""

from pathlib import Path

from pydantic import TypeAdapter

from eval.report.markdown import to_markdown
from eval.report.page import to_html
from eval.report.values import Report


def write_report(report: Report, folder: Path) -> list[Path]:
    """Write `report.json`, `report.md` and `report.html`, and return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    contents = {
        "report.json": TypeAdapter(Report).dump_json(report, indent=1).decode() + "\n",
        "report.md": to_markdown(report),
        "report.html": to_html(report),
    }
    paths = []
    for name, content in contents.items():
        path = folder / name
        path.write_text(content, encoding="utf-8")
        paths.append(path)
    return paths
