"""Find which rules a text may concern, without running one of them."""

from collections.abc import Sequence


class Triggers:
    """The literal triggers of rules, looked up by their first two characters: one pass over the text."""

    def __init__(self, triggers: Sequence[Sequence[str]]) -> None:
        """Take the triggers of each rule; a rule is known by its position."""
        self._single: dict[str, set[int]] = {}
        self._longer: dict[str, dict[str, set[int]]] = {}
        for position, literals in enumerate(triggers):
            for literal in literals:
                table = self._single if len(literal) == 1 else self._longer.setdefault(literal[:2], {})
                table.setdefault(literal, set()).add(position)

    def find(self, text: str) -> list[int]:
        """Return the positions of the rules that have a trigger in the text, ascending."""
        found: set[int] = set()
        for character in self._single.keys() & set(text):
            found |= self._single[character]
        for pair in self._longer.keys() & set(map(str.__add__, text, text[1:])):
            for literal, positions in self._longer[pair].items():
                if literal in text:
                    found |= positions
        return sorted(found)
