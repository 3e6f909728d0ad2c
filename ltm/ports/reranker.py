"""A second look at the best candidates: intent and memory read together by a model."""

from collections.abc import Sequence
from typing import Protocol


class Reranker(Protocol):
    """A model that reads an intent and a text together. Calls are thread-safe."""

    def score(self, intent: str, texts: Sequence[str]) -> list[float]:
        """Say how well each text answers the intent.

        Returns:
            A finite figure for each text, in input order; higher is better, on a scale of the model's own.

        Raises:
            ModelError: The model did not answer in time, cannot be loaded, or answered with something else.
        """
        ...

    def close(self) -> None:
        """Release the model; calling it again does nothing."""
        ...
