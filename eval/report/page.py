"""The report as one page: style, tables and plots inside it, nothing from the network."""

from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files

from eval.metrics.injection import BUDGETS
from eval.metrics.ranking import CUTOFFS
from eval.metrics.summary import Summary
from eval.report.svg import Interval, bar_chart, histogram, interval_chart, line_chart
from eval.report.values import AblationRow, Report, SetReport, Worst
from eval.report.words import INJECTION, MEANING, RANKING, figure, interval, skips
from eval.scenarios.results import Result, add_up


def to_html(report: Report) -> str:
    """Return the page; texts of memories and intents are escaped."""
    style = (files("eval.report") / "page.css").read_text(encoding="utf-8")
    body = [
        f"<h1>{escape(report.title)}</h1>",
        f"<p>{escape(report.made_at)}. Figures are means over queries with 95 % bootstrap intervals; "
        "ranking without floor and budget, injection with the library's defaults.</p>",
        *(part for one in report.sets for part in _set(one)),
        *_ablation(report),
        *(_stories(report.stories) if report.stories else ()),
        _meanings(),
        f"<footer>{escape('; '.join(f'{name}: {value}' for name, value in report.setup.items()))}</footer>",
    ]
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" '
        f'content="width=device-width, initial-scale=1"><title>{escape(report.title)}</title>'
        f"<style>{style}</style></head><body>{''.join(body)}</body></html>\n"
    )


def _set(one: SetReport) -> Iterator[str]:
    first = one.summaries[0]
    yield f"<h2>{escape(one.dataset)}</h2>"
    yield f'<p class="note">{one.memories} memories, {first.queries} queries; {escape(skips(first))}.</p>'
    yield _figures(one.summaries, RANKING, with_latency=True)
    injecting = [summary for summary in one.summaries if "tokens" in summary.figures]
    if injecting:
        yield _figures(injecting, INJECTION, with_latency=False)
    yield f'<div class="plots">{"".join(f"<figure>{plot}</figure>" for plot in _plots(one, injecting))}</div>'
    if one.worst:
        yield f"<h3>The worst {len(one.worst)} queries of {escape(first.system)}</h3>"
        yield _worst(one.worst)


def _plots(one: SetReport, injecting: Sequence[Summary]) -> Iterator[str]:
    curves = {
        s.system: [s.figures[f"recall@{k}"].mean for k in CUTOFFS] for s in one.summaries if "recall@1" in s.figures
    }
    yield line_chart("recall@k", [f"{k}" for k in CUTOFFS], curves)
    budgets = {
        s.system: [s.figures[f"within@{budget}"].mean for budget in BUDGETS]
        for s in injecting
        if f"within@{BUDGETS[0]}" in s.figures
    }
    if budgets:
        yield line_chart("relevant memories within a token budget", [f"{budget}" for budget in BUDGETS], budgets)
    categories = [name for name, part in one.summaries[0].by_category.items() if "recall@10" in part]
    if len(categories) > 1:
        bars = {
            s.system: [s.by_category.get(name, {}).get("recall@10", 0.0) for name in categories] for s in one.summaries
        }
        yield bar_chart("recall@10 by category", categories, bars)
    yield histogram("time of a ranking call, without the embedder", "ms", dict(one.latencies_ms))


def _figures(summaries: Sequence[Summary], metrics: Sequence[str], *, with_latency: bool) -> str:
    head = [*metrics, *(("p50 ms", "p99 ms") if with_latency else ())]
    cells = "".join(f'<th title="{escape(MEANING.get(name, ""), quote=True)}">{escape(name)}</th>' for name in head)
    rows = "".join(_figure_row(summary, metrics, at == 0, with_latency) for at, summary in enumerate(summaries))
    return f'<div class="wide"><table><thead><tr><th>system</th>{cells}</tr></thead><tbody>{rows}</tbody></table></div>'


def _figure_row(summary: Summary, metrics: Sequence[str], is_first: bool, with_latency: bool) -> str:
    cells = [
        f"<td>{figure(found, metric)}<small>{interval(found, metric)}</small></td>"
        for metric in metrics
        for found in (summary.figures.get(metric),)
    ]
    if with_latency:
        cells += [f"<td>{summary.latency.p50:.2f}</td>", f"<td>{summary.latency.p99:.2f}</td>"]
    return f"<tr{' class=ours' if is_first else ''}><td>{escape(summary.system)}</td>{''.join(cells)}</tr>"


def _worst(queries: Sequence[Worst]) -> str:
    rows = "".join(
        f"<tr><td>{escape(one.intent)}<small>{escape(one.query_id)}, {escape(one.category)}</small></td>"
        f"<td>{'nothing' if not one.relevant else one.rank or 'not found'}</td>"
        f"<td>{_list(one.relevant)}</td><td>{_list(one.injected)}</td></tr>"
        for one in queries
    )
    head = "<th>intent</th><th>first relevant at</th><th>needs</th><th>injected</th>"
    return f'<div class="wide"><table class="worst"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'


def _list(texts: Sequence[str]) -> str:
    return f"<ul>{''.join(f'<li>{escape(text)}</li>' for text in texts)}</ul>" if texts else "–"


def _ablation(report: Report) -> Iterator[str]:
    for name in dict.fromkeys(row.dataset for row in report.ablation):
        rows = [row for row in report.ablation if row.dataset == name]
        plots = (_terms_off(metric, rows) for metric in dict.fromkeys(row.metric for row in rows))
        yield f"<h2>Terms off: {escape(name)}</h2>"
        yield f'<div class="plots">{"".join(f"<figure>{plot}</figure>" for plot in plots)}</div>'


def _terms_off(metric: str, rows: Sequence[AblationRow]) -> str:
    bars = [
        Interval(label=row.term, value=row.difference.mean, low=row.difference.low, high=row.difference.high)
        for row in rows
        if row.metric == metric
    ]
    return interval_chart(f"change of {metric} when a term is off", bars)


def _stories(results: Sequence[Result]) -> Iterator[str]:
    totals = add_up(results)
    colour = "good" if totals.held == totals.stories else "bad"
    yield "<h2>Stories: what writing leaves behind</h2>"
    yield (
        f'<p class="note"><span class="{colour}">{totals.held} of {totals.stories} hold</span>; pollution rate '
        f"{totals.pollution_rate:.4f} over {totals.turns} user turns; miss rate {totals.miss_rate:.4f}.</p>"
    )
    kinds = sorted({result.kind for result in results})
    rows = "".join(_kind_row(kind, [result for result in results if result.kind == kind]) for kind in kinds)
    head = "<th>kind</th><th>stories</th><th>hold</th><th>polluting</th><th>missed</th><th class=words>what failed</th>"
    yield f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'


def _kind_row(kind: str, results: Sequence[Result]) -> str:
    failed = "; ".join(f"{result.story_id}: {result.failures[0]}" for result in results if result.failures)
    counts = (
        len(results),
        sum(not result.failures for result in results),
        sum(result.polluting for result in results),
        sum(result.missed for result in results),
    )
    cells = "".join(f"<td>{count}</td>" for count in counts)
    return f"<tr><td>{escape(kind)}</td>{cells}<td class=words>{escape(failed)}</td></tr>"


def _meanings() -> str:
    rows = "".join(
        f"<tr><td>{escape(name)}</td><td class=words>{escape(words)}</td></tr>" for name, words in MEANING.items()
    )
    return f"<h2>What the figures mean</h2><table><tbody>{rows}</tbody></table>"
