"""A memory's parts, opened from settings and from what the caller brings."""

from dataclasses import replace
from pathlib import Path

from ltm.embed.hashing import HashEmbedder
from ltm.memory import Memory
from ltm.ports import Vector
from ltm.recall import Profile
from ltm.settings import Settings
from ltm.wiring import open_house

SETTINGS = Settings(embedder="hash", database_url=None, qdrant_url=None, redis_url=None, llm_model=None)


class Watched(HashEmbedder):
    """Counts the texts it embeds and the times it is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.intents = 0
        self.closed = 0

    def embed_query(self, text: str) -> Vector:
        """Count, and embed."""
        self.intents += 1
        return super().embed_query(text)

    def close(self) -> None:
        """Count."""
        self.closed += 1


def test_an_embedder_of_the_caller_is_used_and_left_open(tmp_path: Path) -> None:
    """Whoever made it closes it."""
    embedder = Watched()
    house = open_house(tmp_path, SETTINGS, embedder=embedder)
    with Memory(house) as memory:
        memory.remember("u1", "likes green tea")
        assert [item.memory.text for item in memory.recall("u1", "green tea", min_relevance=0).items] == [
            "likes green tea"
        ]
    assert house.embedder is embedder
    assert (embedder.intents, embedder.closed) == (1, 0)


def test_a_profile_of_the_caller_is_used(tmp_path: Path) -> None:
    """Weights without a name need no entry among the named profiles."""
    high = replace(Profile().floor, least=0.99)
    with Memory(open_house(tmp_path, SETTINGS, profile=Profile(name="high floor", floor=high))) as memory:
        memory.remember("u1", "likes green tea")
        recall = memory.recall("u1", "which tea")
    assert recall.items == ()
    assert recall.suppressed.relevance == 1
