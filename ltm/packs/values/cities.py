"""Read and accept names of cities."""

import re

from ltm.packs.folding import fold_text
from ltm.packs.values.gazetteer import gazetteer, without_accents
from ltm.packs.values.phrases import split_list, tidy

_HAN = re.compile(r"[一-鿿]{2,}")
_TAIL = re.compile(r"(?:市|那边|这边|那里|本地|附近|地区)?(?:的|哈|吧|呢|啊|哦|了|呀|啦|嘛|就好|就行)?")
_SPACES = re.compile(r"\s+")


def find_city(name: str) -> tuple[str, ...]:
    """Return the canonical names for one spelling; () for what is no city, several for `北上广深`."""
    name = tidy(name)
    names = gazetteer()
    if _HAN.match(name):
        found = names.han.get(name) or names.han.get(name.removesuffix("市"))
        return found or ()
    spelling = _SPACES.sub(" ", without_accents(fold_text(name)))
    city = names.latin.get(spelling)
    if city is None or (spelling in names.small and not name[:1].isupper()):
        return ()
    return (city,)


def read_cities(words: str) -> tuple[str, ...]:
    """Return the cities of a list such as `苏州和南京` or `Berlin or Munich`; () unless every member is one.

    What follows a Chinese name (`杭州那边的`) does not matter as long as it adds nothing.
    """
    found: list[str] = []
    for part in split_list(words):
        cities = find_city(part) or _leading_city(part)
        if not cities:
            return ()
        found += [city for city in cities if city not in found]
    return tuple(found)


def _leading_city(part: str) -> tuple[str, ...]:
    names = gazetteer()
    for length in range(min(len(part), names.longest_han), 1, -1):
        cities = names.han.get(part[:length])
        if cities and _TAIL.fullmatch(part[length:]):
            return cities
    return _run_of_cities(part)


def _run_of_cities(part: str) -> tuple[str, ...]:
    """Return the cities of a run without separators (`北京上海`), or ()."""
    names = gazetteer().han
    found: list[str] = []
    while part:
        length = next((size for size in range(min(len(part), 4), 1, -1) if part[:size] in names), 0)
        if not length:
            return ()
        found += names[part[:length]]
        part = part[length:]
    return tuple(dict.fromkeys(found))
