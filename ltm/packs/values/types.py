"""The value types by name; a pack's slots and rules refer to them."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple, Protocol

from ltm.models import Json, Lang
from ltm.packs.values import cities, daytime, money, money_words, phrases, years

if TYPE_CHECKING:
    from ltm.packs.schema import Slot


class Read(NamedTuple):
    """What was read from some words.

    Attributes:
        members: Canonical members in the order of the words; () for nothing, or nothing clear.
        length: How many characters of the words state them.
    """

    members: tuple[Json, ...]
    length: int


class ValueType(Protocol):
    """One kind of value.

    `read` is for a user's words and gives nothing whenever they are not clear; `accept` is for a trusted write and
    takes every usual spelling. Both give canonical members: one for most types, several for a list.
    """

    def read(self, words: str, slot: "Slot | None", lang: Lang) -> Read:
        """Return what the words state from their beginning."""

    def accept(self, value: Json, slot: "Slot") -> tuple[Json, ...]:
        """Return the canonical form of a value; () for what is not one."""

    def show(self, member: Json, slot: "Slot", lang: Lang) -> str:
        """Return a canonical member as a reader sees it."""

    def expected(self, slot: "Slot") -> str:
        """Return what `accept` takes, for a message."""


class Text:
    """Free text, one value."""

    def read(self, words: str, slot: "Slot | None", lang: Lang) -> Read:
        """Return the words, tidied."""
        return Read(self._one(words, slot), len(words))

    def accept(self, value: Json, slot: "Slot") -> tuple[Json, ...]:
        """Return a text, tidied."""
        return self._one(value, slot) if isinstance(value, str) else ()

    def show(self, member: Json, slot: "Slot", lang: Lang) -> str:
        """Return the text, or what its vocabulary calls it in this language."""
        term = slot.vocabulary.find(str(member)) if slot.vocabulary else None
        return term.shown(lang) if term else str(member)

    def expected(self, slot: "Slot") -> str:
        """Name the type."""
        return f"a text of 1 to {phrases.MAX_PHRASE} characters"

    def _one(self, words: str, slot: "Slot | None") -> tuple[Json, ...]:
        text = phrases.canonical(words, slot.vocabulary if slot else None)
        return () if text is None else (text,)


class Phrases(Text):
    """Short phrases; a spoken list gives several."""

    def read(self, words: str, slot: "Slot | None", lang: Lang) -> Read:
        """Return the members of the list, tidied."""
        members = [text for part in phrases.split_list(words) for text in self._one(part, slot)]
        return Read(tuple(dict.fromkeys(members)), len(words))


class Terms(Phrases):
    """Terms of the slot's vocabulary; an application may add others."""

    def read(self, words: str, slot: "Slot | None", lang: Lang) -> Read:
        """Return the terms of the list; () unless every member is in the vocabulary."""
        if slot is None or slot.vocabulary is None:
            return Read((), 0)
        whole = slot.vocabulary.find(words)
        found = [whole] if whole else [slot.vocabulary.find(part) for part in phrases.split_list(words)]
        terms = [term.value for term in found if term is not None]
        return Read(tuple(dict.fromkeys(terms)) if len(terms) == len(found) else (), len(words))


class Choice(Terms):
    """One term of a closed vocabulary."""

    def accept(self, value: Json, slot: "Slot") -> tuple[Json, ...]:
        """Return the canonical term for any of its spellings."""
        term = slot.vocabulary.find(value) if slot.vocabulary and isinstance(value, str) else None
        return () if term is None else (term.value,)

    def expected(self, slot: "Slot") -> str:
        """List the terms."""
        return f"one of {', '.join(slot.vocabulary.values)}" if slot.vocabulary else "nothing: it has no vocabulary"


class City(Text):
    """Names of cities."""

    def read(self, words: str, slot: "Slot | None", lang: Lang) -> Read:
        """Return the cities at the beginning, if what follows does not change them."""
        run = cities.run_of_cities(words)
        return Read(run.cities if run.is_clear else (), run.length)

    def accept(self, value: Json, slot: "Slot") -> tuple[Json, ...]:
        """Return the canonical names; a place that the gazetteer does not know is taken as it is written."""
        if not isinstance(value, str):
            return ()
        return cities.read_cities(value) or self._one(value, None)

    def show(self, member: Json, slot: "Slot", lang: Lang) -> str:
        """Return the name."""
        return str(member)

    def expected(self, slot: "Slot") -> str:
        """Name the type."""
        return "the name of a city"


class Money:
    """An amount or a range of money."""

    def read(self, words: str, slot: "Slot | None", lang: Lang) -> Read:
        """Return the amount that is stated."""
        currency, period = (slot.currency, slot.period) if slot else (None, None)
        amount = money.read_money(words, currency=currency, period=period, lang=lang)
        return Read(() if amount is None else (amount,), len(words))

    def accept(self, value: Json, slot: "Slot") -> tuple[Json, ...]:
        """Return the amount for a mapping, a number or words."""
        if isinstance(value, bool):
            return ()
        amount = money.accept_money(value, currency=slot.currency, period=slot.period)
        return () if amount is None else (amount,)

    def show(self, member: Json, slot: "Slot", lang: Lang) -> str:
        """Return `15-20k/月` or `65k EUR+/year`."""
        return money.show_money(member, lang)

    def expected(self, slot: "Slot") -> str:
        """Show a mapping and the words."""
        return (
            '{"min": 15000, "max": 20000, "currency": "CNY", "period": "month"} (min or max may be null, '
            f"period one of {', '.join(money_words.PERIODS)}) or words such as '15-20k'"
        )


class Thousands(Money):
    """A range of money whose unit goes without saying: `12到15` of somebody who was asked what to earn a month."""

    def read(self, words: str, slot: "Slot | None", lang: Lang) -> Read:
        """Return the range in thousands; () unless the second figure is the larger one, and near the first."""
        figures = [int(figure) for figure in re.findall(r"\d+", words)]
        if len(figures) != 2 or not 0 < figures[0] < figures[1] <= 3 * figures[0]:
            return Read((), 0)
        return super().read(f"{figures[0]}-{figures[1]}k", slot, lang)._replace(length=len(words))


class Years:
    """A length of time in years."""

    def read(self, words: str, slot: "Slot | None", lang: Lang) -> Read:
        """Return the number of years that is stated."""
        number = years.read_years(words)
        return Read(() if number is None else (number,), len(words))

    def accept(self, value: Json, slot: "Slot") -> tuple[Json, ...]:
        """Return the number for a number or words."""
        number = years.accept_years(value)
        return () if number is None else (number,)

    def show(self, member: Json, slot: "Slot", lang: Lang) -> str:
        """Return the number without needless decimals."""
        return str(member)

    def expected(self, slot: "Slot") -> str:
        """Name the range."""
        return f"a number of years from 0 to {years.MOST_YEARS}, or words such as '三年'"


class Daytime(Text):
    """A time of the week."""

    def read(self, words: str, slot: "Slot | None", lang: Lang) -> Read:
        """Return the times of the list; () unless every member is one."""
        found = [daytime.read_daytime(part) for part in phrases.split_list(words)]
        return Read(tuple(time for time in found if time is not None) if all(found) else (), len(words))

    def accept(self, value: Json, slot: "Slot") -> tuple[Json, ...]:
        """Return the canonical time, or the text as it is written."""
        if not isinstance(value, str):
            return ()
        time = daytime.read_daytime(value)
        return self._one(value, slot) if time is None else (time,)


VALUE_TYPES: Mapping[str, ValueType] = {
    "text": Text(),
    "phrases": Phrases(),
    "terms": Terms(),
    "choice": Choice(),
    "city": City(),
    "money": Money(),
    "thousands": Thousands(),
    "years": Years(),
    "daytime": Daytime(),
}
"""By the name that `type` and `reader` in a pack use."""

FRAGMENTS: Mapping[str, str] = {
    "amount": money_words.AMOUNT,
    "range": money_words.RANGE,
    "money": money_words.MONEY,
    "years": years.PATTERN,
    "daytime": daytime.PATTERN,
}
"""What rules may use as `{money}` and so on."""
