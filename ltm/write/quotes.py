"""Find a quote in the words it was taken from: after NFKC and folding of white space, never fuzzily."""

import unicodedata
from functools import lru_cache
from typing import NamedTuple

from ltm.write.spans import Span

MAX_PLACES = 20


class Comparable(NamedTuple):
    """A text in NFKC with single spaces, and where each of its characters came from.

    Attributes:
        origins: For each character the range in the original text that it stands for.
    """

    text: str
    origins: tuple[Span, ...]


def locate(quote: str, text: str) -> tuple[Span, ...]:
    """Return where a quote stands in a text, ascending, as ranges of the text as it was said; () where it does not.

    Case counts, and so does every character; a quote of nothing but white space or punctuation is nowhere.
    """
    wanted = " ".join(unicodedata.normalize("NFKC", quote).split())
    if not any(char.isalnum() for char in wanted):
        return ()
    comparable = _comparable(text)
    places: list[Span] = []
    start = comparable.text.find(wanted)
    while start >= 0 and len(places) < MAX_PLACES:
        first, last = comparable.origins[start], comparable.origins[start + len(wanted) - 1]
        places.append(Span(first.start, last.end))
        start = comparable.text.find(wanted, start + 1)
    return tuple(places)


@lru_cache(maxsize=64)
def _comparable(text: str) -> Comparable:
    """Bring a text into comparable form, a character together with the combining marks behind it."""
    chars: list[str] = []
    origins: list[Span] = []
    position = 0
    while position < len(text):
        end = position + 1
        while end < len(text) and unicodedata.combining(text[end]):
            end += 1
        for char in unicodedata.normalize("NFKC", text[position:end]):
            is_space = char.isspace()
            if is_space and chars and chars[-1] == " ":
                continue
            chars.append(" " if is_space else char)
            origins.append(Span(position, end))
        position = end
    return Comparable("".join(chars), tuple(origins))
