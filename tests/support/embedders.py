"""Embedders that a test controls; none of them has a model."""

from collections.abc import Callable, Sequence

import numpy as np

from ltm.embed.hashing import HashEmbedder
from ltm.errors import ModelError
from ltm.ports import Embedder, EmbedderSpec, Matrix, Vector


class Watched:
    """Another embedder, whose calls for passages are watched.

    Attributes:
        embedded: Passages it was asked for, one after the other.
        is_down: Every call raises.
    """

    def __init__(self, inner: Embedder | None = None) -> None:
        self._inner = inner or HashEmbedder()
        self.mean = self._inner.mean
        self.forms = self._inner.forms
        self.embedded: list[str] = []
        self._planned: list[tuple[int, Callable[[], None]]] = []
        self.is_down = False

    @property
    def spec(self) -> EmbedderSpec:
        """Return the other's."""
        return self._inner.spec

    def plan(self, action: Callable[[], None], *, after: int = 0) -> None:
        """Do something once, before the first passages that come when so many were embedded."""
        self._planned.append((after, action))

    def embed_query(self, text: str) -> Vector:
        """Embed an intent."""
        self._answer()
        return self._inner.embed_query(text)

    def embed_passages(self, texts: Sequence[str]) -> Matrix:
        """Do what was planned, then embed."""
        due = [plan for plan in self._planned if plan[0] <= len(self.embedded)]
        self._planned = [plan for plan in self._planned if plan not in due]
        for _, action in due:
            action()
        self._answer()
        self.embedded += texts
        return self._inner.embed_passages(texts)

    def close(self) -> None:
        """Close the other."""
        self._inner.close()

    def _answer(self) -> None:
        if self.is_down:
            raise ModelError("the embedder does not answer")


class Projected:
    """The hashing embedder in another space of fewer dimensions."""

    mean = None
    forms = None

    def __init__(self, *, dim: int = 96, name: str = "projected") -> None:
        self._hash = HashEmbedder()
        self.spec = EmbedderSpec(name=name, model=name, revision="1", dim=dim)
        self._axes = np.random.default_rng(dim).standard_normal((self._hash.spec.dim, dim)).astype(np.float32)

    def embed_query(self, text: str) -> Vector:
        """Embed an intent."""
        vector: Vector = self.embed_passages([text])[0]
        return vector

    def embed_passages(self, texts: Sequence[str]) -> Matrix:
        """Project what the hashing embedder makes of the texts."""
        rows = self._hash.embed_passages(texts) @ self._axes
        matrix: Matrix = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
        return matrix

    def close(self) -> None:
        """Do nothing."""
