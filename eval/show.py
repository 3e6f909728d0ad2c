"""Evaluations on the terminal."""

from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from eval.compare import LOWER_IS_BETTER, Comparison, Example
from eval.gates import Verdict
from eval.metrics.outcomes import Ingest
from eval.metrics.summary import Summary
from eval.report.values import AblationRow, SetReport
from eval.report.words import INJECTION, figure, skips
from eval.tune import OBJECTIVE, Tuned

_COLUMNS = ("recall@5", "recall@10", "MRR", "nDCG@10")


def show_ranking(sets: Sequence[SetReport], console: Console) -> None:
    """Print recall@5/10, MRR, nDCG@10, p50/p99 and ingest rate of every set and system."""
    table = Table(title="Ranking (no floor, no budget); times without the embedder")
    for name in ("set", "system", *_COLUMNS, "p50 ms", "p99 ms", "embed p50 ms", "ingest/s"):
        table.add_column(name, justify="left" if name in ("set", "system") else "right")
    for one in sets:
        for at, summary in enumerate(one.summaries):
            table.add_row(
                one.dataset if at == 0 else "",
                summary.system,
                *(figure(summary.figures.get(metric), metric) for metric in _COLUMNS),
                f"{summary.latency.p50:.2f}",
                f"{summary.latency.p99:.2f}",
                f"{summary.latency.embed_p50:.1f}" if summary.latency.embed_p50 else "cached",
                _rate(one.ingest) if at == 0 else "",
                style="bold" if at == 0 else "",
                end_section=at == len(one.summaries) - 1,
            )
    console.print(table)
    for one in sets:
        console.print(f"{one.dataset}: {one.summaries[0].queries} queries; {skips(one.summaries[0])}{_refusals(one)}")


def show_injection(sets: Sequence[SetReport], console: Console) -> None:
    """Print what goes into the prompt at the library's defaults."""
    table = Table("set", "system", title="Injection (defaults)")
    for name in INJECTION:
        table.add_column(name, justify="right")
    for one in sets:
        for summary in one.summaries:
            if "tokens" in summary.figures:
                cells = (figure(summary.figures.get(metric), metric) for metric in INJECTION)
                table.add_row(one.dataset, summary.system, *cells)
    console.print(table)


def show_categories(summary: Summary, console: Console) -> None:
    """Print one system's figures by category, where there are several."""
    if len(summary.by_category) < 2:
        return
    table = Table("category", title=f"{summary.dataset}: {summary.system} by category")
    metrics = ("recall@5", "recall@10", "MRR", "within@300", "false_injection")
    for name in metrics:
        table.add_column(name, justify="right")
    for category, figures in summary.by_category.items():
        table.add_row(category, *(f"{figures[name]:.3f}" if name in figures else "–" for name in metrics))
    console.print(table)


def show_comparisons(comparisons: Sequence[Comparison], names: tuple[str, str], console: Console) -> None:
    """Print, set by set, the differences with intervals and tests, then examples side by side."""
    for found in comparisons:
        _show_comparison(found, names, console)


def _show_comparison(found: Comparison, names: tuple[str, str], console: Console) -> None:
    table = Table(
        "metric", "difference", "95 %", "p", "wins", "losses", title=f"{found.dataset}: {names[0]} minus {names[1]}"
    )
    for metric, gap in found.differences.items():
        better = gap.low > 0 if metric not in LOWER_IS_BETTER else gap.high < 0
        worse = gap.high < 0 if metric not in LOWER_IS_BETTER else gap.low > 0
        table.add_row(
            metric,
            Text(f"{gap.mean:+.4f}", style="green" if better else "red" if worse else ""),
            f"{gap.low:+.4f} to {gap.high:+.4f}",
            f"{gap.p_value:.4f}",
            str(gap.wins),
            str(gap.losses),
        )
    console.print(table)
    for title, examples in (("won", found.wins), ("lost", found.losses)):
        for example in examples:
            console.print(_side_by_side(title, example, names))


def show_ablation(rows: Sequence[AblationRow], console: Console) -> None:
    """Print what each term is worth: negative differences are losses when it is off."""
    table = Table("set", "term off", "metric", "difference", "95 %", "p", title="Terms off")
    for row in rows:
        gap = row.difference
        table.add_row(
            row.dataset,
            row.term,
            row.metric,
            Text(f"{gap.mean:+.4f}", style="red" if gap.high < 0 else "green" if gap.low > 0 else ""),
            f"{gap.low:+.4f} to {gap.high:+.4f}",
            f"{gap.p_value:.4f}",
        )
    console.print(table)


def show_verdicts(verdicts: Sequence[Verdict], console: Console) -> None:
    """Print every gate with its figure."""
    table = Table("set", "metric", "bound", "figure", "", title="Gates")
    for verdict in verdicts:
        figure_text = "not run" if verdict.figure is None else f"{verdict.figure:.4f}"
        mark = Text("passed over", style="yellow") if verdict.figure is None else Text("holds", style="green")
        mark = Text("BROKEN", style="bold red") if verdict.is_broken else mark
        table.add_row(verdict.gate.set, verdict.gate.metric, verdict.gate.words, figure_text, mark)
    console.print(table)


def show_tuning(found: Tuned, profile: str, console: Console) -> None:
    """Print what was tried on the train users, the weights that won, and the proof on the test users."""
    table = Table("changes", "objective", title=f"Train users: mean {OBJECTIVE} over the sets, best first")
    for tried in sorted(found.tried, key=lambda one: -one.objective)[:12]:
        table.add_row(_changes(tried.changes), f"{tried.objective:.4f}")
    console.print(table)
    console.print(f"best: {_changes(found.changes)}, of {len(found.tried)} profiles tried")
    show_comparisons(found.proofs, ("tuned", profile), console)


def _changes(changes: Mapping[str, float]) -> str:
    return ", ".join(f"{weight} = {value:g}" for weight, value in changes.items()) or "as it is"


def _side_by_side(title: str, example: Example, names: tuple[str, str]) -> Table:
    table = Table(*names, title=Text(f"{title} {example.gap:+.2f}: {example.intent}"), title_justify="left")
    for at in range(max(len(example.ours), len(example.theirs))):
        table.add_row(*(_cell(part[at]) if at < len(part) else "" for part in (example.ours, example.theirs)))
    return table


def _cell(found: tuple[str, bool]) -> Text:
    text, is_relevant = found
    return Text(f"{'✓ ' if is_relevant else ''}{text[:100]}", style="green" if is_relevant else "")


def _rate(ingest: Ingest | None) -> str:
    if ingest is None or ingest.count == 0:
        return "–"
    return f"{ingest.count / max(ingest.seconds - ingest.embed_seconds, 1e-9):.0f}"


def _refusals(one: SetReport) -> str:
    if one.ingest is None or not one.ingest.refused:
        return ""
    first = next(iter(one.ingest.refused.items()))
    return f"; {len(one.ingest.refused)} memories refused, e.g. {first[0]}: {first[1]}"
