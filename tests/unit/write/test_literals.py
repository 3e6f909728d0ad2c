"""What must be in a text for a pattern to match."""

import pytest

from ltm.write.literals import needed_literals


@pytest.mark.parametrize(
    ("pattern", "literals"),
    [
        ("(?:ignore|forget) (?:all|everything)", ("forget", "ignore")),
        ("等我.{0,4}再", ("等我",)),
        ("ab|c(?:de){2}", ("ab", "de")),
        ("ab|c{0,2}", ()),
        (r"\d{2,4}!", ("!",)),
        ("(?!ab)[cd]", ()),
        ("", ()),
    ],
)
def test_literals_that_every_match_holds(pattern: str, literals: tuple[str, ...]) -> None:
    """The most telling ones of a sequence, and for branches one of each."""
    assert needed_literals(pattern) == literals
