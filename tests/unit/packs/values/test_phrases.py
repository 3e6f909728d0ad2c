"""Short free phrases."""

import pytest

from ltm.models import Lang
from ltm.packs import Term, Vocabulary
from ltm.packs.values.phrases import canonical, split_list, tidy

ROLES = Vocabulary(
    name="roles",
    terms=(
        Term(value="developer", names={Lang.EN: ("developers",)}),
        Term(value="Go 后端", names={Lang.ZH: ("go后端",)}),
    ),
)


@pytest.mark.parametrize(
    ("words", "phrase"),
    [
        ("Java后端", "Java 后端"),
        (" Java   后端 ", "Java 后端"),
        ("打 羽毛球", "打羽毛球"),
        ("后端（Go）。", "后端(Go)"),
        ("C++开发", "C++ 开发"),
    ],
)
def test_a_phrase_has_one_spelling(words: str, phrase: str) -> None:
    """Width, white space and the gap between scripts do not matter."""
    assert tidy(words) == phrase


def test_a_spoken_list_is_split() -> None:
    """By the separators of both languages."""
    assert split_list("苏州、南京和 无锡, Berlin and Rome") == ["苏州", "南京", "无锡", "Berlin", "Rome"]
    assert split_list(" ") == []


@pytest.mark.parametrize(
    ("words", "term"),
    [("Go后端", "Go 后端"), ("Java Developers", "Java developer"), ("diver", "diver"), ("  ", None), ("x" * 201, None)],
)
def test_the_vocabulary_decides_where_it_knows_the_end(words: str, term: str | None) -> None:
    """What stands before a known term is kept as it was said."""
    assert canonical(words, ROLES) == term
