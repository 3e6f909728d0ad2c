"""Results on the terminal."""

from collections import Counter, defaultdict
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from eval.scenarios.results import Result, add_up
from ltm.models import Action


def show(results: Sequence[Result], console: Console) -> None:
    """Print passes by kind, what failed and why, the rates and the action confusion matrix."""
    console.print(_kinds(results))
    for result in results:
        for words in result.failures:
            console.print(Text.assemble((result.story_id, "bold red"), " ", words))
    totals = add_up(results)
    console.print(
        f"held {totals.held} of {totals.stories} stories; pollution rate {totals.pollution_rate:.4f} "
        f"({totals.turns} user turns); miss rate {totals.miss_rate:.4f}; "
        f"{sum(result.model_calls for result in results)} model calls; "
        f"{sum(result.seconds for result in results):.1f} s"
    )
    console.print(_confusion(results))


def _kinds(results: Sequence[Result]) -> Table:
    table = Table("kind", "stories", "held", "polluting", "missed", title="Stories by kind")
    groups: defaultdict[str, list[Result]] = defaultdict(list)
    for result in results:
        groups[result.kind].append(result)
    for kind, group in sorted(groups.items()):
        held = sum(not result.failures for result in group)
        table.add_row(
            kind,
            str(len(group)),
            Text(str(held), style="green" if held == len(group) else "red"),
            str(sum(result.polluting for result in group)),
            str(sum(result.missed for result in group)),
        )
    return table


def _confusion(results: Sequence[Result]) -> Table:
    pairs = Counter((pair.expected, pair.actual) for result in results for pair in result.actions)
    table = Table("expected", *Action, "no candidate", title="Actions: expected (rows) and taken (columns)")
    for expected in Action:
        counts = [pairs[expected, actual] for actual in (*Action, None)]
        if sum(counts):
            table.add_row(expected, *(str(count) if count else "." for count in counts))
    return table
