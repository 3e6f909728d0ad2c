"""`python -m eval.bench`: one table of speeds against their aims."""

import os
import resource
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from eval.bench.caches import measure_caches
from eval.bench.markdown import to_markdown
from eval.bench.recall import Measured, Size, measure_recall
from eval.bench.rules import measure_rules
from eval.bench.steps import measure_transition
from eval.bench.writing import measure_writes
from ltm.commands.console import open_console, open_notes
from ltm.commands.figures import Row, at_least, at_most, to_rich
from ltm.commands.output import AsJson, print_values
from ltm.commands.scratch import has_tmpfs, scratch_folder

_ENDED = 1_000
SMALL, LARGE = Size(memories=20_000, users=200), Size(memories=200_000, users=2_000)


def main(
    large: Annotated[bool, typer.Option("--large", help="also 200,000 memories of 2,000 users; a few minutes")] = False,
    calls: Annotated[int, typer.Option(min=10, help="calls of each kind")] = 2_000,
    memories: Annotated[int, typer.Option(min=1, help="instead of 20,000, for a trial")] = SMALL.memories,
    users: Annotated[int, typer.Option(min=1, help="instead of 200")] = SMALL.users,
    redis: Annotated[str, typer.Option(help="URL of a Redis server, for recall with its cache")] = "",
    markdown: Annotated[Path | None, typer.Option(help="write the table there too")] = None,
    as_json: AsJson = False,
) -> None:
    """Measure the library with the hashing embedder: medians over many calls of one run."""
    notes = open_notes()
    sizes = [Size(memories=memories, users=users), *([LARGE] if large else [])]
    rows: list[Row] = []
    measured: list[Measured] = []
    for size in sizes:
        notes.print(f"filling {size.name} ...")
        with scratch_folder() as folder:
            measured.append(measure_recall(folder, size, calls))
        rows.extend(_recall_rows(measured[-1]))
    if len(measured) > 1:
        rows.append(
            at_most("recall, new intent, large against small", measured[1].cold.p50 / measured[0].cold.p50, 1.5)
        )
    rows.extend(_write_rows(calls))
    rows.extend(_cache_rows(calls, redis))
    rows.append(_transition_row())
    title = (
        f"Speed ({calls:,} calls each, hashing embedder, {'tmpfs' if has_tmpfs() else 'disk'}; "
        f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores)"
    )
    print_values(rows, lambda: open_console().print(to_rich(title, rows)), as_json=as_json)
    if markdown is not None:
        markdown.write_text(to_markdown(title, rows), encoding="utf-8")


def _recall_rows(found: Measured) -> Iterator[Row]:
    size = found.size.name
    yield at_least("remember_many", found.ingest_per_s, 5_000, size=size)
    yield Row(name="raw index query, p50", value=f"{found.raw.p50:.3f} ms", size=size)
    yield Row(name="heads check, p50", value=f"{found.heads.p50:.3f} ms", size=size)
    yield Row(name="recall, new intent, p50", value=f"{found.cold.p50:.3f} ms", size=size)
    yield Row(name="recall, new intent, p99", value=f"{found.cold.p99:.3f} ms", size=size)
    yield Row(name="recall, intent asked again, p50", value=f"{found.warm.p50:.3f} ms", size=size)
    yield Row(name="recall, first of a user, p50", value=f"{found.first.p50:.3f} ms", size=size)
    yield at_most("recall, new intent, against raw", found.cold.p50 / found.raw.p50, 4.0, size=size)
    yield Row(name="peak RSS", value=f"{_peak_rss_mb():.0f} MB", size=size)


def _write_rows(calls: int) -> Iterator[Row]:
    with scratch_folder() as folder:
        writes = measure_writes(folder, calls)
    yield at_least("remember", writes.remember_per_s, 800)
    yield Row(name="observe, one turn a call, rules only", value=f"{writes.observe_per_s:,.0f} /s")
    shares = ", ".join(f"{part} {share:.0%}" for part, share in writes.observe_shares.items())
    yield Row(name="observe, share of time", value=shares)
    yield at_least("rule channel and gates, turns", measure_rules(calls * 5), 5_000)


def _cache_rows(calls: int, redis_url: str) -> Iterator[Row]:
    with scratch_folder() as folder:
        found = measure_caches(folder, calls, redis_url)
    for name, cache in found.items():
        yield Row(name=f"recall, cache {name}, cold, p50", value=f"{cache.cold.p50:.3f} ms")
        yield Row(name=f"recall, cache {name}, warm, p50", value=f"{cache.warm.p50:.3f} ms")


def _transition_row() -> Row:
    with scratch_folder() as folder:
        found = measure_transition(folder, _ENDED)
    return Row(name=f"transition that ends {_ENDED:,} memories", value=f"{found.p50:.0f} ms")


def _peak_rss_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


app = typer.Typer(add_completion=False, pretty_exceptions_show_locals=False)
app.command()(main)

if __name__ == "__main__":
    app(prog_name="python -m eval.bench")
