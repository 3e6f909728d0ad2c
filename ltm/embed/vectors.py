"""What every embedder hands out: unit vectors, or an error that says what the model returned instead."""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from ltm.errors import ModelError
from ltm.ports import Matrix

_SMALLEST_NORM = 1e-12

MAX_CHARS = 8192
"""Of a text that is embedded; of a longer one its beginning is. More would be refused by most servers."""


def unit_rows(raw: npt.ArrayLike, *, count: int, dim: int) -> Matrix:
    """Return the rows at unit length, float32, in C order.

    Raises:
        ModelError: There are not `count` rows of `dim` finite numbers, or a row has no direction.
    """
    try:
        with np.errstate(over="ignore"):
            rows = np.asarray(raw, dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise ModelError(f"the embedder returned something that is not {count} vectors of numbers") from error
    if rows.shape != (count, dim):
        raise ModelError(f"the embedder returned an array of shape {rows.shape}, expected ({count}, {dim})")
    with np.errstate(over="ignore"):
        norms = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    if not np.isfinite(norms).all():
        raise ModelError("the embedder returned a vector with NaN or infinite numbers")
    if count and norms.min() < _SMALLEST_NORM:
        raise ModelError("the embedder returned a vector of zeros")
    unit: Matrix = rows / norms[:, None]
    return unit


def embed_in_batches(texts: Sequence[str], embed: Callable[[Sequence[str]], Matrix], *, size: int, dim: int) -> Matrix:
    """Return the rows of all texts in input order, `size` texts a call of `embed`; no texts give shape (0, dim)."""
    parts = [embed(texts[start : start + size]) for start in range(0, len(texts), size)]
    return np.concatenate(parts) if parts else np.empty((0, dim), dtype=np.float32)
