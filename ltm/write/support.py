"""Check that what a model proposes is in the words it quotes, and not only in its answer."""

import re
from collections.abc import Mapping, Sequence

from ltm.errors import InvalidRequestError
from ltm.lexical import tokenize
from ltm.models import Json, Kind, Lang
from ltm.packs import PackSet, Slot, fold, fold_text
from ltm.packs.values import VALUE_TYPES
from ltm.packs.values.daytime import PATTERN as DAYTIME
from ltm.packs.values.daytime import read_daytime
from ltm.write.word_index import WordIndex

READ_TYPES = frozenset({"money", "years"})
"""Value types whose values are read from the quote anew: the model's own figure only has to agree."""

KNOWN_TYPES = frozenset({"city"})
"""Value types of which only known members are believed: what a model calls a city may be any word of the quote."""

MIN_COVERAGE = 0.5
"""Share of a free text's characters (Chinese) and words (Latin) that the quote must have."""

MAX_TEXT_CHARS = 400

_DAYTIME = re.compile(DAYTIME)
_HAN = re.compile(r"[㐀-䶿一-鿿]")
_NUMBER = re.compile(r"\d{1,12}(?:[.,]\d{1,6})?")
_FRAME = re.compile(
    r"用户|曾经|曾|表示|提到|提及|询问|问过|问|是否|希望|觉得|认为|自己|目前|正在|在|的|了|过|是"
    r"|\b(?:the|user|users|asked|asks|said|says|mentioned|stated|wants|want|whether|about|that|is|are|was|be|been|has|have|had|to|of"
    r"|a|an|and|or|for|in|on|at|their|they|he|she|his|her|with|would|like|likes|currently)\b"
)
"""Words that a sentence about the user adds to what the user said."""


def supported_value(slot: Slot, value: Json, quote: str, *, packs: PackSet, lang: Lang) -> Json:
    """Return the normalised value if the quote states all of it, else None.

    Amounts and lengths of time are read from the quote; of anything else each member, or a known spelling of it, must
    stand in the quote.
    """
    try:
        normalised = packs.normalise(slot.key, value)
    except InvalidRequestError:
        return None
    if slot.value_type in READ_TYPES:
        stated = VALUE_TYPES[slot.value_type].read(quote, slot, lang).members
        return stated[0] if len(stated) == 1 and _agrees(normalised, stated[0]) else None
    if slot.value_type in KNOWN_TYPES and not _are_known(slot, value, lang):
        return None
    members = normalised if slot.is_set and isinstance(normalised, list | tuple) else [normalised]
    given = value if isinstance(value, list | tuple) else [value]
    stated_members = [_stated(slot, member, given, quote) for member in members]
    if any(member is None for member in stated_members):
        return None
    return stated_members if slot.is_set else stated_members[0]


def is_negative_slot(slot: Slot, words: WordIndex) -> bool:
    """Tell whether a slot holds what the user does not want, by its kind or by what its sentence says."""
    return slot.kind is Kind.EXCLUSION or is_negated(slot.sentences[Lang.ZH], words)


def is_negated(text: str, words: WordIndex) -> bool:
    """Tell whether a text denies something."""
    return "negation" in words.find(fold_text(text))


def is_text_supported(text: str, quote: str) -> bool:
    """Tell whether a free text says no more than its quote: its figures, and most of its other words, stand there."""
    said, proposed = fold_text(quote), fold_text(text)
    if not text.strip() or len(text) > MAX_TEXT_CHARS:
        return False
    if not set(_NUMBER.findall(proposed)) <= set(_NUMBER.findall(said)):
        return False
    content = _FRAME.sub(" ", proposed)
    known, parts = {*_parts(said)}, _parts(content)
    return bool(parts) and sum(part in known for part in parts) >= MIN_COVERAGE * len(parts)


def _are_known(slot: Slot, value: Json, lang: Lang) -> bool:
    given = value if isinstance(value, list | tuple) else [value]
    return all(isinstance(word, str) and VALUE_TYPES[slot.value_type].read(word, slot, lang).members for word in given)


def _agrees(normalised: Json, stated: Json) -> bool:
    """Compare figures; currency and period are taken from the words in any case."""
    if isinstance(normalised, Mapping) and isinstance(stated, Mapping):
        return all(normalised.get(end) == stated.get(end) for end in ("min", "max"))
    return normalised == stated


def _stated(slot: Slot, member: Json, given: Sequence[Json], quote: str) -> Json:
    """Return a member as the quote spells it, the vocabulary's term where there is one; None where it is not stated."""
    folded = fold(quote)
    if slot.value_type == "daytime":
        return member if member in [read_daytime(match.group()) for match in _DAYTIME.finditer(folded.text)] else None
    spellings = {str(member), *(str(word) for word in given if _means(slot, word, member))}
    term = slot.vocabulary.find(str(member)) if slot.vocabulary else None
    if term is not None:
        spellings |= {name for names in term.names.values() for name in names}
    for spelling in sorted(spellings):
        if span := _find(fold_text(spelling), folded.text):
            start, end = folded.span(*span)
            own = VALUE_TYPES[slot.value_type].accept(quote[start:end], slot)
            return member if term is not None or len(own) != 1 else own[0]
    return None


def _means(slot: Slot, word: Json, member: Json) -> bool:
    """Tell whether the model's own word is another spelling of a normalised member."""
    return isinstance(word, str) and member in VALUE_TYPES[slot.value_type].accept(word, slot)


def _find(spelling: str, folded: str) -> tuple[int, int] | None:
    """Look for a spelling whatever the spaces; Latin ones as whole words."""
    parts = [re.escape(part) for part in spelling.split()]
    if not parts:
        return None
    before = r"(?<![a-z0-9])" if spelling[0].isascii() and spelling[0].isalnum() else ""
    after = r"(?![a-z0-9])" if spelling[-1].isascii() and spelling[-1].isalnum() else ""
    match = re.search(before + r"\s{0,4}".join(parts) + after, folded)
    return None if match is None else match.span()


def _parts(folded: str) -> list[str]:
    """Return the Chinese characters and the stemmed Latin words of a text."""
    return [*_HAN.findall(folded), *(term for term in tokenize(folded) if term.isascii())]
