"""What a pack declares, as frozen values."""

import re
from dataclasses import dataclass

from ltm.models import Json, Kind, Lang, Op, SpeechAct
from ltm.packs.lexicon import Lexicon
from ltm.packs.machine import Machine
from ltm.packs.patterns import compiled
from ltm.packs.prompt import Prompt
from ltm.packs.topic import Topic
from ltm.packs.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """A named attribute of a user.

    Attributes:
        key: Unique over all loaded packs, e.g. `job.expected_salary`.
        kind: Kind of the memories that hold it.
        is_set: Whether the value is a list of distinct members.
        value_type: Name of a value type, see `ltm.packs.values`.
        half_life_days: Age at which recency is one half.
        ttl_days: Age at which the memory expires; None: never.
        sentences: The sentence for a language, with `$value`.
        pack: `name@version` of the pack that declares it.
        vocabulary: Canonical terms and their other spellings, or None.
        opposites: Keys of slots that must not hold the same member: what is wanted is not excluded.
        currency: What an amount without a mark is counted in, where the words do not say otherwise; None: open.
        period: For a rate, what an amount without a period counts for; None for what is no rate.
    """

    key: str
    kind: Kind
    is_set: bool
    value_type: str
    half_life_days: float
    sentences: dict[Lang, str]
    pack: str
    vocabulary: Vocabulary | None = None
    opposites: tuple[str, ...] = ()
    currency: str | None = None
    period: str | None = None
    ttl_days: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A text that a rule must match.

    Attributes:
        value: The candidate's value, or its text for a rule without a slot.
    """

    text: str
    value: Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """How a memory is read from a user's own words.

    Attributes:
        triggers: Folded literals, one of which must be in the text; what makes a rule cheap where it does not apply.
        answers: Name of a lexicon: the rule reads only what answers a question that holds a word of it (`15k` alone
            says nothing), or what corrects a statement about its slot; None for a rule whose words say enough.
        question: A question that its examples answer, "" for a rule that needs none.
        needs: Further folded literals, one of which must be there too; () asks for nothing.
        pattern_text: A regular expression over folded text; the group `value` holds the words that the value is read
            from.
        unless_text: One that, found in the clause, keeps the rule silent; "" for none.
        slot: Key that it fills, or None for a key-less memory.
        reader: Value type that reads the group `value`; the slot's own where the rule does not name one.
        constants: The members themselves where the value does not come from the words; else ().
        texts: For a key-less memory, its text for a language, with `$value`.
        is_denial: The user says that it is not, or no longer, so.
        is_weak: Gives way to any other rule's candidate from overlapping words.
        is_least: The number that it reads is a lower bound of what the slot holds: it never lowers it.
        pack: `name@version` of the pack that declares it.
    """

    id: str
    pack: str
    triggers: tuple[str, ...]
    needs: tuple[str, ...]
    pattern_text: str
    unless_text: str
    slot: str | None
    reader: str
    constants: tuple[Json, ...]
    texts: dict[Lang, str]
    kind: Kind
    op: Op
    speech_act: SpeechAct
    confidence: float
    is_denial: bool
    is_weak: bool
    is_least: bool
    matches: tuple[Example, ...]
    no_matches: tuple[str, ...]
    answers: str | None = None
    question: str = ""

    @property
    def pattern(self) -> re.Pattern[str]:
        """Return the compiled pattern."""
        return compiled(self.pattern_text)

    @property
    def unless(self) -> re.Pattern[str] | None:
        """Return what keeps the rule silent, compiled, or None."""
        return compiled(self.unless_text) if self.unless_text else None

    def may_match(self, folded: str) -> bool:
        """Tell whether what the rule needs beside a trigger is in a text."""
        return not self.needs or any(literal in folded for literal in self.needs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pack:
    """One domain pack.

    Attributes:
        extends: Names of the packs whose slots and rules it builds on, as written.
        half_lives: Days for key-less memories, by kind.
        ttls: Days after which key-less memories expire, by kind; a kind that is absent stays.
        content_hash: SHA-256 over the names and bytes of its files.
    """

    name: str
    version: str
    summary: str
    extends: tuple[str, ...]
    content_hash: str
    half_lives: dict[Kind, float]
    ttls: dict[Kind, float]
    slots: tuple[Slot, ...]
    rules: tuple[Rule, ...]
    lexicons: tuple[Lexicon, ...]
    prompts: tuple[Prompt, ...]
    machines: tuple[Machine, ...]
    topics: tuple[Topic, ...]

    @property
    def label(self) -> str:
        """Return `name@version`, as it stands on version rows."""
        return f"{self.name}@{self.version}"
