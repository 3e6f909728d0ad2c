"""What came of a story."""

from collections.abc import Sequence
from dataclasses import dataclass

from ltm.models import Action


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionPair:
    """What a turn should have led to, and what it did; `None` where there was no candidate at all."""

    expected: Action
    actual: Action | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One story's outcome.

    Attributes:
        failures: What did not hold, in words; empty where everything did.
        turns: User turns observed.
        polluting: Active memories that the story says must not be there.
        wanted: Active memories that the story asks for.
        missed: Those of them that are not there.
    """

    story_id: str
    kind: str
    failures: tuple[str, ...]
    turns: int
    polluting: int
    wanted: int
    missed: int
    actions: tuple[ActionPair, ...]
    model_calls: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """All stories together; the rates are 0 where there is nothing to divide by.

    Attributes:
        pollution_rate: Wrong memories that are active, a user turn.
        miss_rate: Share of the wanted memories that are missing.
    """

    stories: int
    held: int
    turns: int
    pollution_rate: float
    miss_rate: float


def add_up(results: Sequence[Result]) -> Totals:
    """Return the totals."""
    turns, wanted = sum(result.turns for result in results), sum(result.wanted for result in results)
    return Totals(
        stories=len(results),
        held=sum(not result.failures for result in results),
        turns=turns,
        pollution_rate=sum(result.polluting for result in results) / max(turns, 1),
        miss_rate=sum(result.missed for result in results) / max(wanted, 1),
    )
