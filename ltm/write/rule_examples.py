"""Run the examples that rules carry: what every pack's test does."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ltm.models import Json, Role, Turn
from ltm.packs import PackSet, Rule
from ltm.write.extract_rules import extract_rules
from ltm.write.setting import Setting, asked_in
from ltm.write.word_index import WordIndex, index_words


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedExample:
    """An example that does not hold.

    Attributes:
        expected: The value that the example gives, or None where the rule must keep silent.
        found: The values (texts, for a rule without a slot) that the rule read from it.
    """

    rule_id: str
    text: str
    expected: Json
    found: tuple[Json, ...]


def failed_examples(packs: PackSet) -> list[FailedExample]:
    """Return the examples of all rules of all loaded packs that do not hold, in the order of the rules.

    An example that must match is read together with all other rules, as it would be in a dialogue: where another rule
    takes the words away, it fails.
    """
    words = index_words(packs)
    return [failed for rule in packs.rules for failed in _failed(rule, packs, words)]


def _failed(rule: Rule, packs: PackSet, words: WordIndex) -> Iterator[FailedExample]:
    for example in rule.matches:
        found = _read(rule, example.text, packs, words)
        if not any(_agrees(value, example.value) for value in found):
            yield FailedExample(rule_id=rule.id, text=example.text, expected=example.value, found=found)
    for text in rule.no_matches:
        found = _read(rule, text, packs, words)
        if found:
            yield FailedExample(rule_id=rule.id, text=text, expected=None, found=found)


def _read(rule: Rule, text: str, packs: PackSet, words: WordIndex) -> tuple[Json, ...]:
    setting = Setting(asked=asked_in(rule.question, words))
    candidates = extract_rules(Turn(role=Role.USER, text=text), packs, setting=setting)
    own = [candidate for candidate in candidates if candidate.rule_id == rule.id]
    return tuple(candidate.text if rule.slot is None else candidate.value for candidate in own)


def _agrees(value: Json, expected: Json) -> bool:
    """Compare; TOML has no null, so a field that an example leaves out is one that is open."""
    if isinstance(value, Mapping) and isinstance(expected, Mapping):
        return all(value[field] == expected.get(field) for field in value) and set(expected) <= set(value)
    return value == expected
