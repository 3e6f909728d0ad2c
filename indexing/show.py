"""What jobs found, for people and for scripts."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.table import Table

from indexing.mending import Mended
from indexing.probe import Probe
from indexing.recall_check import RecallCheck
from indexing.reindex import Ending, Result
from indexing.rollback import RolledBack
from indexing.status import GenerationStatus
from indexing.verify import Report

_NAMED = 10


def report_fields(report: Report) -> dict[str, Any]:
    """Return the fields of a report that scripts read: nobody's words."""
    fields = {name: value for name, value in asdict(report).items() if name not in ("sample", "shown")}
    shown = [{"memory_id": each.memory_id, "faults": each.faults} for each in report.shown]
    return {**fields, "is_clean": report.is_clean, "differences": shown}


def result_fields(result: Result) -> dict[str, Any]:
    """Return the fields of a reindex that scripts read."""
    recall = asdict(result.recall) if result.recall else None
    return {"generation": result.generation, "ending": result.ending, "report": _found(result.report), "recall": recall}


def rollback_fields(found: RolledBack) -> dict[str, Any]:
    """Return the fields of a rollback that scripts read."""
    return {"generation": found.generation, "is_live": found.is_live, "report": _found(found.report)}


def mended_fields(mended: Mended) -> dict[str, Any]:
    """Return the fields of a repair that scripts read: `rebuilt` is what a reindex says, where it took one."""
    if mended.repaired is None:
        rebuilt = result_fields(mended.rebuilt) if mended.rebuilt else None
        return {"is_clean": mended.is_clean, "mended": 0, "found": None, "proof": None, "rebuilt": rebuilt}
    found, proof = _found(mended.repaired.found), _found(mended.repaired.proof)
    return {
        "is_clean": mended.is_clean,
        "mended": mended.repaired.mended,
        "found": found,
        "proof": proof,
        "rebuilt": None,
    }


def probe_fields(probe: Probe) -> dict[str, Any]:
    """Return the fields of an estimate that scripts read; the time is None where nothing was there to measure."""
    cost = {"memories": probe.memories, "per_s": probe.per_s, "seconds": probe.seconds if probe.per_s else None}
    return {"embedder": probe.spec.name, "dim": probe.spec.dim, **cost}


def _found(report: Report | None) -> dict[str, Any] | None:
    return None if report is None else report_fields(report)


def show_report(report: Report, console: Console) -> None:
    """Print what a comparison found."""
    if report.unusable is not None:
        console.print(f"{report.generation} cannot be read: {report.unusable}")
        return
    console.print(
        f"{report.generation}: {report.heads} memories, {report.points} points, {report.sampled} embedded again, "
        f"{report.in_flight} in flight, {report.different} different{'' if report.is_complete else ' (stopped)'}"
    )
    for fault, count in sorted(report.faults.items()):
        console.print(f"  {fault}: {count}")
    for each in report.shown[:_NAMED]:
        console.print(f"    {each.memory_id}  {', '.join(each.faults)}")
    if report.different > _NAMED:
        console.print(f"    ... and {report.different - _NAMED} more")


def show_mended(mended: Mended, console: Console) -> None:
    """Print what a repair found, did, and proved."""
    if mended.repaired is not None:
        show_report(mended.repaired.found, console)
        console.print(f"mended: {mended.repaired.mended}")
        show_report(mended.repaired.proof, console)
    if mended.rebuilt is not None:
        show_result(mended.rebuilt, console)


def show_probe(probe: Probe, console: Console) -> None:
    """Print what a build would cost."""
    rate = "no memory to measure with" if probe.per_s is None else f"{probe.per_s:,.0f}/s"
    console.print(
        f"embedder {probe.spec.name}: {probe.spec.dim} dimensions, {rate}; "
        f"{probe.memories:,} texts, about {_duration(probe.seconds)}"
    )


def show_result(result: Result, console: Console) -> None:
    """Print how a reindex ended, and on what grounds."""
    if result.report is not None:
        show_report(result.report, console)
    if result.recall is not None:
        _show_recall(result.recall, console)
    said = {
        Ending.SWITCHED: f"{result.generation} is live",
        Ending.REFUSED: f"{result.generation} did not pass and was not switched to; the live generation stays",
        Ending.STOPPED: "stopped; the same command goes on from here",
        Ending.UNNEEDED: f"{result.generation} is live, whole and of this embedder; --force builds it anew",
    }
    console.print(said[result.ending])


def show_rollback(found: RolledBack, console: Console) -> None:
    """Print how a rollback ended."""
    if found.report is not None:
        show_report(found.report, console)
    console.print(f"{found.generation} is live" if found.is_live else "not switched; the live generation stays")


def show_statuses(statuses: Sequence[GenerationStatus], console: Console) -> None:
    """Print the generations."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("", "generation", "state", "embedder", "points", "waiting", "seconds", "dead", ""):
        table.add_column(heading, overflow="fold")
    for each in statuses:
        points = "–" if each.points is None else str(each.points)
        figures = (points, str(each.rows), f"{each.seconds:.1f}", str(each.dead))
        table.add_row(str(each.number), each.name, each.state, each.embedder, *figures, each.trouble or "")
    console.print(table)


def _show_recall(recall: RecallCheck, console: Console) -> None:
    console.print(f"{recall.found} of {recall.asked} sampled memories find themselves among the first ten")
    for name, overlap in (("vectors", recall.dense_overlap), ("words", recall.lexical_overlap)):
        if overlap is not None:
            console.print(f"  first ten in common with the live generation, by {name}: {overlap:.0%}")


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
