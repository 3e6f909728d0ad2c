"""The page that shows a pack being written holds a pack that works."""

import re
from pathlib import Path

import pytest

from ltm.models import Kind, Lang, Role, Turn
from ltm.packs import PackSet, load_packs
from ltm.recall.topics import Bearing, TopicWords
from ltm.write.extract_rules import extract_rules
from ltm.write.rule_examples import failed_examples

PAGE = Path(__file__).parents[3] / "docs/how-to/write-a-pack.md"
_FILE = re.compile(r"^### `(travel/[\w./-]+)`\n\n```toml\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@pytest.fixture
def travel(tmp_path: Path) -> PackSet:
    """Write the files of the page to a folder and load it."""
    for name, content in _FILE.findall(PAGE.read_text(encoding="utf-8")):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, encoding="utf-8")
    return load_packs([tmp_path / "travel"])


def test_every_example_of_the_page_holds(travel: PackSet) -> None:
    """A reader who copies the page gets no failure."""
    assert failed_examples(travel) == []


def test_the_pack_of_the_page_reads_and_shows(travel: PackSet) -> None:
    """Slots, vocabularies, sentences, lexicons and the machine are all there."""
    turn = Turn(role=Role.USER, text="十月想去京都和大阪，预算不超过8千，我习惯坐靠窗的位置", id="t1")
    assert [candidate.key for candidate in extract_rules(turn, travel)] == [
        "travel.destinations",
        "travel.budget",
        "travel.seat",
    ]
    assert travel.pack_of("travel.seat") == "travel@1.0.0"
    assert travel.sentence("travel.seat", "window", Lang.ZH) == "座位偏好：靠窗"
    assert travel.lexicon("topics").matches("签证要多久")
    assert travel.half_life_days(Kind.PREFERENCE, pack="travel") == 365
    assert travel.machines["trip"].expiry("finished").keyless_kinds == (Kind.PREFERENCE,)


def test_the_topic_of_the_page_is_asked_about(travel: PackSet) -> None:
    """Its own words and those of `core` name one topic, to which its slots belong."""
    words = TopicWords(travel)
    for intent in ("有没有便宜的转机航班", "book me a flight"):
        assert words.bearing(words.asked_about(intent).topics, "座位偏好：靠窗", "travel.seat") is Bearing.ABOUT
    assert words.bearing(words.asked_about("推荐几个岗位").topics, "座位偏好：靠窗", "travel.seat") is Bearing.FOREIGN


def test_the_pack_of_the_page_loads_beside_the_built_in_ones(travel: PackSet, tmp_path: Path) -> None:
    """A user's pack and the library's packs do not get in each other's way."""
    both = load_packs(["job_search", "venue_booking", tmp_path / "travel"])
    assert failed_examples(both) == []
    assert [pack.name for pack in both.packs] == ["core", "job_search", "venue_booking", "travel"]
    assert both.content_hash != travel.content_hash
