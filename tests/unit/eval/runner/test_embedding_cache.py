"""Vectors on disk."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from eval.runner.embedding_cache import CachedEmbedder
from ltm.embed.hashing import HashEmbedder
from ltm.ports import Matrix, Vector


class Counting(HashEmbedder):
    """A hashing embedder that notes what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed_query(self, text: str) -> Vector:
        """Note the text; embed it otherwise than as a passage."""
        self.asked.append(f"query {text}")
        vector: Vector = super().embed_passages([f"query: {text}"])[0]
        return vector

    def embed_passages(self, texts: Sequence[str]) -> Matrix:
        """Note the texts and embed them."""
        self.asked.extend(texts)
        return super().embed_passages(texts)


def test_known_texts_are_not_embedded_again_in_a_later_run(tmp_path: Path) -> None:
    """The file outlives the process; only what is new reaches the model, and order is kept."""
    first = CachedEmbedder(Counting(), tmp_path)
    before = first.embed_passages(["a cat", "a dog"])
    first.close()
    inner = Counting()
    second = CachedEmbedder(inner, tmp_path)
    after = second.embed_passages(["a dog", "a bird", "a cat"])
    second.close()
    assert inner.asked == ["a bird"]
    assert second.misses == 1
    assert np.array_equal(after[[2, 0]], before)


def test_intent_and_passage_of_the_same_words_are_told_apart(tmp_path: Path) -> None:
    """A model embeds the two sides differently."""
    inner = Counting()
    cached = CachedEmbedder(inner, tmp_path)
    passage, query = cached.embed_passages(["a cat"])[0], cached.embed_query("a cat")
    assert not np.array_equal(passage, query)
    assert np.array_equal(cached.embed_query("a cat"), query)
    assert inner.asked == ["a cat", "query a cat"]
    cached.close()


def test_no_texts_give_an_empty_matrix(tmp_path: Path) -> None:
    """The port's contract holds for the wrapper."""
    cached = CachedEmbedder(HashEmbedder(), tmp_path)
    assert cached.embed_passages([]).shape == (0, cached.spec.dim)
    cached.close()
