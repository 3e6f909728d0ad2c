"""Patterns of packs are bounded."""

import re

import pytest

from ltm.errors import PackError
from ltm.packs import load_packs
from ltm.packs.patterns import any_of, check_pattern, compiled, expand


@pytest.mark.parametrize("pattern", ["a*", "(?:ab)+", "x{3,}", "(?:a{1,40}b){1,40}", "(a", "(?:(?:a{0,9}){0,9}){0,9}"])
def test_what_could_run_away_is_refused(pattern: str) -> None:
    """Unbounded and deeply nested repetition, and what is no pattern at all."""
    with pytest.raises(PackError, match="where: "):
        check_pattern(pattern, where="where")


@pytest.mark.parametrize("pattern", ["a{0,40}", "(?:a{1,10}b){1,8}", "(?<!不)去?", "(?P<value>[^,]{1,200})"])
def test_what_is_bounded_passes(pattern: str) -> None:
    """A large bound is fine as long as bounds do not multiply."""
    check_pattern(pattern, where="where")
    assert compiled(pattern) is compiled(pattern)


def test_the_patterns_of_the_built_in_packs_are_bounded() -> None:
    """The loader relies on this test and does not check them at every start."""
    packs = load_packs(["job_search", "venue_booking"])
    for lexicon in packs.lexicons.values():
        for pattern in (pattern for patterns in lexicon.patterns.values() for pattern in patterns):
            check_pattern(pattern, where=lexicon.name)
    for rule in packs.rules:
        check_pattern(rule.pattern_text, where=rule.id)
        check_pattern(rule.unless_text, where=rule.id)
        assert rule.constants or "value" in rule.pattern.groupindex, rule.id


def test_fragments_are_groups_and_may_use_fragments() -> None:
    """An alternation in a fragment does not leak into the pattern around it."""
    pattern = expand("x{one}{2}", {"one": "a|{two}", "two": "b"}, where="where")
    assert re.fullmatch(pattern, "xab")
    assert not re.fullmatch(pattern, "a")


def test_unknown_and_circular_fragments_are_errors() -> None:
    """The message names the place."""
    with pytest.raises(PackError, match="no fragment 'one'"):
        expand("{one}", {}, where="where")
    with pytest.raises(PackError, match="circle"):
        expand("{one}", {"one": "{two}", "two": "{one}"}, where="where")


def test_terms_match_the_longest_and_latin_ones_whole() -> None:
    """`ok` is not in `token`; `外包公司` wins over `外包`."""
    pattern = re.compile(any_of(["ok", "外包", "外包公司", "c++", "ui", "ui设计"]))
    assert pattern.search("token") is None
    assert [found.group() for found in pattern.finditer("外包公司 ok c++ ui设计")] == [
        "外包公司",
        "ok",
        "c++",
        "ui设计",
    ]
