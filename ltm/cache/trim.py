"""What stays in a chat window; pure."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

from ltm.models import Role, Turn

CountTokens: TypeAlias = Callable[[str], int]
_Unit: TypeAlias = list[int]
"""Positions of turns that stay or leave together: one turn, or calls of tools with their results."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trimmed:
    """Positions of the turns that stay and of those that leave, each ascending; every turn is in one of them."""

    staying: tuple[int, ...]
    leaving: tuple[int, ...]


def trim(turns: Sequence[Turn], *, rounds: int, tokens: int, count_tokens: CountTokens) -> Trimmed:
    """Decide what stays of a dialogue, oldest turn first.

    The last system turn always stays. Of the rest stay the last rounds, a round being a user turn and all up to the
    next one, as far as they fit into the tokens beside the system turn. Of a last round that does not fit there stay
    its first turn and as many of its latest turns as fit, but one at least: a window is never without what was just
    said. Calls of tools and their results stay or leave together.
    """
    sizes = [_size(turn, count_tokens) for turn in turns]
    system = [position for position, turn in enumerate(turns) if turn.role == Role.SYSTEM][-1:]
    budget = tokens - sum(sizes[position] for position in system)
    staying = set(system)
    for age, units in enumerate(reversed(_rounds(turns)[-rounds:])):
        size = sum(sizes[position] for position in chain.from_iterable(units))
        if size > budget:
            staying.update(_shorten(units, sizes, budget) if age == 0 else ())
            break
        staying.update(chain.from_iterable(units))
        budget -= size
    return Trimmed(
        staying=tuple(sorted(staying)),
        leaving=tuple(position for position in range(len(turns)) if position not in staying),
    )


def _rounds(turns: Sequence[Turn]) -> list[list[_Unit]]:
    rounds: list[list[_Unit]] = []
    for unit in _units(turns):
        if not rounds or turns[unit[0]].role == Role.USER:
            rounds.append([])
        rounds[-1].append(unit)
    return rounds


def _units(turns: Sequence[Turn]) -> list[_Unit]:
    units: list[_Unit] = []
    by_call: dict[object, _Unit] = {}
    for position, turn in enumerate(turns):
        if turn.role == Role.SYSTEM:
            continue
        if turn.role == Role.TOOL and turn.tool_call_id in by_call:
            by_call[turn.tool_call_id].append(position)
            continue
        units.append([position])
        by_call.update((call.get("id"), units[-1]) for call in turn.tool_calls if call.get("id"))
    return units


def _shorten(units: Sequence[_Unit], sizes: Sequence[int], budget: int) -> Iterator[int]:
    """Yield the positions of a round's first unit and of the latest others that fit beside it."""
    first, *others = units
    yield from first
    left = budget - sum(sizes[position] for position in first)
    for age, unit in enumerate(reversed(others)):
        left -= sum(sizes[position] for position in unit)
        if left < 0 and age > 0:
            return
        yield from unit


def _size(turn: Turn, count_tokens: CountTokens) -> int:
    calls = json.dumps([dict(call) for call in turn.tool_calls], ensure_ascii=False) if turn.tool_calls else ""
    return count_tokens(turn.text) + (count_tokens(calls) if calls else 0)
