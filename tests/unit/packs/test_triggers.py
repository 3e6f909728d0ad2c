"""Which rules a text may concern."""

from hypothesis import given
from hypothesis import strategies as st

from ltm.packs.triggers import Triggers

LETTERS = st.text(alphabet="ab不去", min_size=1, max_size=4)


@given(st.lists(st.lists(LETTERS, max_size=3), max_size=6), st.text(alphabet="ab不去c", max_size=12))
def test_a_rule_is_found_exactly_if_a_trigger_is_in_the_text(triggers: list[list[str]], text: str) -> None:
    """The index by two characters says what plain search says."""
    expected = [position for position, literals in enumerate(triggers) if any(word in text for word in literals)]
    assert Triggers(triggers).find(text) == expected
