from datetime import timedelta
from typing import Any

import pytest

from indexing.sweep import is_overdue
from ltm.models import Kind, Status
from ltm.packs import load_packs
from tests.unit.indexing.heads import owned

PACKS = load_packs(())


@pytest.mark.parametrize(
    ("changes", "days", "overdue"),
    [
        ({"kind": Kind.EPISODE}, 364.99, False),
        ({"kind": Kind.EPISODE}, 365, True),
        ({"kind": Kind.EPISODE, "status": Status.EXPIRED}, 400, False),
        ({"kind": Kind.FACT}, 4000, False),
        ({"kind": Kind.EPISODE, "key": "user.name"}, 4000, False),
    ],
)
def test_what_is_overdue(changes: dict[str, Any], days: float, overdue: bool) -> None:
    """An active memory whose pack says so, from the very moment on."""
    head = owned(**changes).head
    assert is_overdue(head, head.valid_from, head.valid_from + timedelta(days=days), PACKS) is overdue
