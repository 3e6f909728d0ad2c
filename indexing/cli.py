"""The commands of `python -m indexing` and `ltm index`: thin."""

from os import cpu_count, getloadavg
from secrets import randbits
from typing import Annotated

import typer

from indexing.collect import collect
from indexing.desk import open_desk
from indexing.mending import mend_generation, sample_of, verify_generation
from indexing.opening import find_generation, lease_of
from indexing.reindex import Ending, Reindex, ReindexOptions
from indexing.relay import Relay, RelayOptions
from indexing.rollback import find_retired, roll_back
from indexing.show import (
    mended_fields,
    probe_fields,
    report_fields,
    result_fields,
    rollback_fields,
    show_mended,
    show_probe,
    show_report,
    show_result,
    show_rollback,
    show_statuses,
)
from indexing.status import list_statuses
from indexing.sweep import sweep
from ltm.commands import make_app
from ltm.commands.console import open_console
from ltm.commands.figures import to_rich
from ltm.commands.output import AsJson, print_values
from ltm.commands.store_options import store_options, takes_store

app = make_app(
    "Jobs that keep the index in line with SQL. The store is named here, behind a command, or by LTM_ variables."
)

Number = Annotated[int | None, typer.Option("--generation", help="Its number, see status; the live one.")]
Sample = Annotated[int, typer.Option(min=0, help="About how many texts are embedded again and compared.")]
Workers = Annotated[int, typer.Option(min=1, help="Batches at a time.")]


@app.callback()
@takes_store
def name_store(context: typer.Context) -> None:
    """Take the options of the store in front of a command."""


@app.command()
@takes_store
def relay(
    context: typer.Context,
    once: Annotated[bool, typer.Option("--once", help="Until nothing is due, then end.")] = False,
    idle: Annotated[float, typer.Option(min=0.01, help="Seconds between two looks at an empty outbox.")] = 1.0,
    report: Annotated[float, typer.Option(min=0.1, help="Seconds between two log lines.")] = 30.0,
) -> None:
    """Bring to the index what writers could not, until SIGTERM."""
    with open_desk(store_options(context)) as desk:
        options = RelayOptions(lease_s=lease_of(desk.house), idle_s=idle, report_s=report)
        job = Relay(desk.house.store, desk.house.spaces, clock=desk.house.clock, jitter=desk.jitter, options=options)
        if not once:
            job.run(desk.stop)
        elif job.once(desk.stop).failed:
            raise typer.Exit(1)


@app.command()
@takes_store
def reindex(
    context: typer.Context,
    workers: Workers = 1,
    share: Annotated[bool, typer.Option("--share", help="Let every relay take its part; for servers.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Also where the live generation is whole.")] = False,
    sample: Sample = 100,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what it would cost, change nothing.")] = False,
    as_json: AsJson = False,
) -> None:
    """Build a generation of --embedder beside the live one, prove it, switch; goes on where a run was stopped."""
    options = ReindexOptions(workers=workers, is_shared=share, is_forced=force, sample=sample)
    with open_desk(store_options(context)) as desk:
        job = Reindex(desk.house, desk.house.embedder, jitter=desk.jitter, options=options, watch=desk.watch)
        if dry_run:
            probe = job.estimate()
            print_values([probe_fields(probe)], lambda: show_probe(probe, desk.console), as_json=as_json)
            return
        result = job.run(desk.stop)
        print_values([result_fields(result)], lambda: show_result(result, desk.console), as_json=as_json)
    if result.ending in (Ending.REFUSED, Ending.STOPPED):
        raise typer.Exit(1)


@app.command()
@takes_store
def rollback(
    context: typer.Context,
    to: Annotated[int | None, typer.Option(help="Number of a retired generation, see status; the latest one.")] = None,
    as_json: AsJson = False,
) -> None:
    """Go back to a retired generation; what was written since has reached it, or does so now."""
    with open_desk(store_options(context)) as desk:
        target = find_retired(desk.house, to)
        found = roll_back(desk.house, target, jitter=desk.jitter, watch=desk.watch, stop=desk.stop)
        print_values([rollback_fields(found)], lambda: show_rollback(found, desk.console), as_json=as_json)
    if not found.is_live:
        raise typer.Exit(1)


@app.command()
@takes_store
def gc(
    context: typer.Context,
    unfinished: Annotated[bool, typer.Option("--unfinished", help="Also those that are being built.")] = False,
    as_json: AsJson = False,
) -> None:
    """Drop retired generations with their points."""
    with open_desk(store_options(context)) as desk:
        dropped = collect(desk.house, ("retired", "building") if unfinished else ("retired",))
    said = f"dropped: {', '.join(dropped) or 'nothing'}"
    print_values([{"dropped": dropped}], lambda: typer.echo(said), as_json=as_json)


@app.command()
@takes_store
def verify(context: typer.Context, generation: Number = None, sample: Sample = 200, as_json: AsJson = False) -> None:
    """Compare SQL and index, both ways; exit status 0 only if nothing differs."""
    with open_desk(store_options(context)) as desk:
        found = find_generation(desk.house, generation)
        sampling = sample_of(desk.house, sample, randbits(32))
        report = verify_generation(desk.house, found, sampling=sampling, watch=desk.watch, stop=desk.stop)
        print_values([report_fields(report)], lambda: show_report(report, desk.console), as_json=as_json)
    if not report.is_clean:
        raise typer.Exit(1)


@app.command()
@takes_store
def repair(context: typer.Context, generation: Number = None, sample: Sample = 200, as_json: AsJson = False) -> None:
    """Mend what verify finds, and verify again; exit status 0 only if nothing differs any more."""
    with open_desk(store_options(context)) as desk:
        found = find_generation(desk.house, generation)
        sampling = sample_of(desk.house, sample, randbits(32))
        mended = mend_generation(
            desk.house, found, sampling=sampling, jitter=desk.jitter, watch=desk.watch, stop=desk.stop
        )
        print_values([mended_fields(mended)], lambda: show_mended(mended, desk.console), as_json=as_json)
    if not mended.is_clean:
        raise typer.Exit(1)


@app.command()
def bench(
    large: Annotated[bool, typer.Option("--large", help="Also the jobs' memory, up to ten times the points.")] = False,
    points: Annotated[int, typer.Option(min=100, help="With the hashing embedder.")] = 20_000,
    texts: Annotated[int, typer.Option(min=10, help="With the bundled model.")] = 1_000,
    as_json: AsJson = False,
) -> None:
    """Measure relay and reindex on temporary stores; of your own one nothing is touched."""
    # Not at the top: a relay beside a server needs no engine in its process.
    from indexing.bench.rows import measure_jobs

    rows = list(measure_jobs(points, texts, with_footprint=large))
    title = f"Jobs (embedded; load {getloadavg()[0]:.1f} on {cpu_count()} cores)"
    print_values(rows, lambda: open_console().print(to_rich(title, rows)), as_json=as_json)


@app.command("sweep")
@takes_store
def run_sweep(context: typer.Context, as_json: AsJson = False) -> None:
    """End memories and held candidates whose time to live is over."""
    with open_desk(store_options(context)) as desk:
        total = sum(desk.house.store.read.counts().memories.values())
        with desk.watch.stage("sweep", total) as advance:
            swept = sweep(desk.house, desk.stop, advance)
    said = f"expired: {swept.expired}, held candidates dropped: {swept.dropped}"
    print_values([swept], lambda: typer.echo(said), as_json=as_json)
    if not swept.is_complete:
        raise typer.Exit(1)


@app.command()
@takes_store
def retry(context: typer.Context, as_json: AsJson = False) -> None:
    """Make dead letters due again, in every generation."""
    with open_desk(store_options(context)) as desk:
        outbox = desk.house.store.outbox
        revived = sum(outbox.revive(each.generation_id) for each in desk.house.store.generations.list_all())
    print_values([{"due_again": revived}], lambda: typer.echo(f"due again: {revived}"), as_json=as_json)


@app.command()
@takes_store
def status(context: typer.Context, as_json: AsJson = False) -> None:
    """List the generations, and how far each is behind; exit status 1 where the live one has dead letters."""
    with open_desk(store_options(context)) as desk:
        statuses = list(list_statuses(desk.house))
        print_values(statuses, lambda: show_statuses(statuses, desk.console), as_json=as_json)
    if any(each.dead for each in statuses if each.state == "live"):
        raise typer.Exit(1)
