"""What a request is about, as far as the floor needs to know it.

A request and a memory may share a topic without sharing a word; and a request that anybody could make (a sum, a
question of general knowledge) needs no memory, however near one happens to be. Sets of topics are bits of an int.
"""

import re
import tomllib
from dataclasses import dataclass
from enum import IntEnum
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from ltm.models import Lang
from ltm.recall.vocabulary import Vocabulary, fold_plain, with_plurals

_MAX_CHARS = 2_000
"""A text is searched for topics up to here: what a long one is about is said early."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a request is about.

    Attributes:
        topics: Bits of the topics it names; most requests name none or one.
        is_general: Anybody could ask it, and the answer is the same for all.
    """

    topics: int
    is_general: bool


class Bearing(IntEnum):
    """How a memory stands to what a request names: about it, of another domain, about other topics, or neither."""

    SILENT = 0
    ABOUT = 1
    FOREIGN = 2
    ELSEWHERE = 3
    FOREIGN_ELSEWHERE = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class _Lexicon:
    """The data files, compiled.

    Attributes:
        names: Topics by the place of their bit.
        prefixes: Bits of topics by the prefix of their slots.
        domains: Bits of the topics that have a whole pack: a prefix that ends in a dot.
    """

    names: tuple[str, ...]
    prefixes: dict[str, int]
    domains: int
    asked: Vocabulary
    told: Vocabulary
    patterns: re.Pattern[str]
    always: int
    impersonal: int
    person: int


def asked_about(intent: str) -> Asked:
    """Return what a request is about; of a long one the end is read."""
    return _asked_about(intent[-_MAX_CHARS:])


@lru_cache(maxsize=1024)
def _asked_about(intent: str) -> Asked:
    lexicon = _lexicon()
    folded = fold_plain(intent)
    bits = lexicon.asked.find(folded)
    is_general = (
        bool(bits & lexicon.always)
        or bool(bits & lexicon.impersonal and not bits & lexicon.person)
        or lexicon.patterns.search(folded) is not None
    )
    return Asked(topics=bits & (lexicon.always - 1), is_general=is_general)


def topic_names(topics: int) -> tuple[str, ...]:
    """Return the names of topics, in the order of the data file."""
    return tuple(name for at, name in enumerate(_lexicon().names) if topics >> at & 1)


def bearing(topics: int, text: str, key: str | None) -> Bearing:
    """Return how a memory stands to the topics that a request names.

    A slot decides before words do. A domain is a whole pack (`job.`); single slots such as `user.location` are foreign
    to no request. Without topics nothing is said.
    """
    if not topics:
        return Bearing.SILENT
    slot = 0 if key is None else _slot_topics(key)
    told = _told(text[:_MAX_CHARS])
    if topics & (slot | told):
        return Bearing.ABOUT
    if slot & _lexicon().domains:
        return Bearing.FOREIGN_ELSEWHERE if told else Bearing.FOREIGN
    return Bearing.ELSEWHERE if told else Bearing.SILENT


def is_slot_of(topics: int, key: str | None) -> bool:
    """Return whether a slot belongs to one of the topics."""
    return bool(topics and key is not None and topics & _slot_topics(key))


@lru_cache(maxsize=8192)
def _told(text: str) -> int:
    return _lexicon().told.find(fold_plain(text))


@lru_cache(maxsize=1024)
def _slot_topics(key: str) -> int:
    bits = 0
    for prefix, topics in _lexicon().prefixes.items():
        if key.startswith(prefix):
            bits |= topics
    return bits


@cache
def _lexicon() -> _Lexicon:
    topics, general = _read("topics.toml"), _read("general.toml")
    bit_of = {name: 1 << at for at, name in enumerate(topics)}
    always, impersonal, person = (1 << (len(topics) + at) for at in range(3))
    asked: dict[str, int] = {}
    told: dict[str, int] = {}
    prefixes: dict[str, int] = {}
    for name, section in topics.items():
        _add(asked, section["asked"], bit_of[name])
        _add(told, section["asked"], bit_of[name])
        _add(told, section["told"], bit_of[name])
        prefixes |= {prefix: prefixes.get(prefix, 0) | bit_of[name] for prefix in section["keys"]}
    _add(asked, general["terms"], always)
    _add(asked, general["impersonal"], impersonal)
    asked = with_plurals(asked)
    _add(asked, general["persons"], person)  # without plurals: of "i" it would be "is"
    return _Lexicon(
        names=tuple(topics),
        prefixes=prefixes,
        domains=sum(bit_of[name] for name, section in topics.items() if any(key[-1] == "." for key in section["keys"])),
        asked=Vocabulary(asked),
        told=Vocabulary(with_plurals(told)),
        patterns=re.compile("|".join(f"(?:{pattern})" for pattern in general["patterns"])),
        always=always,
        impersonal=impersonal,
        person=person,
    )


def _add(words: dict[str, int], by_lang: dict[str, list[str]], bit: int) -> None:
    for lang in Lang:
        for word in by_lang[lang]:
            words[word] = words.get(word, 0) | bit


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads(files("ltm.recall").joinpath("data", name).read_text(encoding="utf-8"))
