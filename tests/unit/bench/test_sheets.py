"""The tables of the comparison."""

from dataclasses import replace

import numpy as np

from bench.peer import About
from bench.sheets import aims, at_a_glance, quality_sheet, speed_sheet, systems_sheet, to_markdown
from bench.values import Comparison, Quality, Speed
from eval.bench.timing import Timings
from eval.metrics.intervals import compare, estimate


def _quality(dataset: str, system: str, ours: list[float], theirs: list[float]) -> Quality:
    rng = np.random.default_rng(1)
    pairs = [dict(zip("abcd", found, strict=True)) for found in (ours, theirs)]
    behind = None if system == "ltm" else compare(pairs[0], pairs[1], rng)
    return Quality(dataset=dataset, system=system, recall=estimate(theirs, rng), behind=behind)


def _speed(system: str, memories: int, p50: float, slower: float) -> Speed:
    return Speed(
        system=system,
        memories=memories,
        added=memories,
        adds_per_s=1_234.5,
        search=Timings(p50=p50, p99=p50 * 2, count=10),
        slower=slower,
        peak_rss_mb=99.6,
    )


def _about(system: str) -> About:
    return About(system=system, packages=f"{system} 1", settings="as it is", limits="none")


FOUND = Comparison(
    made_at="2026-11-30T21:00:00+00:00",
    setup={"machine": "2 cores"},
    systems=(_about("ltm"), _about("mem0")),
    left_out={"langgraph-sqlite": "the package langgraph is not installed"},
    quality=(
        _quality("locomo10", "ltm", [1, 1, 1, 0], [1, 1, 1, 0]),
        _quality("locomo10", "mem0", [1, 1, 1, 0], [1, 0, 0, 0]),
    ),
    speed=(
        _speed("ltm", 1_000, 1.0, 1.0),
        _speed("mem0", 1_000, 9.0, 9.0),
        _speed("ltm", 20_000, 2.0, 1.0),
        _speed("mem0", 20_000, 150.0, 75.0),
    ),
)


def test_the_short_table_has_every_set_and_the_largest_size() -> None:
    """A reader who stops there has quality, speed and size of every system."""
    sheet = at_a_glance(FOUND)
    assert sheet.head[:3] == ("", "recall@10, locomo10", "search p50")
    assert list(sheet.rows[1]) == ["mem0", "0.250", "150 ms", "300 ms", "75.0 ×", "1,234", "100 MB"]


def test_a_system_is_put_beside_the_library_in_points() -> None:
    """Paired on the same queries, with an interval; the library has nothing to be behind."""
    rows = quality_sheet(FOUND, "locomo10").rows
    assert rows[0][3:] == ["", ""]
    assert rows[1][3] == "+50.0"


def test_sizes_have_tables_of_their_own() -> None:
    """Times of one size stand beside each other, not beside another size's."""
    assert [row[1] for row in speed_sheet(FOUND, 1_000).rows] == ["1.00 ms", "9.00 ms"]


def test_a_system_that_was_too_slow_is_said_to_be() -> None:
    """It has no search time, and what it had stored when time was up is told."""
    slow = replace(FOUND.speed[3], added=5_000, search=None, slower=None)
    row = speed_sheet(replace(FOUND, speed=(slow,)), 20_000).rows[0]
    assert row[1:4] == ["–", "–", "–"]
    assert row[4] == "1,234 (too slow: 5,000 of 20,000)"


def test_what_is_left_out_is_named_with_its_reason() -> None:
    """A missing row is not to be taken for a system nobody thought of."""
    assert ["langgraph-sqlite", "–", "left out", "the package langgraph is not installed"] in systems_sheet(FOUND).rows


def test_aims_are_held_against_mem0_at_the_largest_size_and_on_locomo() -> None:
    """75 times faster and 50 points ahead reach 50 and 15; what was not measured is not reached."""
    assert [(row.value, row.is_reached) for row in aims(FOUND)] == [("75 ×", True), ("50 points", True)]
    nothing = aims(replace(FOUND, quality=(), speed=()))
    assert [(row.value, row.is_reached) for row in nothing] == [("not run", None), ("not run", None)]


def test_the_page_has_every_table() -> None:
    """What the terminal shows is in the file."""
    page = to_markdown(FOUND)
    for title in ("At a glance", "recall@10 on locomo10", "1,000 memories", "20,000 memories", "Systems", "Aims"):
        assert f"## {title}" in page
    assert "- machine: 2 cores" in page
    assert page.endswith("|\n")
