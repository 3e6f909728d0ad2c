"""The gazetteer."""

import pytest

from ltm.packs.values.cities import find_city, read_cities, run_of_cities


@pytest.mark.parametrize(
    ("name", "canonical"),
    [
        ("杭州", ("杭州",)),
        ("杭州市", ("杭州",)),
        ("魔都", ("上海",)),
        ("重慶", ("重庆",)),
        ("北上广深", ("北京", "上海", "广州", "深圳")),
        ("纽约", ("纽约",)),
        ("苏州", ("苏州",)),
        ("宿州", ("宿州",)),
        ("berlin", ("Berlin",)),
        ("NYC", ("New York",)),
        ("New York City", ("New York",)),
        ("Zürich", ("Zurich",)),
        ("São Paulo", ("Sao Paulo",)),
        ("Hangzhou", ("Hangzhou",)),
    ],
)
def test_a_city_has_one_name_in_a_script(name: str, canonical: tuple[str, ...]) -> None:
    """Nicknames, 市, traditional characters, accents and case do not matter."""
    assert find_city(name) == canonical


@pytest.mark.parametrize(
    "name", ["", "外包", "和平", "浦东", "tech", "reading", "nice", "Java", "remote", "la", "mobile"]
)
def test_ordinary_words_are_no_cities(name: str) -> None:
    """Districts and small places that are words are left out."""
    assert find_city(name) == ()


@pytest.mark.parametrize(
    ("words", "cities"),
    [
        ("苏州和南京", ("苏州", "南京")),
        ("杭州、上海或者宁波", ("杭州", "上海", "宁波")),
        ("北京上海", ("北京", "上海")),
        ("杭州那边的岗位", ("杭州",)),
        ("Berlin, Munich or Paris", ("Berlin", "Munich", "Paris")),
        ("上海和Berlin", ("上海", "Berlin")),
        ("杭州和外包", ()),
        ("大厂", ()),
    ],
)
def test_a_list_is_read_whole_or_not_at_all(words: str, cities: tuple[str, ...]) -> None:
    """One member that is no city makes the list unclear."""
    assert read_cities(words) == cities


def test_a_run_ends_where_the_cities_end() -> None:
    """What follows is told apart, and whether it changes the name."""
    run = run_of_cities("Berlin now, at least 65k")
    assert (run.cities, run.length, run.is_clear) == (("Berlin",), 6, True)
    assert not run_of_cities("杭州湾大桥").is_clear
    assert not run_of_cities("Paris Hilton").is_clear
    assert not run_of_cities("somewhere").is_clear
