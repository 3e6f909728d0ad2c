"""The shape of a pack's files. An unknown key is an error; see `ltm.packs.reading` for how it is reported."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints

from ltm.models import Kind, Op, SpeechAct

Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,63}$")]
RuleId = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]{0,79}$")]
Key = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,31}(\.[a-z][a-z0-9_]{0,63}){1,3}$")]
KeyPrefix = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,31}\.[a-z0-9_.]{0,96}$")]
Version = Annotated[str, StringConstraints(pattern=r"^\d{1,6}\.\d{1,6}\.\d{1,6}$")]
Text = Annotated[str, StringConstraints(min_length=1, max_length=2000)]
Days = Annotated[float, Field(gt=0, le=36_500)]


class Document(BaseModel):
    """A table of a pack file."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ByLang(Document):
    """A text in both languages."""

    zh: Text
    en: Text


class PackFile(Document):
    """`pack.toml`."""

    name: Name
    version: Version
    summary: Text
    extends: tuple[Text, ...] = ()
    half_life_days: dict[Kind, Days] = Field(default_factory=dict)
    ttl_days: dict[Kind, Days] = Field(default_factory=dict)
    fragments: dict[Name, Text] = Field(default_factory=dict)


class SlotTable(Document):
    """`[[slot]]`."""

    key: Key
    kind: Kind
    type: Name
    set: bool = False
    half_life_days: Days | None = None
    ttl_days: Days | None = None
    sentence: ByLang
    vocabulary: Name | None = None
    opposites: tuple[Key, ...] = ()
    currency: Annotated[str, StringConstraints(pattern=r"^[A-Z]{3}$")] | None = None
    period: Literal["hour", "day", "week", "month", "year"] | None = None


class SlotsFile(Document):
    """`slots.toml`."""

    slot: tuple[SlotTable, ...]


class ExampleTable(Document):
    """An entry of a rule's `match`."""

    text: Text
    value: JsonValue


class RuleTable(Document):
    """`[[rule]]`."""

    id: RuleId
    triggers: Annotated[tuple[Text, ...], Field(min_length=1)] = ()
    answers: Name | None = None
    question: Text | None = None
    needs: tuple[Text, ...] = ()
    pattern: Text
    unless: tuple[Text, ...] = ()
    slot: Key | None = None
    reader: Name | None = None
    value: JsonValue = None
    text: ByLang | None = None
    kind: Kind | None = None
    op: Op | None = None
    speech_act: SpeechAct = SpeechAct.STATEMENT
    confidence: Annotated[float, Field(gt=0, le=1)] = 0.9
    denial: bool = False
    weak: bool = False
    least: bool = False
    match: Annotated[tuple[ExampleTable, ...], Field(min_length=1)]
    no_match: Annotated[tuple[Text, ...], Field(min_length=1)]


class RulesFile(Document):
    """A file of `rules/`."""

    fragments: dict[Name, Text] = Field(default_factory=dict)
    rule: tuple[RuleTable, ...]


class TermTable(Document):
    """`[[term]]`: what is stored, and its spellings in each language, the first one what is shown."""

    value: Text
    zh: tuple[Text, ...] = ()
    en: tuple[Text, ...] = ()


class VocabularyFile(Document):
    """A file of `vocabularies/`."""

    name: Name
    term: tuple[TermTable, ...]


class WordsTable(Document):
    """What a lexicon holds in one language."""

    terms: tuple[Text, ...] = ()
    patterns: tuple[Text, ...] = ()


class LexiconFile(Document):
    """A file of `lexicons/`."""

    name: Name
    fragments: dict[Name, Text] = Field(default_factory=dict)
    zh: WordsTable = WordsTable()
    en: WordsTable = WordsTable()


class WordsByLang(Document):
    """Words of each language."""

    zh: tuple[Text, ...] = ()
    en: tuple[Text, ...] = ()


class TopicTable(Document):
    """`[[topic]]`."""

    name: Name
    keys: tuple[KeyPrefix, ...] = ()
    asked: WordsByLang = WordsByLang()
    told: WordsByLang = WordsByLang()


class TopicsFile(Document):
    """`topics.toml`."""

    topic: tuple[TopicTable, ...]


class ExpireTable(Document):
    """`[[machine.expire]]`."""

    entering: Name
    slots: tuple[Key, ...] = ()
    keyless_kinds: tuple[Kind, ...] = ()


class MachineTable(Document):
    """`[[machine]]`."""

    name: Name
    states: Annotated[tuple[Name, ...], Field(min_length=1)]
    state_slot: Key
    transitions: dict[Name, tuple[Name, ...]]
    expire: tuple[ExpireTable, ...] = ()


class MachinesFile(Document):
    """`machines.toml`."""

    machine: tuple[MachineTable, ...]


class PromptHead(Document):
    """The front matter of a file of `prompts/`."""

    name: Name
    version: Version
    variables: tuple[Name, ...] = ()
