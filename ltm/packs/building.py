"""Turn the parsed files of a pack into frozen values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ltm.models import Kind, Lang
from ltm.packs.building_rules import RuleBuilder
from ltm.packs.building_slots import build_machines, build_slots
from ltm.packs.documents import (
    LexiconFile,
    PackFile,
    TopicsFile,
    VocabularyFile,
    WordsTable,
)
from ltm.packs.folding import fold_text
from ltm.packs.lexicon import Lexicon
from ltm.packs.patterns import any_of, check_pattern, expand
from ltm.packs.prompt import Prompt
from ltm.packs.reading import PackFiles, parse_prompt, parse_toml
from ltm.packs.schema import Pack
from ltm.packs.topic import Topic
from ltm.packs.values import FRAGMENTS
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
    slots = build_slots(files, label, vocabularies, half_lives)
    known = {slot.key: slot for part in earlier for slot in part.pack.slots} | {slot.key: slot for slot in slots}
    pack = Pack(
        name=head.name,
        version=head.version,
        summary=head.summary,
        extends=head.extends,
        content_hash=files.content_hash,
        half_lives=half_lives,
        ttls=_ttls(head, earlier),
        slots=slots,
        rules=RuleBuilder(files, label=label, fragments=fragments, vocabularies=vocabularies, slots=known).build(),
        lexicons=_lexicons(files, fragments),
        prompts=_prompts(files),
        machines=build_machines(files, head.name, known),
        topics=_topics(files),
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


def _ttls(head: PackFile, earlier: Sequence[BuiltPack]) -> dict[Kind, float]:
    inherited = earlier[0].pack.ttls if earlier else {}
    return {**inherited, **head.ttl_days}


def _lexicons(files: PackFiles, fragments: Mapping[str, str]) -> tuple[Lexicon, ...]:
    lexicons = []
    for name, content in files.inside("lexicons"):
        document = parse_toml(content, LexiconFile, where=files.where(name))
        words: dict[Lang, WordsTable] = {Lang.ZH: document.zh, Lang.EN: document.en}
        where = f"{files.where(name)}: key"
        known = {**fragments, **document.fragments}
        lexicons.append(
            Lexicon(
                name=document.name,
                terms={lang: tuple(fold_text(term) for term in table.terms) for lang, table in words.items()},
                patterns={
                    lang: tuple(_pattern(text, known, files, f"{where} '{lang}.patterns'") for text in table.patterns)
                    for lang, table in words.items()
                },
            )
        )
    return tuple(lexicons)


def _pattern(text: str, fragments: Mapping[str, str], files: PackFiles, where: str) -> str:
    """Return a lexicon's pattern with its fragments put in; one that is not ours must be bounded."""
    pattern = expand(text, fragments, where=f"{where}: {text!r}")
    if not files.is_trusted:
        check_pattern(pattern, where=f"{where}: {text!r}")
    return pattern


def _prompts(files: PackFiles) -> tuple[Prompt, ...]:
    return tuple(parse_prompt(content, where=files.where(name)) for name, content in files.inside("prompts"))


def _topics(files: PackFiles) -> tuple[Topic, ...]:
    content = files.find("topics.toml")
    if content is None:
        return ()
    tables = parse_toml(content, TopicsFile, where=files.where("topics.toml")).topic
    return tuple(
        Topic(
            name=table.name,
            keys=table.keys,
            asked=(*table.asked.zh, *table.asked.en),
            told=(*table.told.zh, *table.told.en),
        )
        for table in tables
    )
