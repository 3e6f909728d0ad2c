"""Build rules from the files of `rules/`."""

import re
from collections.abc import Mapping

from ltm.errors import PackError
from ltm.models import Json, Kind, Lang, Op
from ltm.packs.documents import RulesFile, RuleTable
from ltm.packs.folding import fold_text
from ltm.packs.patterns import check_pattern, expand
from ltm.packs.reading import PackFiles, parse_toml
from ltm.packs.schema import Example, Rule, Slot
from ltm.packs.values import VALUE_TYPES
from ltm.packs.vocabulary import Vocabulary

_VOCABULARY = re.compile(r"\{([a-z][a-z0-9_]*)\}")


class RuleBuilder:
    """Build the rules of one pack on what it and the packs before it declare."""

    def __init__(
        self,
        files: PackFiles,
        *,
        label: str,
        fragments: Mapping[str, str],
        vocabularies: Mapping[str, Vocabulary],
        slots: Mapping[str, Slot],
    ) -> None:
        self._files = files
        self._label = label
        self._fragments = fragments
        self._vocabularies = vocabularies
        self._slots = slots

    def build(self) -> tuple[Rule, ...]:
        """Return the rules in the order of the files' names and of their places in them.

        Raises:
            PackError: A rule is malformed or refers to what is not declared.
        """
        rules: list[Rule] = []
        for name, content in self._files.inside("rules"):
            where = self._files.where(name)
            document = parse_toml(content, RulesFile, where=where)
            fragments = {**self._fragments, **document.fragments}
            rules += [self._rule(table, fragments, f"{where}: rule {table.id!r}") for table in document.rule]
        return tuple(rules)

    def _rule(self, table: RuleTable, fragments: Mapping[str, str], where: str) -> Rule:
        slot = self._slot(table, where)
        pattern = expand(table.pattern, fragments, where=where)
        unless = "|".join(f"(?:{expand(part, fragments, where=where)})" for part in table.unless)
        _check(table, slot, where)
        if not self._files.is_trusted:
            check_pattern(pattern, where=f"{where}: key 'pattern'")
            check_pattern(unless, where=f"{where}: key 'unless'")
        return Rule(
            id=table.id,
            pack=self._label,
            triggers=self._literals(table.triggers, f"{where}: key 'triggers'"),
            needs=self._literals(table.needs, f"{where}: key 'needs'"),
            pattern_text=pattern,
            unless_text=unless,
            slot=table.slot,
            reader=_reader(table, slot, where),
            constants=_constants(table, slot, where),
            texts={} if table.text is None else {Lang.ZH: table.text.zh, Lang.EN: table.text.en},
            kind=table.kind or (slot.kind if slot else Kind.FACT),
            op=table.op or (Op.ADD if slot and slot.is_set else Op.SET),
            speech_act=table.speech_act,
            confidence=table.confidence,
            is_denial=table.denial,
            is_weak=table.weak,
            is_least=table.least,
            matches=tuple(Example(text=example.text, value=example.value) for example in table.match),
            no_matches=table.no_match,
            answers=table.answers,
            question=table.question or "",
        )

    def _slot(self, table: RuleTable, where: str) -> Slot | None:
        if table.slot is not None and table.slot not in self._slots:
            raise PackError(f"{where}: key 'slot': no loaded pack declares {table.slot!r}")
        return None if table.slot is None else self._slots[table.slot]

    def _literals(self, given: tuple[str, ...], where: str) -> tuple[str, ...]:
        """Return folded literals, `{name}` replaced by every spelling of that vocabulary."""
        literals: list[str] = []
        for literal in given:
            named = _VOCABULARY.fullmatch(literal)
            if named is None:
                literals.append(fold_text(literal))
            elif named.group(1) in self._vocabularies:
                literals += self._vocabularies[named.group(1)].names
            else:
                raise PackError(f"{where}: no vocabulary {named.group(1)!r}")
        return tuple(dict.fromkeys(literals))


def _reader(table: RuleTable, slot: Slot | None, where: str) -> str:
    reader = table.reader or (slot.value_type if slot else "text")
    if reader not in VALUE_TYPES:
        raise PackError(f"{where}: key 'reader': no value type {reader!r}; there are {', '.join(VALUE_TYPES)}")
    return reader


def _constants(table: RuleTable, slot: Slot | None, where: str) -> tuple[Json, ...]:
    """Return the members of a value that does not come from the words, in canonical form."""
    if table.value is None:
        return ()
    given: list[Json] = list(table.value) if isinstance(table.value, list) else [table.value]
    if slot is None:
        return tuple(given)
    value_type = VALUE_TYPES[slot.value_type]
    members = tuple(member for value in given for member in value_type.accept(value, slot))
    if not members:
        raise PackError(f"{where}: key 'value': {slot.key} expects {value_type.expected(slot)}")
    return members


def _check(table: RuleTable, slot: Slot | None, where: str) -> None:
    if bool(table.triggers) == bool(table.answers) or bool(table.answers) != bool(table.question):
        raise PackError(f"{where}: needs 'triggers', or in their place 'answers' and a 'question' for its examples")
    if table.value is None and "(?P<value>" not in table.pattern:
        raise PackError(f"{where}: key 'pattern': needs a group (?P<value>...), or the rule a key 'value'")
    if slot is None and table.text is None:
        raise PackError(f"{where}: a rule without 'slot' needs 'text' with $value in zh and en")
    if slot is not None and not slot.is_set and table.op not in (None, Op.SET):
        raise PackError(f"{where}: key 'op': {slot.key} holds one value, only 'set' is possible")
