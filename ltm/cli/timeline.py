"""A chain drawn as a timeline."""

from collections.abc import Iterator, Sequence
from datetime import tzinfo

from rich.text import Text

from ltm.cli.tables import show_value
from ltm.models import Evidence, MemoryVersion, Status

LOOKS = {
    Status.ACTIVE: ("●", "green"),
    Status.SUPERSEDED: ("○", "default"),
    Status.RETRACTED: ("✕", "red"),
    Status.EXPIRED: ("◌", "yellow"),
    Status.REVERTED: ("↶", "red"),
}
"""Sign and colour of a version on the line."""


def draw(chain: Sequence[MemoryVersion], zone: tzinfo) -> Iterator[Text]:
    """Yield the lines of a timeline, oldest version first: value, interval, reason, quotes.

    Args:
        chain: Versions in version order, as `history` gives them; an empty chain gives no line.
        zone: Times are shown in it.
    """
    for version in chain:
        sign, colour = LOOKS[version.status]
        yield Text.assemble(
            (sign, colour), f" v{version.version}  ", (_interval(version, zone), "bold"), "  ", (version.status, colour)
        )
        value = show_value(version.value)
        yield Text(f"│   {version.text}" + (f"   [{value}]" if value and value != version.text else ""))
        yield Text(f"│   {_because(version, zone)}", style="dim")
        for evidence in version.evidence:
            yield Text(f"│   {_quote(evidence, zone)}", style="cyan")


def _interval(version: MemoryVersion, zone: tzinfo) -> str:
    begin = f"{version.valid_from.astimezone(zone):%Y-%m-%d %H:%M}"
    if version.valid_to:
        return f"{begin} → {version.valid_to.astimezone(zone):%Y-%m-%d %H:%M}"
    return f"{begin} → now" if version.status is Status.ACTIVE else begin


def _because(version: MemoryVersion, zone: tzinfo) -> str:
    learnt = f"learnt {version.recorded_at.astimezone(zone):%Y-%m-%d %H:%M}"
    parts = (version.reason, f"{version.op} by {version.actor}", f"confidence {version.confidence:.2f}", learnt)
    return " · ".join(part for part in parts if part)


def _quote(evidence: Evidence, zone: tzinfo) -> str:
    said = f"{evidence.said_at.astimezone(zone):%Y-%m-%d %H:%M}"
    place = ", ".join(part for part in (evidence.session_id, evidence.turn_id) if part)
    return f"“{evidence.quote}”  {said}" + (f" ({place})" if place else "")
