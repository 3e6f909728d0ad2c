"""Canonical terms."""

from ltm.models import Lang
from ltm.packs import Term, Vocabulary

DEGREES = Vocabulary(
    name="degrees",
    terms=(
        Term(value="master", names={Lang.ZH: ("硕士", "研究生"), Lang.EN: ("master's degree", "MSc")}),
        Term(value="none", names={}),
    ),
)


def test_every_spelling_leads_to_the_term() -> None:
    """Whatever its case, width and apostrophe."""
    for name in ("硕士", "研究生", "Master’s Degree", "msc", "ＭＳｃ", " master "):
        term = DEGREES.find(name)
        assert term is not None, name
        assert term.value == "master", name
    assert DEGREES.find("doctor") is None


def test_a_term_is_shown_by_its_first_name_in_the_language() -> None:
    """Without one by its value."""
    assert [DEGREES.terms[0].shown(lang) for lang in (Lang.ZH, Lang.EN)] == ["硕士", "master's degree"]
    assert DEGREES.terms[1].shown(Lang.ZH) == "none"
    assert DEGREES.values == ("master", "none")
