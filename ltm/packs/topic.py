"""What requests and memories may be about without sharing a word."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """One topic, with its words in both languages.

    Attributes:
        keys: Slots, or prefixes of slots, that belong to it whatever their value; a prefix that ends in a dot makes it
            a domain, to which other requests are foreign.
        asked: Words by which a request names it; a memory with one of them is about it as well.
        told: Further words by which a memory is about it.
    """

    name: str
    keys: tuple[str, ...]
    asked: tuple[str, ...]
    told: tuple[str, ...]


def merge_topics(topics: Iterable[Topic]) -> tuple[Topic, ...]:
    """Return each topic once, with what all of its name hold, in the order of their first."""
    merged: dict[str, Topic] = {}
    for topic in topics:
        known = merged.get(topic.name)
        merged[topic.name] = topic if known is None else _joined(known, topic)
    return tuple(merged.values())


def _joined(first: Topic, second: Topic) -> Topic:
    return Topic(
        name=first.name,
        keys=(*first.keys, *second.keys),
        asked=(*first.asked, *second.asked),
        told=(*first.told, *second.told),
    )
