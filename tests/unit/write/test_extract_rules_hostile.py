"""Texts that are made to be slow."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ltm.models import Role, Turn
from ltm.packs import PackSet
from ltm.write.extract_rules import extract_rules
from ltm.write.setting import Setting
from ltm.write.spans import Span

SIZE = 100_000
MOST_SECONDS = 0.5
"""Far above the 5 to 40 ms that these take on an idle core, far below what backtracking would take."""


@pytest.fixture(scope="module")
def packs(packs: PackSet) -> PackSet:
    """Return all built-in packs, with the gazetteer loaded."""
    extract_rules(Turn(role=Role.USER, text="只考虑杭州，期望两万"), packs)
    return packs


FAMILIES = {
    "one letter": "a",
    "digits": "1",
    "digits and commas": "1,",
    "ranges": "1-",
    "money": "期望薪资",
    "money and digits": "期望薪资1,",
    "only": "只考虑",
    "only with cities": "只考虑杭州和上海和",
    "cities": "杭州和",
    "exclusions": "外包和",
    "refusals": "不去外包、",
    "habits": "平时经常一般",
    "roles": "想找java后端或者",
    "openings": "其实我觉得",
    "english openings": "maybe and but ",
    "english only": "only looking in berlin or ",
    "english words": "a b ",
    "english wishes": "i want to work in ",
    "sentences": "期望薪资15k。不去北京。only in Berlin. ",
    "years": "i have 5 years of experience, ",
    "clauses": "london is nice, ",
    "lists": "beijing, and shanghai, or ",
    "dots": ".",
    "new lines": "x\n",
    "right-to-left marks": "\u202e\u200bx",
    "combining marks": "e\u0301",
}


@pytest.mark.parametrize("family", FAMILIES)
def test_a_hostile_turn_takes_milliseconds(family: str, packs: PackSet) -> None:
    """No repetition of anything makes a pattern run away, with or without an end that matches."""
    unit = FAMILIES[family]
    for end in ("", "也可以", "不考虑", " too", "打羽毛球"):
        text = (unit * (SIZE // len(unit) + 1))[:SIZE] + end
        start = time.process_time()
        extract_rules(Turn(role=Role.USER, text=text), packs)
        assert time.process_time() - start < MOST_SECONDS, end


@pytest.mark.parametrize("unit", ["不对，杭州", "期望15k，说错了，", "no wait, Berlin. "])
def test_a_turn_of_nothing_but_corrections_takes_milliseconds(unit: str, packs: PackSet) -> None:
    """However often somebody takes something back."""
    text = (unit * (SIZE // len(unit) + 1))[:SIZE]
    marks = [Span(start, start + 3) for start in range(0, SIZE, len(unit))]
    start = time.process_time()
    extract_rules(Turn(role=Role.USER, text=text), packs, setting=Setting(corrections=marks, key="job.target_cities"))
    assert time.process_time() - start < MOST_SECONDS


def test_every_trigger_at_once_is_fine(packs: PackSet) -> None:
    """A text made of all triggers runs all rules."""
    triggers = [trigger for rule in packs.rules for trigger in (*rule.triggers, *rule.needs)]
    text = " ".join(triggers * 10)[:SIZE]
    extract_rules(Turn(role=Role.USER, text=text), packs)  # compiles the patterns that no test needed before
    start = time.process_time()
    extract_rules(Turn(role=Role.USER, text=text), packs)
    assert time.process_time() - start < MOST_SECONDS


@given(
    st.text(
        alphabet=st.sampled_from("期望薪资只考虑杭州上海不去外包也可以15k万,。 年经验 only in Berlin at least$"),
        min_size=1,
        max_size=60,
    )
)
def test_no_text_raises_and_quotes_are_verbatim(packs: PackSet, text: str) -> None:
    """Whatever is said, a candidate's quote stands in the turn."""
    if not text.strip():
        return
    for candidate in extract_rules(Turn(role=Role.USER, text=text), packs):
        assert candidate.quote == text[candidate.start : candidate.end] != ""
