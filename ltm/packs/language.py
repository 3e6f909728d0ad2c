"""Which language a text is in, as far as templates and values need to know it."""

import re

from ltm.models import Lang

HAN = "㐀-䶿一-鿿豈-﫿"
"""Chinese characters, to be put between the brackets of a class."""

_HAN = re.compile(f"[{HAN}]")
_WORD = re.compile(r"[A-Za-zÀ-ɏ]{2,}")


def detect_lang(text: str, *, default: Lang = Lang.EN) -> Lang:
    """Return `zh` where there are at least as many Chinese characters as Latin words, else `en`.

    `我想找 Java 后端 的岗位` is Chinese, `looking for 后端 jobs in Berlin` English; a text of neither gets the default.
    """
    han = len(_HAN.findall(text))
    words = len(_WORD.findall(text))
    if not han and not words:
        return default
    return Lang.ZH if han and han >= words else Lang.EN
