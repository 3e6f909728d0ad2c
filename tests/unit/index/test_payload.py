"""Ids and payloads, as exact as SQL."""

import pytest

from ltm.errors import InvalidRequestError
from ltm.index.payload import find_point_id, point_id

CANONICAL = "0190f3a2-7b1c-7def-8123-456789abcdef"


@pytest.mark.parametrize("spelling", [CANONICAL, CANONICAL.upper(), CANONICAL.replace("-", ""), f"{{{CANONICAL}}}"])
def test_a_uuid_has_one_spelling(spelling: str) -> None:
    """However a UUID is written, its point has the canonical id."""
    assert point_id(spelling) == find_point_id(spelling) == CANONICAL


@pytest.mark.parametrize(
    ("name", "found"), [("17", 17), ("", None), ("x", None), ("-1", None), ("²", None), ("9" * 20, None)]
)
def test_points_that_are_not_ours_can_be_named(name: str, found: int | None) -> None:
    """A point with an integer id, which somebody else wrote, can be found and deleted, and never written."""
    assert find_point_id(name) == found
    with pytest.raises(InvalidRequestError, match="UUID"):
        point_id(name)
