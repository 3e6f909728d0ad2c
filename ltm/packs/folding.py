"""Fold a text for matching, and keep where every folded character came from.

Rules, lexicons and vocabularies are written in folded form: NFKC (full-width letters, digits and punctuation become
ASCII), lower case, straight quotes and hyphens, no invisible characters. `、` and `。` stay as they are. Some put a
space between Chinese and Latin writing (`20k 以下`), some do not (`20k以下`): it says nothing, and is left out.
"""

import re
import unicodedata
from bisect import bisect_left
from dataclasses import dataclass

_PLAIN = {
    **dict.fromkeys("‘’‛`´ʼ", "'"),
    **dict.fromkeys("“”„‟«»「」『』", '"'),
    **dict.fromkeys("‐‑‒–—―−", "-"),
    **dict.fromkeys("〜∼～", "~"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Folded:
    """A text as it is matched.

    Attributes:
        raw: The text as it was said.
        text: The folded text.
        origins: Offset in `raw` of each folded character, and the length of `raw` at the end; None where the folded
            text has the same offsets.
    """

    raw: str
    text: str
    origins: tuple[int, ...] | None

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return where in `raw` the folded characters from `start` to `end` came from."""
        if self.origins is None or start == end:
            return (start, end) if self.origins is None else (self.origins[start], self.origins[start])
        return self.origins[start], self.origins[end - 1] + 1

    def locate(self, offset: int) -> int:
        """Return the folded offset of the first character that came from `offset` in `raw` or behind it."""
        return offset if self.origins is None else min(bisect_left(self.origins, offset), len(self.text))


_MOST_REMEMBERED = 65_536


class _Table(dict[int, str]):
    """What `str.translate` asks for each character; filled as characters are met, up to a bound."""

    def __init__(self) -> None:
        super().__init__()
        self.changing_length: set[str] = set()

    def __missing__(self, code: int) -> str:
        folded = _fold_character(chr(code))
        if len(folded) != 1:
            self.changing_length.add(chr(code))
        if len(self) < _MOST_REMEMBERED:
            self[code] = folded
        return folded


_TABLE = _Table()


_HAN = "\u3400-\u4dbf\u4e00-\u9fff"
_LATIN = "a-z0-9$€£%+#"
_BETWEEN_SCRIPTS = re.compile(rf"(?<=[{_HAN}]) +(?=[{_LATIN}])|(?<=[{_LATIN}]) +(?=[{_HAN}])")
"""Spaces with Chinese on the one side and Latin letters or digits, already folded, on the other."""


def fold(text: str) -> Folded:
    """Fold a text; offsets into it can be taken back to the text as it was said."""
    folded = text.translate(_TABLE)
    spaces = [space.span() for space in _BETWEEN_SCRIPTS.finditer(folded)]
    if not spaces and _TABLE.changing_length.isdisjoint(text):
        return Folded(raw=text, text=folded, origins=None)
    origins = [offset for offset, character in enumerate(text) for _ in _TABLE[ord(character)]]
    for start, end in reversed(spaces):
        del origins[start:end]
    return Folded(raw=text, text=_BETWEEN_SCRIPTS.sub("", folded), origins=(*origins, len(text)))


def fold_text(text: str) -> str:
    """Return the folded text alone."""
    return _BETWEEN_SCRIPTS.sub("", text.translate(_TABLE))


def _fold_character(character: str) -> str:
    plain = _PLAIN.get(character)
    if plain is not None:
        return plain
    if unicodedata.category(character) in ("Cf", "Cs", "Mn"):
        return ""
    folded = unicodedata.normalize("NFKC", character).lower()
    return "".join(_PLAIN.get(part, part) for part in folded)
