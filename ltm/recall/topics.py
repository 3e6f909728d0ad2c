"""What a request is about, as far as the floor needs to know it.

A request and a memory may share a topic without sharing a word; and a request that anybody could make (a sum, a
question of general knowledge) needs no memory, however near one happens to be.
"""

import re
import tomllib
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from ltm.models import Lang
from ltm.packs.folding import fold_text
from ltm.packs.patterns import any_of

_MAX_CHARS = 2_000
"""A text is searched for topics up to here: what a long one is about is said early."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """One topic: how requests name it, how memories show it, and which slots belong to it by prefix."""

    name: str
    keys: tuple[str, ...]
    asked: re.Pattern[str]
    told: re.Pattern[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a request is about.

    Attributes:
        topics: Those it names; most requests name none or one.
        is_general: Anybody could ask it, and the answer is the same for all.
    """

    topics: tuple[Topic, ...]
    is_general: bool


@cache
def load_topics() -> tuple[Topic, ...]:
    """Return the built-in topics, in the order of their file."""
    return tuple(_topic(name, section) for name, section in _read("topics.toml").items())


@lru_cache(maxsize=1024)
def asked_about(intent: str) -> Asked:
    """Return what a request is about."""
    folded = fold_text(intent[-_MAX_CHARS:])
    return Asked(
        topics=tuple(topic for topic in load_topics() if topic.asked.search(folded)),
        is_general=_is_general(folded),
    )


def is_slot_of(topics: tuple[Topic, ...], key: str | None) -> bool:
    """Return whether a slot belongs to one of the topics."""
    return key is not None and any(key.startswith(topic.keys) for topic in topics if topic.keys)


def is_foreign_slot(topics: tuple[Topic, ...], key: str | None) -> bool:
    """Return whether a slot belongs to a domain that the request does not name, though it names some topic.

    A domain is a whole pack (`job.`); single slots such as `user.location` are foreign to no request.
    """
    if key is None or not topics or is_slot_of(topics, key):
        return False
    return any(key.startswith(prefix) for topic in load_topics() for prefix in topic.keys if prefix.endswith("."))


def is_about(topics: tuple[Topic, ...], text: str, key: str | None) -> bool:
    """Return whether a memory is about one of the topics, by its slot or by its words."""
    if is_slot_of(topics, key):
        return True
    folded = _folded(text) if topics else ""
    return any(topic.told.search(folded) for topic in topics)


@lru_cache(maxsize=8192)
def _folded(text: str) -> str:
    return fold_text(text[:_MAX_CHARS])


def _is_general(folded: str) -> bool:
    general = _general()
    if general.always.search(folded):
        return True
    return general.impersonal.search(folded) is not None and general.persons.search(folded) is None


@dataclass(frozen=True, slots=True, kw_only=True)
class _General:
    always: re.Pattern[str]
    impersonal: re.Pattern[str]
    persons: re.Pattern[str]


@cache
def _general() -> _General:
    table = _read("general.toml")
    words = {name: any_of(_with_plurals(_words(table[name]))) for name in ("terms", "impersonal")}
    patterns = [f"(?:{pattern})" for pattern in table["patterns"]]
    return _General(
        always=re.compile("|".join([*patterns, words["terms"]])),
        impersonal=re.compile(words["impersonal"]),
        persons=re.compile(any_of(_words(table["persons"]))),
    )


def _topic(name: str, section: dict[str, dict[str, list[str]]]) -> Topic:
    asked, told = _words(section["asked"]), _words(section["told"])
    return Topic(
        name=name,
        keys=tuple(section["keys"]),
        asked=re.compile(any_of(_with_plurals(asked))),
        told=re.compile(any_of(_with_plurals([*asked, *told]))),
    )


def _words(by_lang: dict[str, list[str]]) -> list[str]:
    return [word for lang in Lang for word in by_lang[lang]]


def _with_plurals(words: list[str]) -> list[str]:
    return [*words, *(f"{word}s" for word in words if word.isascii() and word[-1].isalpha() and word[-1] != "s")]


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads(files("ltm.recall").joinpath("data", name).read_text(encoding="utf-8"))
