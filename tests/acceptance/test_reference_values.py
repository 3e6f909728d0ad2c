"""The reference of slots and values says what the packs do."""

import json
import re
from pathlib import Path

import pytest

from ltm.cli.writing import read_value
from ltm.packs import load_packs
from ltm.packs.values.types import VALUE_TYPES

PAGE = (Path(__file__).parents[2] / "docs/reference/values.md").read_text(encoding="utf-8")
PACKS = load_packs(["job_search", "venue_booking"])
EXAMPLES = re.findall(r"^\| `([a-z_]+\.[a-z_]+)` \| `([^`]+)` \| `([^`]+)` \|$", PAGE, flags=re.MULTILINE)


def test_the_slots_are_those_of_the_packs() -> None:
    """Key, pack, kind, type, and whether it holds several: a new slot, or a changed one, has to be told."""
    told = re.findall(r"^\| `([a-z_.]+)` \| `([a-z_]+)` \| (\w+) \| (\w+) \| (yes )?\|$", PAGE, flags=re.MULTILINE)
    found = {
        (key, slot.pack.partition("@")[0], str(slot.kind), slot.value_type, "yes " if slot.is_set else "")
        for key, slot in PACKS.slots.items()
    }
    assert set(told) == found


def test_every_type_is_told() -> None:
    """A type that a pack may name has its row."""
    assert set(re.findall(r"^\| `([a-z]+)` \| [^`\n]", PAGE, flags=re.MULTILINE)) >= set(VALUE_TYPES)


@pytest.mark.parametrize(("key", "given", "kept"), EXAMPLES)
def test_an_example_is_kept_as_it_says(key: str, given: str, kept: str) -> None:
    """What is typed behind --value becomes what the page shows."""
    assert PACKS.normalise(key, read_value(given)) == json.loads(kept)


def test_every_type_but_free_text_has_an_example() -> None:
    """Somebody who looks for a form finds one."""
    shown = {PACKS.slots[key].value_type for key, _, _ in EXAMPLES}
    assert shown >= {slot.value_type for slot in PACKS.slots.values()}
