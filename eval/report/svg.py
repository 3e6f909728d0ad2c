"""Plots as inline SVG: no scripts, no fonts, colours from the page's style sheet."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 640, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 46, 12, 34, 40
COLOURS = 6
"""Series colours that the style sheet defines; further series repeat them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A bar with its whiskers."""

    label: str
    value: float
    low: float
    high: float


def line_chart(title: str, ticks: Sequence[str], series: Mapping[str, Sequence[float]]) -> str:
    """Draw shares (0 to 1) over equally spaced ticks, a line a series, with a marker and a tooltip at each point."""
    places = [_across(at / max(len(ticks) - 1, 1)) for at in range(len(ticks))]
    parts = [_grid(1.0), *(_tick(x, tick) for x, tick in zip(places, ticks, strict=True))]
    for number, (name, values) in enumerate(series.items()):
        points = list(zip(places, (_up(value) for value in values), strict=False))
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(f'<polyline class="line c{number % COLOURS}" points="{path}"/>')
        parts.extend(
            f'<circle class="dot c{number % COLOURS}" cx="{x:.1f}" cy="{y:.1f}" r="3.5">'
            f"<title>{escape(name)} @ {escape(tick)}: {value:.3f}</title></circle>"
            for (x, y), tick, value in zip(points, ticks, values, strict=False)
        )
    return _frame(title, [*parts, _legend(list(series))])


def bar_chart(title: str, groups: Sequence[str], series: Mapping[str, Sequence[float]]) -> str:
    """Draw shares (0 to 1) as bars side by side, a group a tick."""
    slot = (WIDTH - _LEFT - _RIGHT) / max(len(groups), 1)
    width = min(slot * 0.8 / max(len(series), 1), 46)
    parts = [_grid(1.0), *(_tick(_LEFT + slot * (at + 0.5), name) for at, name in enumerate(groups))]
    for number, (name, values) in enumerate(series.items()):
        for at, value in enumerate(values):
            x = _LEFT + slot * (at + 0.5) + width * (number - len(series) / 2)
            parts.append(_bar(x, width, value, number, f"{name}, {groups[at]}: {value:.3f}"))
    return _frame(title, [*parts, _legend(list(series))])


def histogram(title: str, unit: str, series: Mapping[str, Sequence[float]], bins: int = 40) -> str:
    """Draw how often each value occurs, from 0 to the 99.5th percentile of all; the rest counts in the last bin."""
    values = sorted(value for part in series.values() for value in part)
    top = values[min(int(len(values) * 0.995), len(values) - 1)] if values else 1.0
    top = top or 1.0
    counts = {name: _count(part, top, bins) for name, part in series.items()}
    peak = max((max(part) for part in counts.values()), default=1) or 1
    width = (WIDTH - _LEFT - _RIGHT) / bins
    parts = [_grid(peak), *(_tick(_LEFT + width * bins * at / 4.4, f"{top * at / 4.4:.2f} {unit}") for at in range(5))]
    for number, (name, part) in enumerate(counts.items()):
        parts.extend(
            _bar(_LEFT + width * at, width * 0.92, count / peak, number, f"{name}: {count}", "thin")
            for at, count in enumerate(part)
            if count
        )
    return _frame(title, [*parts, _legend(list(series))])


def interval_chart(title: str, bars: Sequence[Interval]) -> str:
    """Draw signed values as horizontal bars from 0, with their intervals and figures."""
    reach = max((max(abs(bar.low), abs(bar.high), abs(bar.value)) for bar in bars), default=0.0) or 0.01
    left, right, row, top = 110, 64, 22, 36
    middle, scale = (left + WIDTH - right) / 2, (WIDTH - right - left) / 2 / reach * 0.96
    bottom = top + row * len(bars)
    parts = [f'<line class="axis" x1="{middle}" x2="{middle}" y1="{top - 4}" y2="{bottom}"/>']
    for at, bar in enumerate(bars):
        y, end = top + row * at, middle + bar.value * scale
        note = f"{bar.label}: {bar.value:+.4f} [{bar.low:+.4f}, {bar.high:+.4f}]"
        parts.append(
            f'<text class="label" x="{left - 8}" y="{y + 12}" text-anchor="end">{escape(bar.label)}</text>'
            f'<rect class="bar {"c3" if bar.value < 0 else "c2"}" x="{min(middle, end):.1f}" y="{y + 3}" '
            f'width="{abs(end - middle):.1f}" height="11"><title>{escape(note)}</title></rect>'
            f'<line class="whisker" x1="{middle + bar.low * scale:.1f}" x2="{middle + bar.high * scale:.1f}" '
            f'y1="{y + 8.5}" y2="{y + 8.5}"/>'
            f'<text class="tick" x="{WIDTH - 8}" y="{y + 12}" text-anchor="end">{bar.value:+.4f}</text>'
        )
    parts.append(f'<text class="tick" x="{middle}" y="{bottom + 14}" text-anchor="middle">0</text>')
    return _frame(title, parts, height=bottom + 22)


def _count(values: Sequence[float], top: float, bins: int) -> list[int]:
    counts = [0] * bins
    for value in values:
        counts[min(int(value / top * bins), bins - 1)] += 1
    return counts


def _across(share: float) -> float:
    return _LEFT + 10 + share * (WIDTH - _LEFT - _RIGHT - 20)


def _up(share: float) -> float:
    return HEIGHT - _BOTTOM - share * (HEIGHT - _TOP - _BOTTOM)


def _grid(top: float) -> str:
    lines = []
    for quarter in range(5):
        y = _up(quarter / 4)
        label = f"{top * quarter / 4:.2f}" if top <= 1 else f"{top * quarter / 4:.0f}"
        lines.append(
            f'<line class="grid" x1="{_LEFT}" x2="{WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
            f'<text class="tick" x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{label}</text>'
        )
    return "".join(lines)


def _tick(x: float, label: str) -> str:
    return f'<text class="tick" x="{x:.1f}" y="{HEIGHT - _BOTTOM + 16}" text-anchor="middle">{escape(label)}</text>'


def _bar(x: float, width: float, share: float, number: int, note: str, extra: str = "") -> str:
    y = _up(share)
    return (
        f'<rect class="bar {extra} c{number % COLOURS}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" '
        f'height="{HEIGHT - _BOTTOM - y:.1f}"><title>{escape(note)}</title></rect>'
    )


def _legend(names: Sequence[str]) -> str:
    parts, x = [], _LEFT + 10
    for number, name in enumerate(names):
        y = HEIGHT - 8
        parts.append(
            f'<rect class="key c{number % COLOURS}" x="{x}" y="{y - 9}" width="10" height="10"/>'
            f'<text class="tick" x="{x + 14}" y="{y}">{escape(name)}</text>'
        )
        x += 28 + 7 * len(name)
    return "".join(parts)


def _frame(title: str, parts: Sequence[str], height: float = HEIGHT) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-label="{escape(title, quote=True)}">'
        f'<text class="title" x="{_LEFT}" y="18">{escape(title)}</text>{"".join(parts)}</svg>'
    )
