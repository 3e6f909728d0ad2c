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


_HAN, _LATIN, _BLANK = "\u3400-\u4dbf\u4e00-\u9fff", "a-z0-9$€£%+#", "[ \t\u00a0]"
_CLAUSE = re.compile(r"[^,;!?。\n]+")
_JOINED = re.compile(rf"[{_HAN}][{_LATIN}]|[{_LATIN}][{_HAN}]")
_BETWEEN = re.compile(rf"(?<=[{_HAN}]){_BLANK}+(?=[{_LATIN}])|(?<=[{_LATIN}]){_BLANK}+(?=[{_HAN}])(?![{_HAN}]{{2,6}}:)")
_REPEATED = re.compile(rf"(?<={_BLANK}){_BLANK}+")
_IDLE = re.compile(f"{_BETWEEN.pattern}|{_REPEATED.pattern}")


def fold(text: str) -> Folded:
    """Fold a text; offsets into it can be taken back to the text as it was said."""
    folded = text.translate(_TABLE)
    idle = _idle_blanks(folded)
    if not idle and _TABLE.changing_length.isdisjoint(text):
        return Folded(raw=text, text=folded, origins=None)
    origins = [offset for offset, character in enumerate(text) for _ in _TABLE[ord(character)]]
    for start, end in reversed(idle):
        del origins[start:end]
    return Folded(raw=text, text=_without(folded, idle), origins=(*origins, len(text)))


def fold_text(text: str) -> str:
    """Return the folded text alone."""
    folded = text.translate(_TABLE)
    return _without(folded, _idle_blanks(folded))


def _idle_blanks(folded: str) -> list[tuple[int, int]]:
    """Return where blanks say nothing: between the scripts, and behind another blank.

    Whoever parts the scripts does so throughout. In a clause where they also meet without a blank, a blank is a comma
    (`期望薪资30k 上海也可以`), as it is anywhere in front of the next label of a form (`30k 城市:上海`).
    """
    if _IDLE.search(folded) is None:
        return []
    return [
        blank.span()
        for clause in _CLAUSE.finditer(folded)
        for blank in (_REPEATED if _JOINED.search(clause[0]) else _IDLE).finditer(folded, *clause.span())
    ]


def _without(folded: str, idle: list[tuple[int, int]]) -> str:
    kept = zip([0, *(end for _, end in idle)], [*(start for start, _ in idle), len(folded)], strict=True)
    return "".join(folded[start:end] for start, end in kept)


def _fold_character(character: str) -> str:
    plain = _PLAIN.get(character)
    if plain is not None:
        return plain
    if unicodedata.category(character) in ("Cf", "Cs", "Mn"):
        return ""
    folded = unicodedata.normalize("NFKC", character).lower()
    return "".join(_PLAIN.get(part, part) for part in folded)
