"""Patterns of packs are bounded."""

import re

import pytest

from ltm.errors import PackError
from ltm.packs.patterns import any_of, compile_pattern, expand


@pytest.mark.parametrize("pattern", ["a*", "(?:ab)+", "x{3,}", "(?:a{1,40}b){1,40}", "(a", "(?:(?:a{0,9}){0,9}){0,9}"])
def test_what_could_run_away_is_refused(pattern: str) -> None:
    """Unbounded and deeply nested repetition, and what is no pattern at all."""
    with pytest.raises(PackError, match="where: "):
        compile_pattern(pattern, where="where")


@pytest.mark.parametrize("pattern", ["a{0,40}", "(?:a{1,10}b){1,8}", "(?<!不)去?", "(?P<value>[^,]{1,200})"])
def test_what_is_bounded_is_compiled(pattern: str) -> None:
    """A large bound is fine as long as bounds do not multiply."""
    assert isinstance(compile_pattern(pattern, where="where"), re.Pattern)


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
    pattern = re.compile(any_of(["ok", "外包", "外包公司", "c++"]))
    assert pattern.search("token") is None
    assert [found.group() for found in pattern.finditer("外包公司 ok c++")] == ["外包公司", "ok", "c++"]
