"""An embedder without a model: texts that share words and word parts are near each other.

For tests and benchmarks. Equal text gives an equal vector on every machine and in every run.
"""

import re
from array import array
from collections.abc import Sequence
from functools import lru_cache
from zlib import crc32

import numpy as np
import numpy.typing as npt

from ltm.embed.vectors import embed_in_batches, unit_rows
from ltm.ports import EmbedderSpec, Matrix, Vector

_DIM = 256
_BATCH = 512  # the counts of a batch stay in the processor's caches
_WHOLE_TOKEN_WEIGHT = 4
_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_RUNS = re.compile(rf"[{_HAN}]+|[^\W_{_HAN}]+")
_FIRST_HAN = "\u3400"


class HashEmbedder:
    """Feature hashing: each token counts as a whole and by its character trigrams, in signed buckets."""

    spec = EmbedderSpec(name="hash", model="hash", revision="1", dim=_DIM)
    mean = None
    forms = None

    def embed_query(self, text: str) -> Vector:
        """Embed an intent; the same as the passage of that text."""
        return _embed_one(text)

    def embed_passages(self, texts: Sequence[str]) -> Matrix:
        """Embed texts in input order."""
        if len(texts) == 1:
            return _embed_one(texts[0])[np.newaxis]
        return embed_in_batches(texts, _embed, size=_BATCH, dim=_DIM)

    def close(self) -> None:
        """Do nothing: there is no model."""


def _embed_one(text: str) -> Vector:
    counts = np.bincount(np.frombuffer(_text_buckets(text), dtype=np.uint16), minlength=2 * _DIM)
    signed = _signed(counts.reshape(1, 2, _DIM), [text])[0]
    vector: Vector = signed / np.sqrt(signed @ signed)
    return vector


def _embed(texts: Sequence[str]) -> Matrix:
    buckets = list(map(_text_buckets, texts))
    # A bucket number of the second half stands for -1 in the bucket `_DIM` below it.
    flat = np.frombuffer(b"".join(buckets), dtype=np.uint16).astype(np.int64)
    sizes = np.fromiter(map(len, buckets), dtype=np.int64, count=len(buckets)) // 2
    flat += np.repeat(np.arange(len(texts)) * (2 * _DIM), sizes)
    counts = np.bincount(flat, minlength=len(texts) * 2 * _DIM).reshape(len(texts), 2, _DIM)
    return unit_rows(_signed(counts, texts), count=len(texts), dim=_DIM)


def _signed(counts: npt.NDArray[np.intp], texts: Sequence[str]) -> Matrix:
    signed: Matrix = (counts[:, 0] - counts[:, 1]).astype(np.float32)
    for row in np.flatnonzero(~signed.any(axis=1)).tolist():  # every bucket cancelled out
        signed[row, crc32(texts[row].encode()) % _DIM] = 1
    return signed


def _text_buckets(text: str) -> bytes:
    return b"".join(map(_run_buckets, _RUNS.findall(text.lower()))) or _token_buckets(text)


@lru_cache(maxsize=65_536)
def _run_buckets(run: str) -> bytes:
    """Return the buckets of a word, or of the character pairs of a run of Han characters."""
    if run[0] < _FIRST_HAN or len(run) == 1:
        return _token_buckets(run)
    return b"".join(_token_buckets(run[at : at + 2]) for at in range(len(run) - 1))


def _token_buckets(token: str) -> bytes:
    """Return the token's buckets as native uint16, the whole token's repeated by its weight."""
    padded = f"<{token}>"
    parts = [padded] * _WHOLE_TOKEN_WEIGHT + [padded[at : at + 3] for at in range(len(padded) - 2)]
    return array("H", [crc32(part.encode()) % (2 * _DIM) for part in parts]).tobytes()
