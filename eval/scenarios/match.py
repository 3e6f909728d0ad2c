"""When a memory is the one that a story means."""

from collections.abc import Mapping
from typing import Any, Protocol

from eval.scenarios.story import Expected


class Described(Protocol):
    """What memories and pending candidates have in common."""

    @property
    def key(self) -> str | None:
        """Return the slot."""
        ...

    @property
    def value(self) -> Any:
        """Return the value."""
        ...

    @property
    def text(self) -> str:
        """Return the sentence."""
        ...


def matches(found: Described, expected: Expected) -> bool:
    """Tell whether every field that the story gives is met."""
    given = expected.model_fields_set
    return (
        ("key" not in given or found.key == expected.key)
        and ("value" not in given or same_value(found.value, expected.value))
        and ("value_contains" not in given or contains(found.value, expected.value_contains))
        and (expected.text_contains is None or expected.text_contains in found.text)
    )


def same_value(found: Any, expected: Any) -> bool:
    """Compare the fields that are given; lists are sets, numbers are equal by value."""
    if isinstance(expected, Mapping):
        return isinstance(found, Mapping) and all(
            name in found and same_value(found[name], value) for name, value in expected.items()
        )
    if isinstance(expected, list | tuple):
        return (
            isinstance(found, list | tuple)
            and len(found) == len(expected)
            and all(any(same_value(one, other) for one in found) for other in expected)
        )
    return bool(found == expected)


def contains(found: Any, part: Any) -> bool:
    """Tell whether a set has the member, or a text the words."""
    if isinstance(found, str):
        return str(part) in found
    return isinstance(found, list | tuple) and any(same_value(member, part) for member in found)
