"""The report's pages."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from eval.datasets import CorpusMemory, Dataset, Query
from eval.metrics.intervals import Difference
from eval.metrics.outcomes import Ingest, Injection, Outcome, SystemRun
from eval.metrics.summary import summarise
from eval.report.markdown import to_markdown
from eval.report.page import to_html
from eval.report.values import AblationRow, Report, SetReport, find_worst
from eval.report.writing import write_report
from eval.scenarios.results import Result

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def outcome(query_id: str, category: str, *ranking: str) -> Outcome:
    """Make an answer that injects what it ranks."""
    return Outcome(
        query_id=query_id,
        category=category,
        ranking=ranking,
        scores=(1.0,) * len(ranking),
        seconds=0.001,
        injection=Injection(memory_ids=ranking, tokens=30, within=dict.fromkeys((50, 100, 200, 300, 500, 1000), 1)),
    )


@pytest.fixture
def report() -> Report:
    """Return a report with every part."""
    memories = tuple(
        CorpusMemory(memory_id=name, user="u", text=text, at=NOW)
        for name, text in {"a": "likes <b>bold</b> tea", "b": "杭州"}.items()
    )
    queries = (
        Query(query_id="q", user="u", intent="which tea?", now=NOW, relevant={"a": 1}, category="direct"),
        Query(query_id="r", user="u", intent="where? <script>", now=NOW, relevant={"a": 1}, category="implied"),
        Query(query_id="n", user="u", intent="hello", now=NOW, needs_nothing=True, category="no_answer"),
    )
    dataset = Dataset(name="tiny", lang="en", memories=memories, queries=queries)
    outcomes = (outcome("q", "direct", "a"), outcome("r", "implied", "b"), outcome("n", "no_answer", "b"))
    run = SystemRun(dataset="tiny", system="default", setup={}, outcomes=outcomes, aliases={})
    rng = np.random.default_rng(1)
    one = SetReport(
        dataset="tiny",
        memories=2,
        summaries=(summarise(dataset, run, rng),),
        latencies_ms={"default": (1.0, 1.1, 1.2)},
        ingest=Ingest(count=2, seconds=1.0, refused={}),
        worst=find_worst(dataset, run),
    )
    lost = Difference(mean=-0.1, low=-0.2, high=0.05, p_value=0.04, wins=1, losses=3, count=9)
    return Report(
        title="Evaluation",
        made_at="2026-01-01",
        setup={"embedder": "hash"},
        sets=(one,),
        ablation=tuple(
            AblationRow(dataset="tiny", term="no shift", metric=metric, difference=lost)
            for metric in ("recall@10", "MRR")
        ),
        stories=(
            Result(
                story_id="s1",
                kind="joke",
                failures=("not & gone",),
                turns=1,
                polluting=1,
                wanted=0,
                missed=0,
                actions=(),
            ),
        ),
    )


def test_worst_queries_come_first(report: Report) -> None:
    """A query whose memory was not found precedes a false injection; a perfect one is not listed."""
    assert [worst.query_id for worst in report.sets[0].worst] == ["r", "n"]
    assert report.sets[0].worst[0].injected == ("杭州",)


def test_page_needs_nothing_from_outside(report: Report) -> None:
    """No script, no link, no source: the page is the same without a network."""
    page = to_html(report)
    assert not re.search(r"<script|<link|src=|href=|url\(|@import", page)
    assert "prefers-color-scheme: dark" in page


def test_texts_cannot_break_out_of_the_page(report: Report) -> None:
    """Memories and intents are shown as they are written."""
    page = to_html(report)
    assert "where? &lt;script&gt;" in page
    assert "not &amp; gone" in page


def test_plots_are_well_formed(report: Report) -> None:
    """Every plot parses as XML and says what it shows; each metric has an ablation of its own."""
    plots = re.findall(r"<svg.*?</svg>", to_html(report), re.DOTALL)
    assert len({ElementTree.fromstring(plot).get("aria-label") for plot in plots}) == len(plots) == 6


def test_markdown_has_a_row_for_each_system(report: Report) -> None:
    """Tables for ranking, injection, categories, ablation, and the stories that failed."""
    text = to_markdown(report)
    assert "| default | 0.500 (" in text
    assert "- s1: not & gone" in text
    assert "| tiny | no shift | recall@10 | -0.1000 |" in text
    assert "none skipped" in text


def test_three_files_are_written(report: Report, tmp_path: Path) -> None:
    """JSON for machines, Markdown for a note, HTML for eyes."""
    names: Mapping[str, int] = {path.name: path.stat().st_size for path in write_report(report, tmp_path / "out")}
    assert set(names) == {"report.json", "report.md", "report.html"}
    assert all(names.values())
