"""Any cross-encoder that the `sentence-transformers` package can load, from a hub or a folder."""

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from ltm.errors import ModelError
from ltm.extras import require_package

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder

_MAX_CHARS = 2_000
"""Of a long text its beginning is read; a cross-encoder has a window of 512 tokens for intent and text."""


class CrossEncoderReranker:
    """Loads its model at the first call, in a thread of its own that takes one call after the other.

    Nobody waits longer than the bound: a call that takes longer goes on in that thread and its answer is dropped. So
    the first recalls of a process come unranked while the model loads.

    Raises:
        ConfigurationError: The package is not installed.
    """

    def __init__(self, model: str, *, timeout_s: float) -> None:
        needed_by = f"the reranker `sentence-transformers:{model}`"
        require_package("sentence_transformers", extra="sentence-transformers", needed_by=needed_by)
        self._name = model
        self._timeout_s = timeout_s
        self._model: CrossEncoder | None = None
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="ltm-rerank")

    def score(self, intent: str, texts: Sequence[str]) -> list[float]:
        """Say how well each text answers the intent; no texts give no figures."""
        if not texts:
            return []
        pairs = [(intent[:_MAX_CHARS], text[:_MAX_CHARS]) for text in texts]
        try:
            call = self._worker.submit(self._predict, pairs)
            scores = call.result(timeout=self._timeout_s)
        except TimeoutError as error:
            call.cancel()
            raise ModelError(f"the reranker `{self._name}` did not answer within {self._timeout_s:g} s") from error
        except (ImportError, OSError, RuntimeError, ValueError) as error:
            raise ModelError(f"the reranker `{self._name}` failed: {type(error).__name__}") from error
        if len(scores) != len(texts) or not all(map(math.isfinite, scores)):
            raise ModelError(f"the reranker `{self._name}` did not give one finite figure for each text")
        return scores

    def close(self) -> None:
        """Let go of the model and take no more calls; one that is under way ends in its own time."""
        self._worker.shutdown(wait=False, cancel_futures=True)
        self._model = None

    def _predict(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        if self._model is None:
            from sentence_transformers import CrossEncoder

            self._model = CrossEncoder(self._name)
        raw = self._model.predict(list(pairs), show_progress_bar=False)
        if raw.ndim != 1:
            raise ValueError("a cross-encoder with one output is needed")
        return [float(score) for score in raw]
