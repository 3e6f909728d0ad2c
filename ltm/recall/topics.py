"""What a request is about, as far as the floor needs to know it.

A request and a memory may share a topic without sharing a word; and a request that anybody could make (a sum, a
question of general knowledge) needs no memory, however near one happens to be. Sets of topics are bits of an int.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

from ltm.packs import Lexicon, PackSet, Topic
from ltm.recall.word_trie import WordTrie, fold_plain, with_plurals

_MAX_CHARS = 2_000
"""A text is searched for topics up to here: what a long one is about is said early."""


class Bearing(IntEnum):
    """How a memory stands to what a request names: about it, of another domain, about other topics, or neither."""

    SILENT = 0
    ABOUT = 1
    FOREIGN = 2
    ELSEWHERE = 3
    FOREIGN_ELSEWHERE = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a request is about.

    Attributes:
        topics: Bits of the topics it names; most requests name none or one.
        is_general: Anybody could ask it, and the answer is the same for all.
        is_choice: It asks for something to be chosen or arranged.
    """

    topics: int
    is_general: bool
    is_choice: bool = False


class TopicWords:
    """The topics of some packs and the words of requests that anybody could make, ready to be looked for."""

    def __init__(self, packs: PackSet) -> None:
        bits = {topic.name: 1 << at for at, topic in enumerate(packs.topics)}
        self._always, self._impersonal, self._person, self._choice = (1 << (len(bits) + at) for at in range(4))
        general = packs.lexicon("intent_general")
        asked = _words((bits[topic.name], topic.asked) for topic in packs.topics)
        told = _words((bits[topic.name], (*topic.asked, *topic.told)) for topic in packs.topics)
        _add(asked, self._always, _terms(general))
        _add(asked, self._impersonal, _terms(packs.lexicon("intent_impersonal")))
        _add(asked, self._choice, _terms(packs.lexicon("intent_choice")))
        asked = with_plurals(asked)
        _add(asked, self._person, _terms(packs.lexicon("intent_person")))  # no plurals: of "i" it would be "is"
        self._names = tuple(bits)
        self._domains = sum(bits[topic.name] for topic in packs.topics if _is_domain(topic))
        self._prefixes = [(prefix, bits[topic.name]) for topic in packs.topics for prefix in topic.keys]
        self._asked, self._told_words = WordTrie(asked), WordTrie(with_plurals(told))
        self._patterns = [re.compile(pattern) for patterns in general.patterns.values() for pattern in patterns]
        self._read = lru_cache(maxsize=1024)(self._read_intent)
        self._told = lru_cache(maxsize=8192)(self._find_told)
        self._topics_of_slot = lru_cache(maxsize=1024)(self._find_slot)

    def asked_about(self, intent: str) -> Asked:
        """Return what a request is about; of a long one the end is read."""
        return self._read(intent[-_MAX_CHARS:])

    def names(self, topics: int) -> tuple[str, ...]:
        """Return the names of topics, in the order of the packs."""
        return tuple(name for at, name in enumerate(self._names) if topics >> at & 1)

    def bearing(self, topics: int, text: str, key: str | None) -> Bearing:
        """Return how a memory stands to the topics that a request names.

        A slot decides before words do. A domain is a whole pack (`job.`); single slots such as `user.location` are
        foreign to no request. Without topics nothing is said.
        """
        if not topics:
            return Bearing.SILENT
        slot = 0 if key is None else self._topics_of_slot(key)
        told = self._told(text[:_MAX_CHARS])
        if topics & (slot | told):
            return Bearing.ABOUT
        if slot & self._domains:
            return Bearing.FOREIGN_ELSEWHERE if told else Bearing.FOREIGN
        return Bearing.ELSEWHERE if told else Bearing.SILENT

    def is_slot_of(self, topics: int, key: str | None) -> bool:
        """Return whether a slot belongs to one of the topics."""
        return bool(topics and key is not None and topics & self._topics_of_slot(key))

    def _read_intent(self, intent: str) -> Asked:
        folded = fold_plain(intent)
        bits = self._asked.find(folded)
        is_general = (
            bool(bits & self._always)
            or bool(bits & self._impersonal and not bits & self._person)
            or any(pattern.search(folded) for pattern in self._patterns)
        )
        return Asked(topics=bits & (self._always - 1), is_general=is_general, is_choice=bool(bits & self._choice))

    def _find_told(self, text: str) -> int:
        return self._told_words.find(fold_plain(text))

    def _find_slot(self, key: str) -> int:
        bits = 0
        for prefix, bit in self._prefixes:
            if key.startswith(prefix):
                bits |= bit
        return bits


def _is_domain(topic: Topic) -> bool:
    return any(key.endswith(".") for key in topic.keys)


def _terms(lexicon: Lexicon) -> tuple[str, ...]:
    return tuple(term for terms in lexicon.terms.values() for term in terms)


def _words(topics: Iterable[tuple[int, tuple[str, ...]]]) -> dict[str, int]:
    words: dict[str, int] = {}
    for bit, names in topics:
        _add(words, bit, names)
    return words


def _add(words: dict[str, int], bit: int, names: tuple[str, ...]) -> None:
    for name in names:
        words[name] = words.get(name, 0) | bit
