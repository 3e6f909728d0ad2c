"""Where the words of the lexicons stand in one folded text."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence

from ltm.write.spans import Span


class Marks:
    """The hits of each lexicon in a text. A hit belongs to the range in which it starts."""

    def __init__(self, folded: str, found: Mapping[str, Sequence[Span]]) -> None:
        self.text = folded
        self._found = found

    def all(self, name: str) -> Sequence[Span]:
        """Return the hits of a lexicon, in order; a lexicon that no loaded pack has is empty."""
        return self._found.get(name, ())

    def first(self, name: str, within: Span) -> Span | None:
        """Return the first hit that starts within a range, or None."""
        found = self._found.get(name)
        if not found:
            return None
        position = bisect_left(found, (within.start, 0))
        return found[position] if position < len(found) and found[position].start < within.end else None

    def within(self, name: str, within: Span) -> Sequence[Span]:
        """Return the hits that start within a range, in order."""
        found = self._found.get(name)
        if not found:
            return ()
        return found[bisect_left(found, (within.start, 0)) : bisect_left(found, (within.end, 0))]

    def covers(self, name: str, span: Span) -> bool:
        """Tell whether a range lies inside a hit of a lexicon."""
        found = self._found.get(name, ())
        position = bisect_right(found, (span.start, len(self.text))) - 1
        return position >= 0 and span.end <= found[position].end

    def is_covered(self, within: Span, names: Sequence[str]) -> bool:
        """Tell whether no letter or digit of a range is left outside the hits of some lexicons."""
        rest = list(self.text[within.start : within.end])
        for hit in (hit for name in names for hit in self._found.get(name, ()) if hit.touches(within)):
            start, end = max(hit.start, within.start) - within.start, min(hit.end, within.end) - within.start
            rest[start:end] = " " * (end - start)
        return not any(char.isalnum() for char in rest)

    def has(self, name: str, within: Span) -> bool:
        """Tell whether a hit starts within a range."""
        return self.first(name, within) is not None
