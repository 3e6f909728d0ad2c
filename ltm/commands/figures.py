"""Figures against their aims: the rows of a benchmark."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.table import Table
from rich.text import Text

HEAD = ("what", "at", "measured", "aim", "reached")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One figure.

    Attributes:
        value: With its unit.
        size: How much is stored.
        aim: In words, "" where there is none.
        is_reached: None where there is no aim.
    """

    name: str
    value: str
    size: str = ""
    aim: str = ""
    is_reached: bool | None = None

    @property
    def cells(self) -> tuple[str, ...]:
        """Return what stands under `HEAD`."""
        return (self.name, self.size, self.value, self.aim, self.verdict)

    @property
    def verdict(self) -> str:
        """Return `yes`, `NO`, or nothing."""
        return "" if self.is_reached is None else "yes" if self.is_reached else "NO"


def at_most(name: str, value: float, bound: float, *, size: str = "", unit: str = "×") -> Row:
    """Return a figure that should not exceed its bound."""
    reached = value <= bound
    return Row(name=name, value=f"{value:.2f} {unit}", size=size, aim=f"≤ {bound:g} {unit}", is_reached=reached)


def at_least(name: str, value: float, bound: float, *, size: str = "", unit: str = "/s") -> Row:
    """Return a rate that should not be below its bound."""
    reached = value >= bound
    return Row(name=name, value=f"{value:,.0f} {unit}", size=size, aim=f"≥ {bound:,.0f} {unit}", is_reached=reached)


def to_rich(title: str, rows: Sequence[Row]) -> Table:
    """Return a table for the terminal."""
    found = Table(title=title)
    for name in HEAD:
        found.add_column(name, justify="left" if name in ("what", "at") else "right")
    for row in rows:
        style = "" if row.is_reached is None else "green" if row.is_reached else "bold red"
        found.add_row(row.name, row.size, row.value, row.aim, Text(row.verdict, style=style))
    return found
