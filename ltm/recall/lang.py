"""Which language a text is in, as far as header and annotations need to know it."""

import re
from functools import lru_cache

from ltm.models import Lang

_HAN = re.compile(r"[㐀-䶿一-鿿豈-﫿]")
_WORD = re.compile(r"[A-Za-z]+")
_FIRST = re.compile(r"[A-Za-z㐀-䶿一-鿿豈-﫿]")


@lru_cache(maxsize=8192)
def lang_of(text: str) -> Lang:
    """Return `zh` where Chinese characters outnumber Latin words or come first, else `en`.

    `Java 后端方向` and `喜欢 Red Hot Chili Peppers` are Chinese; `I like 火锅` and a text of digits are English.
    """
    first = _FIRST.search(text)
    if first is None:
        return Lang.EN
    if _HAN.match(first.group()):
        return Lang.ZH
    return Lang.ZH if len(_HAN.findall(text)) > len(_WORD.findall(text)) else Lang.EN


def lang_of_majority(texts: list[str], intent: str) -> Lang:
    """Return the language of most texts; the intent's where there is no majority."""
    chinese = sum(lang_of(text) is Lang.ZH for text in texts)
    if 2 * chinese == len(texts):
        return lang_of(intent)
    return Lang.ZH if 2 * chinese > len(texts) else Lang.EN
