"""Read and accept names of cities."""

import re
from dataclasses import dataclass

from ltm.packs.folding import fold_text
from ltm.packs.values.gazetteer import gazetteer, without_accents
from ltm.packs.values.phrases import tidy

_IS_HAN = re.compile(r"[一-鿿]")
_WORD = re.compile(r"[^\W\d_一-鿿]+(?:[.'’-][^\W\d_一-鿿]+)*\.?")
_GAP = re.compile(r"[ .]{1,2}")
_BETWEEN = re.compile(
    r"\s*(?:[、,/&]\s*(?:and\s+|or\s+)?|(?:以及|或者|或是|还有|和|或|跟|与)\s*|\s(?:and|or)\s+|(?=[一-鿿]))"
)
_DISTRICTS = "|".join(
    (
        *("浦东", "徐汇", "静安", "闵行", "张江", "朝阳", "海淀", "亦庄", "望京", "滨江"),
        *("余杭", "西湖", "萧山", "南山", "福田", "宝安", "天河", "番禺", "高新", "园区"),
    )
)
_BEHIND_HAN = re.compile(
    rf"(?:市|(?:{_DISTRICTS})(?:区|新区)?|那边|这边|那里|本地|附近|地区|市区)?"
    r"(?:找(?:一?[份个])?[一-鿿a-z0-9+#]{0,10}?(?:工作|岗位|职位|活|机会)|工作|上班|发展|找|干|待着|生活|定居|安家|打工|就业|[做当干][一-鿿a-z0-9+#]{1,8})?"
    r"(?:的(?:[一-鿿a-z]{0,6}(?:岗位|工作|职位|公司|企业|机会|大厂|平台|单位|offer|岗|活))?)?"
    r"(?:哈|吧|呢|啊|哦|了|呀|啦|嘛|辣|哒|喔|噢|呗|叭|咯|喽|嘞|捏|滴|哟|鸭|嗷|昂|噻|就好|就行|就可以|为主|优先){0,2}"
    r"(?=[^一-鿿a-z0-9]|$|也不|也别|但|不过|就想|就只|所以|因为)",
    re.IGNORECASE,
)
_BEHIND_LATIN = re.compile(
    r"\s*(?:$|[^\w\s'-]|(?:area|region|or nearby|now|please|pls|plz|thx|thanks|thank|only|too|instead|anymore|"
    r"any more|at the moment|for now|these days|right now|again|as well|if possible|tho|though|or remote|"
    r"and nowhere|jobs?|roles?|positions?|with|and|but|because|since|for|as|at|around|after|from|this|next|"
    r"preferably|hopefully|ideally|over|rather than|last|recently|that|which|paying|where|starting|asap|"
    r"to (?:my|the) (?:list|cities|search|locations)|lol|haha)\b|[一-鿿])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CityRun:
    """Cities that stand one after the other at the beginning of some words.

    Attributes:
        length: How many characters they take up, what lies between them included.
        rest: What follows the last of them.
    """

    cities: tuple[str, ...]
    length: int
    rest: str

    @property
    def is_clear(self) -> bool:
        """Tell whether what follows leaves the last name as it is: `杭州的岗位`, not `杭州湾`."""
        if not self.cities:
            return False
        behind = _BEHIND_HAN if _IS_HAN.match(self.cities[-1]) else _BEHIND_LATIN
        return behind.match(self.rest) is not None


def find_city(name: str) -> tuple[str, ...]:
    """Return the canonical names for one spelling; () for what is no city, several for `北上广深`."""
    name = tidy(name)
    names = gazetteer()
    if _IS_HAN.match(name):
        return names.han.get(name) or names.han.get(name.removesuffix("市")) or ()
    spelling = without_accents(fold_text(name))
    city = names.latin.get(spelling)
    if city is None or (spelling in names.small and not name[:1].isupper()):
        return ()
    return (city,)


def run_of_cities(words: str) -> CityRun:
    """Read a list such as `苏州和南京`, `北京上海` or `Berlin, Munich or Paris` from the beginning of some words."""
    found: list[str] = []
    position = length = 0
    while True:
        size, cities = _longest(words[position:])
        if not size:
            break
        found += cities
        length = position + size
        between = _BETWEEN.match(words, length)
        if between is None:
            break
        position = between.end()
    return CityRun(cities=tuple(dict.fromkeys(found)), length=length, rest=words[length:])


def read_cities(words: str) -> tuple[str, ...]:
    """Return the cities that some words consist of; () where something else is among them."""
    run = run_of_cities(words.strip())
    return run.cities if run.is_clear and not re.search(r"\w", _BEHIND_HAN.sub("", run.rest, count=1)) else ()


def _longest(words: str) -> tuple[int, tuple[str, ...]]:
    """Return the length and names of the longest city at the beginning of some words; 0 and () for none."""
    names = gazetteer()
    if _IS_HAN.match(words):
        sizes = range(min(len(words), names.longest_han), 1, -1)
        return next(((size, names.han[words[:size]]) for size in sizes if words[:size] in names.han), (0, ()))
    ends = _word_ends(words, names.most_words)
    return next(((end, found) for end in reversed(ends) if (found := find_city(words[:end]))), (0, ()))


def _word_ends(words: str, limit: int) -> list[int]:
    ends: list[int] = []
    position = 0
    while len(ends) < limit and (word := _WORD.match(words, position)):
        ends.append(word.end())
        gap = _GAP.match(words, word.end())
        if gap is None:
            break
        position = gap.end()
    return ends
