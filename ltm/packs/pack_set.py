"""All loaded packs as one."""

from collections.abc import Collection
from dataclasses import dataclass, field
from hashlib import sha256
from string import Template

from ltm.errors import InvalidRequestError, PackError
from ltm.models import Json, Kind, Lang
from ltm.packs.lexicon import Lexicon, merge_lexicons
from ltm.packs.machine import Machine
from ltm.packs.prompt import Prompt
from ltm.packs.schema import Pack, Rule, Slot
from ltm.packs.topic import Topic, merge_topics
from ltm.packs.triggers import Triggers
from ltm.packs.values import VALUE_TYPES

UNIT_UNSAID = frozenset({"thousands"})
"""Readers that supply a unit: only the question says which, so a correction of some amount is not theirs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PackSet:
    """What the loaded packs declare, `core` first.

    Attributes:
        content_hash: SHA-256 over the packs' own hashes, in load order; version rows carry it.
        rules: In load order; a rule of a later pack never hides one of an earlier pack.
        topics: Each name once, with what all packs say of it.
    """

    packs: tuple[Pack, ...]
    slots: dict[str, Slot]
    rules: tuple[Rule, ...]
    machines: dict[str, Machine]
    lexicons: dict[str, Lexicon]
    prompts: dict[str, Prompt]
    topics: tuple[Topic, ...]
    content_hash: str
    _triggers: Triggers = field(repr=False, compare=False)
    _elliptic: tuple[tuple[int, Rule], ...] = field(repr=False, compare=False)

    def triggered_rules(self, folded: str) -> list[int]:
        """Return the positions in `rules` of those that a folded text may concern, in order."""
        return [position for position in self._triggers.find(folded) if self.rules[position].may_match(folded)]

    def answering_rules(self, asked: Collection[str]) -> list[int]:
        """Return the positions in `rules` of those that answer a question with words of these lexicons, in order."""
        return [position for position, rule in self._elliptic if rule.answers in asked] if asked else []

    def correcting_rules(self, key: str | None) -> list[int]:
        """Return the positions in `rules` of those that read what corrects a statement about a slot, in order."""
        return [position for position, rule in self._elliptic if rule.slot == key and rule.reader not in UNIT_UNSAID]

    def find_slot(self, key: str | None) -> Slot | None:
        """Return the slot, or None for an undeclared key and for None."""
        return None if key is None else self.slots.get(key)

    def pack_of(self, key: str | None) -> str | None:
        """Return `name@version` of the pack that declares the key, or None."""
        slot = self.find_slot(key)
        return None if slot is None else slot.pack

    def find_pack(self, name: str) -> Pack | None:
        """Return a loaded pack by its bare name or by `name@version`, or None."""
        return next((pack for pack in self.packs if name in (pack.name, pack.label)), None)

    def find_machine(self, name: str) -> Machine | None:
        """Return the machine of this name, or None."""
        return self.machines.get(name)

    def machine_of(self, key: str | None) -> Machine | None:
        """Return the machine whose current state this slot holds, or None for any other key."""
        return next((machine for machine in self.machines.values() if machine.state_slot == key), None)

    def lexicon(self, name: str) -> Lexicon:
        """Return what all packs together put into the lexicon of this name.

        Raises:
            PackError: No loaded pack has one.
        """
        if name not in self.lexicons:
            raise PackError(f"no loaded pack has a lexicon {name!r}")
        return self.lexicons[name]

    def prompt(self, name: str) -> Prompt:
        """Return the prompt of this name, of the pack loaded last that has one.

        Raises:
            PackError: No loaded pack has one.
        """
        if name not in self.prompts:
            raise PackError(f"no loaded pack has a prompt {name!r}")
        return self.prompts[name]

    def half_life_days(self, kind: Kind, key: str | None = None, pack: str | None = None) -> float:
        """Return the age in days at which recency is one half.

        Args:
            kind: Kind of the memory; decides for key-less memories and undeclared keys.
            key: A declared key decides by itself.
            pack: `name@version` or bare name of a key-less memory's pack; None or unknown means `core`.
        """
        slot = self.find_slot(key)
        if slot is not None:
            return slot.half_life_days
        declaring = None if pack is None else self.find_pack(pack)
        return (declaring or self.packs[0]).half_lives[kind]

    def ttl_days(self, kind: Kind, key: str | None = None, pack: str | None = None) -> float | None:
        """Return the age in days at which a memory expires, None where it never does.

        The arguments are those of `half_life_days`; a declared slot expires only where it says so itself.
        """
        slot = self.find_slot(key)
        if slot is not None:
            return slot.ttl_days
        declaring = None if pack is None else self.find_pack(pack)
        return (declaring or self.packs[0]).ttls.get(kind)

    def normalise(self, key: str, value: Json) -> Json:
        """Return the canonical value of a trusted write: typed, with units, a set as a list without repetition.

        Canonical values come back unchanged. Usual spellings are read (`"15-20k"`, `"本科"`, one string for a set). The
        value of an undeclared key is returned as it is.

        Raises:
            InvalidRequestError: The slot cannot hold it; the message says what is expected.
        """
        slot = self.slots.get(key)
        if slot is None:
            return value
        value_type = VALUE_TYPES[slot.value_type]
        given = value if slot.is_set and isinstance(value, list | tuple) else [value]
        members: list[Json] = []
        for member in given:
            for accepted in value_type.accept(member, slot) if member is not None else ():
                if accepted not in members:
                    members.append(accepted)
        if not members or (not slot.is_set and len(members) > 1):
            count = "one or more of " if slot.is_set else ""
            raise InvalidRequestError(f"{key} expects {count}{value_type.expected(slot)}; got {_shown(value)}")
        return members if slot.is_set else members[0]

    def show(self, key: str, value: Json, lang: Lang) -> str:
        """Return a normalised value as a reader sees it: `15-20k/月`, `杭州、上海`."""
        slot = self.slots.get(key)
        if slot is None or value is None:
            return "" if value is None else str(value)
        members = value if isinstance(value, list | tuple) else [value]
        value_type = VALUE_TYPES[slot.value_type]
        return ("、" if lang == Lang.ZH else ", ").join(value_type.show(member, slot, lang) for member in members)

    def sentence(self, key: str, value: Json, lang: Lang) -> str:
        """Return the sentence that states a normalised value: `期望薪资：15-20k/月`."""
        shown = self.show(key, value, lang)
        slot = self.slots.get(key)
        if slot is None:
            return f"{key}：{shown}" if lang == Lang.ZH else f"{key}: {shown}"
        return Template(slot.sentences[lang]).substitute(value=shown)


def merge_packs(packs: tuple[Pack, ...]) -> PackSet:
    """Join packs in load order.

    Raises:
        PackError: Two of them have the same name, key, rule id or machine.
    """
    _check_unique([pack.name for pack in packs], "pack", packs)
    slots = [slot for pack in packs for slot in pack.slots]
    rules = tuple(rule for pack in packs for rule in pack.rules)
    machines = [machine for pack in packs for machine in pack.machines]
    _check_unique([slot.key for slot in slots], "slot", packs)
    _check_unique([rule.id for rule in rules], "rule", packs)
    _check_unique([machine.name for machine in machines], "machine", packs)
    by_key = {slot.key: slot for slot in slots}
    _check_opposites(by_key)
    lexicons: dict[str, Lexicon] = {}
    for lexicon in (lexicon for pack in packs for lexicon in pack.lexicons):
        known = lexicons.get(lexicon.name)
        lexicons[lexicon.name] = merge_lexicons(known, lexicon) if known else lexicon
    _check_answers(rules, lexicons)
    return PackSet(
        packs=packs,
        slots=by_key,
        rules=rules,
        machines={machine.name: machine for machine in machines},
        lexicons=lexicons,
        prompts={prompt.name: prompt for pack in packs for prompt in pack.prompts},
        topics=merge_topics(topic for pack in packs for topic in pack.topics),
        content_hash=sha256("\n".join(pack.content_hash for pack in packs).encode()).hexdigest(),
        _triggers=Triggers([rule.triggers for rule in rules]),
        _elliptic=tuple((position, rule) for position, rule in enumerate(rules) if rule.answers is not None),
    )


def _check_unique(names: list[str], what: str, packs: tuple[Pack, ...]) -> None:
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        among = ", ".join(pack.label for pack in packs)
        raise PackError(f"{what} {repeated[0]!r} is declared twice among the packs {among}")


def _check_answers(rules: tuple[Rule, ...], lexicons: dict[str, Lexicon]) -> None:
    for rule in rules:
        if rule.answers is not None and rule.answers not in lexicons:
            raise PackError(f"rule {rule.id!r}: key 'answers': no loaded pack has a lexicon {rule.answers!r}")


def _check_opposites(slots: dict[str, Slot]) -> None:
    for slot in slots.values():
        for opposite in slot.opposites:
            if opposite not in slots or not slots[opposite].is_set or not slot.is_set:
                raise PackError(f"slot {slot.key!r}: key 'opposites': {opposite!r} is not a set slot beside a set slot")


def _shown(value: Json) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
