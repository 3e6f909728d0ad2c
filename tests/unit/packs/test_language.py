"""Which language a text is in."""

import pytest

from ltm.models import Lang
from ltm.packs import detect_lang


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("我想找 Java 后端 的岗位", Lang.ZH),
        ("looking for 后端 jobs in Berlin", Lang.EN),
        ("base Berlin 都可以", Lang.ZH),
        ("Köln", Lang.EN),
        ("期望15-20k", Lang.ZH),
    ],
)
def test_the_script_that_carries_the_sentence_decides(text: str, lang: Lang) -> None:
    """A borrowed word or two does not change the language."""
    assert detect_lang(text) is lang


def test_a_text_of_no_language_gets_the_default() -> None:
    """Figures and emoji say nothing."""
    assert detect_lang("15-20 👌") is Lang.EN
    assert detect_lang("15-20", default=Lang.ZH) is Lang.ZH
