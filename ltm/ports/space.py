"""A generation together with the embedder that its vectors came from."""

from dataclasses import dataclass
from typing import Protocol

from ltm.ports.embedder import Embedder
from ltm.ports.store.rows import Generation
from ltm.ports.vector_index import VectorIndex


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Space:
    """One vector space: only this embedder's queries may be asked of this index.

    Attributes:
        embedder: None where the generation's embedder cannot be had here; its lexical channel still answers.
    """

    generation: Generation
    index: VectorIndex
    embedder: Embedder | None


class Spaces(Protocol):
    """Opens the vector space of a generation, once."""

    def get(self, generation: Generation) -> Space:
        """Return the space of a generation that exists.

        Raises:
            VectorIndexError: The index does not answer; `IndexLockedError` where another process holds it.
            FingerprintMismatchError: The index was built with another embedder than its generation says.
        """
        ...
