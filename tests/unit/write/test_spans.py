"""Sentences and clauses."""

import time

import pytest

from ltm.packs import fold_text
from ltm.write.spans import Span, cut_out, merge_spans, split_clauses


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("3年工作经验，本科毕业，期望薪资12-16k", ["3年工作经验", "本科毕业", "期望薪资12-16k"]),
        ("至少 1,500 一天", ["至少1,500一天"]),
        ("ugh. I give up, really", ["ugh", "i give up", "really"]),
        ("15.5k 就行...不找了", ["15.5k就行", "不找了"]),
        ("累死了 期望薪资15k", ["累死了", "期望薪资15k"]),
        ("想找 Java 后端", ["想找java后端"]),
        ("I like Berlin but I live in Paris", ["i like berlin", "but i live in paris"]),
        ("", []),
        ("。。。！！", []),
    ],
)
def test_a_text_is_cut_into_clauses(text: str, clauses: list[str]) -> None:
    """Numbers and mixed scripts stay whole; marks, conjunctions and a space between Chinese words cut."""
    folded = fold_text(text)
    assert [folded[slice(*clause.span)] for clause in split_clauses(folded)] == clauses


def test_only_the_last_clause_before_a_question_mark_asks_by_it() -> None:
    """The mark belongs to its sentence, and to the clause in front of it."""
    first, second, third = split_clauses(fold_text("我期望15k，有岗位吗？谢谢"))
    assert [clause.ends_asking for clause in (first, second, third)] == [True, True, False]
    assert [clause.is_last for clause in (first, second, third)] == [False, True, True]


def test_ranges_that_touch_become_one() -> None:
    """Overlapping and adjoining ranges are merged, in order."""
    assert merge_spans([Span(5, 8), Span(0, 2), Span(2, 3), Span(6, 7)]) == (Span(0, 3), Span(5, 8))


def test_ranges_are_cut_out_whatever_their_order() -> None:
    """What overlaps is replaced once."""
    assert cut_out("abcdef", [Span(4, 5), Span(1, 3), Span(2, 3)], "-") == "a-d-f"


@pytest.mark.parametrize("piece", [",", "。", "a ", "but ", "，。", "-", "~", "......", "？！"])
def test_hostile_text_is_cut_in_milliseconds(piece: str) -> None:
    """100,000 characters of punctuation take no more than a second even on a busy machine."""
    text = piece * (100_000 // len(piece))
    started = time.process_time()
    split_clauses(fold_text(text))
    assert time.process_time() - started < 1.0
