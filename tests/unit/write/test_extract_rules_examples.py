"""Every example of every rule of the built-in packs."""

import pytest

from ltm.models import Lang
from ltm.packs import PackSet, detect_lang, load_packs
from ltm.write.rule_examples import failed_examples


def test_every_example_of_every_rule_holds(packs: PackSet) -> None:
    """What must be read is read, with its value, among all other rules; what must not be is not."""
    assert failed_examples(packs) == []


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
