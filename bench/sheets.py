"""The comparison as tables, on the terminal and as Markdown."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rich.table import Table

from bench.adapters import OURS
from bench.values import Comparison, Quality, Speed
from eval.bench.markdown import to_markdown as rows_to_markdown
from eval.report.markdown import table as markdown_table
from eval.report.words import figure, interval
from ltm.commands.figures import Row, at_least

_METRIC = "recall@10"
_AIMED_AT, _AIM_SIZE, _AIM_SET = "mem0", 20_000, "locomo"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One table; the first column is words."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]


def at_a_glance(found: Comparison) -> Sheet:
    """Return the table for a hurried reader: quality on every set, and speed at the largest size."""
    sets = _distinct(one.dataset for one in found.quality)
    largest = max((one.memories for one in found.speed), default=0)
    by_set = {(one.dataset, one.system): one for one in found.quality}
    at_largest = {one.system: one for one in found.speed if one.memories == largest}
    rows = [
        [
            about.system,
            *(_mean(by_set.get((name, about.system))) for name in sets),
            *_speed_cells(at_largest.get(about.system)),
        ]
        for about in found.systems
    ]
    head = ("", *(f"{_METRIC}, {name}" for name in sets), *_SPEED)
    return Sheet(title=f"At a glance (speed at {largest:,} memories)", head=head, rows=rows)


def quality_sheet(found: Comparison, dataset: str) -> Sheet:
    """Return one set's figures with their intervals and how far each system is behind the library."""
    own = [one for one in found.quality if one.dataset == dataset]
    rows = [[one.system, figure(one.recall, _METRIC), interval(one.recall, _METRIC), *_behind(one)] for one in own]
    queries = own[0].recall.count
    head = ("system", _METRIC, "95 %", f"{OURS} ahead by, points", "95 %")
    return Sheet(title=f"{_METRIC} on {dataset} ({queries:,} queries)", head=head, rows=rows)


_SPEED = ("search p50", "p99", f"p50 against {OURS}", "adds/s", "peak RSS")


def speed_sheet(found: Comparison, memories: int) -> Sheet:
    """Return one size's figures."""
    own = [one for one in found.speed if one.memories == memories]
    rows = [[one.system, *_speed_cells(one)] for one in own]
    return Sheet(title=f"{memories:,} memories", head=("system", *_SPEED), rows=rows)


def systems_sheet(found: Comparison) -> Sheet:
    """Return what each system is, how it was set and where its figures end."""
    rows = [[about.system, about.packages, about.settings, about.limits] for about in found.systems]
    rows += [[name, "–", "left out", reason] for name, reason in found.left_out.items()]
    return Sheet(title="Systems", head=("system", "versions", "settings and calls", "to know"), rows=rows)


def sheets(found: Comparison) -> Iterator[Sheet]:
    """Yield every table, the short one first."""
    yield at_a_glance(found)
    for name in _distinct(one.dataset for one in found.quality):
        yield quality_sheet(found, name)
    for memories in sorted({one.memories for one in found.speed}):
        yield speed_sheet(found, memories)
    yield systems_sheet(found)


def aims(found: Comparison) -> list[Row]:
    """Return what the library means to show against mem0's default store, as far as it was measured."""
    faster = [one for one in found.speed if one.system == _AIMED_AT and one.memories == _AIM_SIZE]
    ahead = [one for one in found.quality if one.system == _AIMED_AT and _AIM_SET in one.dataset]
    rows = [
        at_least(
            f"{OURS}'s search p50, times faster than {_AIMED_AT}", one.slower, 50, size=f"{one.memories:,}", unit="×"
        )
        for one in faster
        if one.slower is not None
    ]
    rows += [
        at_least(
            f"{OURS}'s {_METRIC}, ahead of {_AIMED_AT}", one.behind.mean * 100, 15, size=one.dataset, unit="points"
        )
        for one in ahead
        if one.behind is not None
    ]
    missing = [("search p50", f"{_AIM_SIZE:,}", faster), (_METRIC, _AIM_SET, ahead)]
    return rows + [Row(name=name, size=size, value="not run") for name, size, done in missing if not done]


def to_rich(sheet: Sheet) -> Table:
    """Return a table for the terminal."""
    is_words = sheet.head[-1] == "to know"
    found = Table(title=sheet.title)
    for at, name in enumerate(sheet.head):
        found.add_column(name, justify="left" if at == 0 or is_words else "right", style="bold" if at == 0 else None)
    for row in sheet.rows:
        found.add_row(*row)
    return found


def to_markdown(found: Comparison) -> str:
    """Return the whole comparison as one page."""
    parts = ["# Peers in one run", "", found.made_at, ""]
    parts += [f"- {name}: {words}" for name, words in found.setup.items()]
    for sheet in sheets(found):
        parts += ["", f"## {sheet.title}", "", *markdown_table(sheet.head, sheet.rows)]
    return "\n".join([*parts, "", rows_to_markdown("Aims", aims(found))])


def _speed_cells(one: Speed | None) -> list[str]:
    if one is None:
        return ["–"] * len(_SPEED)
    stored = f"{one.adds_per_s:,.0f}"
    if one.search is None:
        stored += f" (too slow: {one.added:,} of {one.memories:,})"
        return ["–", "–", "–", stored, f"{one.peak_rss_mb:,.0f} MB"]
    return [
        _milliseconds(one.search.p50),
        _milliseconds(one.search.p99),
        "–" if one.slower is None else f"{one.slower:.{1 if one.slower >= 1 else 2}f} ×",
        stored,
        f"{one.peak_rss_mb:,.0f} MB",
    ]


def _milliseconds(value: float) -> str:
    return f"{value:.2f} ms" if value < 10 else f"{value:.0f} ms"


def _mean(one: Quality | None) -> str:
    return figure(one.recall if one is not None else None, _METRIC)


def _behind(one: Quality) -> list[str]:
    if one.behind is None:
        return ["", ""]
    gap = one.behind
    return [f"{gap.mean * 100:+.1f}", f"{gap.low * 100:+.1f} to {gap.high * 100:+.1f}"]


def _distinct(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))
