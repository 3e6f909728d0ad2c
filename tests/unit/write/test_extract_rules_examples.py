"""Every example of every rule of the built-in packs."""

import re

import pytest

from ltm.models import Json, Lang, Role, Turn
from ltm.packs import PackSet, detect_lang, load_packs
from ltm.write.extract_rules import extract_rules
from ltm.write.rule_examples import failed_examples

_BETWEEN_SCRIPTS = re.compile("(?<=[一-鿿]) *(?=[A-Za-z0-9$])|(?<=[A-Za-z0-9%]) *(?=[一-鿿])")


def test_every_example_of_every_rule_holds(packs: PackSet) -> None:
    """What must be read is read, with its value, among all other rules; what must not be is not."""
    assert failed_examples(packs) == []


def test_spaces_between_scripts_say_nothing(packs: PackSet) -> None:
    """`20k 以下` and `20k以下` are the same statement, in every example of every rule."""

    def read(text: str) -> list[tuple[str | None, Json]]:
        return [(found.rule_id, found.value) for found in extract_rules(Turn(role=Role.USER, text=text), packs)]

    texts = [text for rule in packs.rules for text in (*(one.text for one in rule.matches), *rule.no_matches)]
    joined = {text: _BETWEEN_SCRIPTS.sub("", text) for text in texts}
    spaced = {text: _BETWEEN_SCRIPTS.sub(" ", text) for text in texts}
    assert sum(joined[text] != spaced[text] for text in texts) >= 100
    assert [text for text in texts if read(joined[text]) != read(spaced[text])] == []


def test_there_are_examples_enough(packs: PackSet) -> None:
    """At least 300, half of them negative, at least 100 in each language."""
    positive = [example.text for rule in packs.rules for example in rule.matches]
    negative = [text for rule in packs.rules for text in rule.no_matches]
    langs = [detect_lang(text) for text in (*positive, *negative)]
    assert len(langs) >= 300
    assert len(negative) >= len(positive)
    assert min(langs.count(Lang.ZH), langs.count(Lang.EN)) >= 100


@pytest.mark.parametrize("names", [(), ("job_search",), ("venue_booking",)])
def test_a_pack_works_without_the_others(names: tuple[str, ...]) -> None:
    """Examples hold in whatever company."""
    assert failed_examples(load_packs(names)) == []
