"""Turn the parsed files of a pack into frozen values."""

from collections.abc import Sequence
from dataclasses import dataclass

from ltm.errors import PackError
from ltm.models import Kind, Lang, Op
from ltm.packs.documents import (
    LexiconFile,
    MachinesFile,
    MachineTable,
    PackFile,
    RulesFile,
    RuleTable,
    SlotsFile,
    SlotTable,
    VocabularyFile,
    WordsTable,
)
from ltm.packs.folding import fold_text
from ltm.packs.lexicon import Lexicon
from ltm.packs.machine import Expiry, Machine
from ltm.packs.patterns import any_of, compile_pattern, expand
from ltm.packs.prompt import Prompt
from ltm.packs.reading import PackFiles, parse_prompt, parse_toml
from ltm.packs.schema import Example, Pack, Rule, Slot
from ltm.packs.values import FRAGMENTS, VALUE_TYPES
from ltm.packs.vocabulary import Term, Vocabulary

DEFAULT_HALF_LIFE_DAYS = 180.0


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltPack:
    """A pack, and what the packs that are loaded after it may use."""

    pack: Pack
    fragments: dict[str, str]
    vocabularies: dict[str, Vocabulary]


def build_pack(files: PackFiles, head: PackFile, *, earlier: Sequence[BuiltPack]) -> BuiltPack:
    """Build one pack on the packs that were loaded before it.

    Raises:
        PackError: Something is malformed, or refers to what is not declared.
    """
    label = f"{head.name}@{head.version}"
    vocabularies = _vocabularies(files, earlier)
    fragments = _fragments(head, vocabularies, earlier)
    half_lives = _half_lives(head, earlier)
    slots = _slots(files, label, vocabularies, half_lives)
    known = {slot.key: slot for part in earlier for slot in part.pack.slots} | {slot.key: slot for slot in slots}
    pack = Pack(
        name=head.name,
        version=head.version,
        summary=head.summary,
        extends=head.extends,
        content_hash=files.content_hash,
        half_lives=half_lives,
        slots=slots,
        rules=_rules(files, label, fragments, known),
        lexicons=_lexicons(files),
        prompts=_prompts(files),
        machines=_machines(files, head.name, known),
    )
    return BuiltPack(pack=pack, fragments=fragments, vocabularies=vocabularies)


def _vocabularies(files: PackFiles, earlier: Sequence[BuiltPack]) -> dict[str, Vocabulary]:
    found = {name: vocabulary for part in earlier for name, vocabulary in part.vocabularies.items()}
    for name, content in files.inside("vocabularies"):
        document = parse_toml(content, VocabularyFile, where=files.where(name))
        terms = tuple(Term(value=term.value, names={Lang.ZH: term.zh, Lang.EN: term.en}) for term in document.term)
        found[document.name] = Vocabulary(name=document.name, terms=terms)
    return found


def _fragments(head: PackFile, vocabularies: dict[str, Vocabulary], earlier: Sequence[BuiltPack]) -> dict[str, str]:
    inherited = {name: text for part in earlier for name, text in part.fragments.items()}
    words = {name: any_of(vocabulary.names) for name, vocabulary in vocabularies.items()}
    return {**FRAGMENTS, **inherited, **words, **head.fragments}


def _half_lives(head: PackFile, earlier: Sequence[BuiltPack]) -> dict[Kind, float]:
    inherited = earlier[0].pack.half_lives if earlier else dict.fromkeys(Kind, DEFAULT_HALF_LIFE_DAYS)
    return {**inherited, **head.half_life_days}


def _slots(
    files: PackFiles, label: str, vocabularies: dict[str, Vocabulary], half_lives: dict[Kind, float]
) -> tuple[Slot, ...]:
    content = files.find("slots.toml")
    if content is None:
        return ()
    where = files.where("slots.toml")
    tables = parse_toml(content, SlotsFile, where=where).slot
    return tuple(_slot(table, label, vocabularies, half_lives, f"{where}: slot {table.key!r}") for table in tables)


def _slot(
    table: SlotTable, label: str, vocabularies: dict[str, Vocabulary], half_lives: dict[Kind, float], where: str
) -> Slot:
    if table.type not in VALUE_TYPES:
        raise PackError(f"{where}: key 'type': no value type {table.type!r}; there are {', '.join(VALUE_TYPES)}")
    if table.vocabulary is not None and table.vocabulary not in vocabularies:
        raise PackError(f"{where}: key 'vocabulary': no vocabulary {table.vocabulary!r}")
    for sentence in (table.sentence.zh, table.sentence.en):
        if sentence.count("$value") != 1 or sentence.count("$") != 1:
            raise PackError(f"{where}: key 'sentence': {sentence!r} must hold $value once and no other '$'")
    return Slot(
        key=table.key,
        kind=table.kind,
        is_set=table.set,
        value_type=table.type,
        half_life_days=table.half_life_days or half_lives[table.kind],
        sentences={Lang.ZH: table.sentence.zh, Lang.EN: table.sentence.en},
        pack=label,
        vocabulary=vocabularies[table.vocabulary] if table.vocabulary else None,
        opposites=table.opposites,
        currency=table.currency,
    )


def _rules(files: PackFiles, label: str, fragments: dict[str, str], slots: dict[str, Slot]) -> tuple[Rule, ...]:
    rules = []
    for name, content in files.inside("rules"):
        document = parse_toml(content, RulesFile, where=files.where(name))
        available = {**fragments, **document.fragments}
        rules += [
            _rule(table, label, available, slots, f"{files.where(name)}: rule {table.id!r}") for table in document.rule
        ]
    return tuple(rules)


def _rule(table: RuleTable, label: str, fragments: dict[str, str], slots: dict[str, Slot], where: str) -> Rule:
    slot = None if table.slot is None else slots.get(table.slot)
    if table.slot is not None and slot is None:
        raise PackError(f"{where}: key 'slot': no loaded pack declares {table.slot!r}")
    reader = table.reader or (slot.value_type if slot else "text")
    if reader not in VALUE_TYPES:
        raise PackError(f"{where}: key 'reader': no value type {reader!r}; there are {', '.join(VALUE_TYPES)}")
    pattern = compile_pattern(expand(table.pattern, fragments, where=where), where=f"{where}: key 'pattern'")
    _check_rule(table, slot, "value" in pattern.groupindex, where)
    unless = "|".join(f"(?:{expand(part, fragments, where=where)})" for part in table.unless)
    kind = table.kind or (slot.kind if slot else Kind.FACT)
    return Rule(
        id=table.id,
        pack=label,
        triggers=tuple(fold_text(trigger) for trigger in table.triggers),
        pattern=pattern,
        unless=compile_pattern(unless, where=f"{where}: key 'unless'") if unless else None,
        slot=table.slot,
        reader=reader,
        constant=table.value,
        texts={} if table.text is None else {Lang.ZH: table.text.zh, Lang.EN: table.text.en},
        kind=kind,
        op=table.op or (Op.ADD if slot and slot.is_set else Op.SET),
        speech_act=table.speech_act,
        confidence=table.confidence,
        is_denial=table.denial,
        is_weak=table.weak,
        matches=tuple(Example(text=example.text, value=example.value) for example in table.match),
        no_matches=table.no_match,
    )


def _check_rule(table: RuleTable, slot: Slot | None, has_group: bool, where: str) -> None:
    if table.value is None and not has_group:
        raise PackError(f"{where}: key 'pattern': needs a group (?P<value>...), or the rule a key 'value'")
    if slot is None and table.text is None:
        raise PackError(f"{where}: a rule without 'slot' needs 'text' with $value in zh and en")
    if slot is not None and not slot.is_set and table.op not in (None, Op.SET):
        raise PackError(f"{where}: key 'op': {slot.key} holds one value, only 'set' is possible")


def _lexicons(files: PackFiles) -> tuple[Lexicon, ...]:
    lexicons = []
    for name, content in files.inside("lexicons"):
        document = parse_toml(content, LexiconFile, where=files.where(name))
        words: dict[Lang, WordsTable] = {Lang.ZH: document.zh, Lang.EN: document.en}
        for lang, table in words.items():
            for pattern in table.patterns:
                compile_pattern(pattern, where=f"{files.where(name)}: key '{lang}.patterns': {pattern!r}")
        lexicons.append(
            Lexicon(
                name=document.name,
                terms={lang: tuple(fold_text(term) for term in table.terms) for lang, table in words.items()},
                patterns={lang: table.patterns for lang, table in words.items()},
            )
        )
    return tuple(lexicons)


def _prompts(files: PackFiles) -> tuple[Prompt, ...]:
    return tuple(parse_prompt(content, where=files.where(name)) for name, content in files.inside("prompts"))


def _machines(files: PackFiles, pack: str, slots: dict[str, Slot]) -> tuple[Machine, ...]:
    content = files.find("machines.toml")
    if content is None:
        return ()
    where = files.where("machines.toml")
    tables = parse_toml(content, MachinesFile, where=where).machine
    return tuple(_machine(table, pack, slots, f"{where}: machine {table.name!r}") for table in tables)


def _machine(table: MachineTable, pack: str, slots: dict[str, Slot], where: str) -> Machine:
    mentioned = {*table.transitions, *(state for states in table.transitions.values() for state in states)}
    mentioned |= {expire.entering for expire in table.expire}
    unknown = sorted(mentioned - set(table.states))
    if unknown:
        raise PackError(f"{where}: {unknown} are not among its states")
    bound = {table.state_slot, *(key for expire in table.expire for key in expire.slots)}
    undeclared = sorted(bound - set(slots))
    if undeclared:
        raise PackError(f"{where}: no loaded pack declares the slots {undeclared}")
    return Machine(
        name=table.name,
        pack=pack,
        states=table.states,
        transitions={state: table.transitions.get(state, ()) for state in table.states},
        state_slot=table.state_slot,
        expiries=tuple(
            Expiry(entering=expire.entering, slots=expire.slots, keyless_kinds=expire.keyless_kinds)
            for expire in table.expire
        ),
    )
