"""The report as Markdown: tables for a merge request or a closing note."""

from collections.abc import Iterator, Sequence

from eval.metrics.summary import Summary
from eval.report.values import Report, SetReport
from eval.report.words import INJECTION, RANKING, figure, interval, skips
from eval.scenarios.results import add_up


def to_markdown(report: Report) -> str:
    """Return the report's tables."""
    parts = [f"# {report.title}", "", report.made_at, ""]
    for one in report.sets:
        parts.extend(_set(one))
    if report.ablation:
        parts.extend(_ablation(report))
    if report.stories:
        totals = add_up(report.stories)
        parts += [
            "## Stories", "",
            f"{totals.held} of {totals.stories} hold; pollution rate {totals.pollution_rate:.4f} over {totals.turns} "
            f"user turns; miss rate {totals.miss_rate:.4f}.", "",
        ]  # fmt: skip
        parts += [f"- {result.story_id}: {words}" for result in report.stories for words in result.failures]
    return "\n".join(parts).rstrip() + "\n"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the lines of a table; the first column is words, the others are figures."""
    yield f"| {' | '.join(head)} |"
    yield f"|---|{'---:|' * (len(head) - 1)}"
    yield from (f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows)


def _set(one: SetReport) -> Iterator[str]:
    first = one.summaries[0]
    yield from (f"## {one.dataset}", "", f"{one.memories} memories, {first.queries} queries; {skips(first)}.", "")
    metrics = (*RANKING, "p50 ms", "p99 ms")
    yield from table(("system", *metrics), [_row(summary) for summary in one.summaries])
    yield ""
    injecting = [summary for summary in one.summaries if "tokens" in summary.figures]
    if injecting:
        rows = [[s.system, *(_cell(s, metric) for metric in INJECTION)] for s in injecting]
        yield from table(("injected", *INJECTION), rows)
        yield ""
    categories = sorted({name for summary in one.summaries for name in summary.by_category})
    if len(categories) > 1:
        rows = [
            [name, *(_share(summary.by_category.get(name, {}).get("recall@10")) for summary in one.summaries)]
            for name in categories
        ]
        yield from table(("recall@10 by category", *(summary.system for summary in one.summaries)), rows)
        yield ""
    if one.ingest is not None:
        busy = max(one.ingest.seconds - one.ingest.embed_seconds, 1e-9)
        yield f"Ingest: {one.ingest.count / busy:.0f} memories/s without the embedder; {one.ingest.merged} merged, "
        yield f"{len(one.ingest.refused)} refused."
        yield ""


def _ablation(report: Report) -> Iterator[str]:
    yield from ("## Terms off", "")
    rows = [
        [row.dataset, row.term, row.metric, f"{row.difference.mean:+.4f}",
         f"{row.difference.low:+.4f} to {row.difference.high:+.4f}", f"{row.difference.p_value:.4f}"]
        for row in report.ablation
    ]  # fmt: skip
    yield from table(("set", "term off", "metric", "difference", "95 %", "p"), rows)
    yield ""


def _row(summary: Summary) -> list[str]:
    cells = [_cell(summary, metric) for metric in RANKING]
    return [summary.system, *cells, f"{summary.latency.p50:.2f}", f"{summary.latency.p99:.2f}"]


def _cell(summary: Summary, metric: str) -> str:
    found = summary.figures.get(metric)
    within = interval(found, metric)
    return f"{figure(found, metric)} ({within})" if within else figure(found, metric)


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
