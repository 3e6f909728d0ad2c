"""The query shift: ranking by centred vectors without touching the index.

Embeddings of one model share a large common direction, so everything looks alike. Subtracting `c` from the query alone
ranks as well as centring the memories too (docs/adr/0004), because `(q - c) . c` is the same for all. For the same
reason a direction that tells the form of a sentence and not its matter is taken from the query alone:
`P(q - c) . m = P(q - c) . Pm` (docs/adr/0013).
"""

import math
from dataclasses import dataclass

import numpy as np

from ltm.ports import Matrix, OwnerMean, Vector

_TINY = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Geometry:
    """Turns an inner product of the shifted query into an estimate of the centred cosine: `(product - offset) * scale`.

    The exact value needs `|m - c|` of every memory; its root mean square over the owner's memories stands in for it.
    It follows from the owner's mean alone, and memories of one model differ little in it.
    """

    offset: float
    scale: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Shifted:
    """The vector to search with, of any length, and what its inner products mean."""

    vector: Vector
    geometry: Geometry


def centre(owner_mean: OwnerMean | None, fixed_mean: Vector | None, *, shift_n: float) -> Vector | None:
    """Return `w * owner mean + (1 - w) * fixed mean` with `w = n / (n + shift_n)`; None where neither is known.

    A store of few memories leans on the model's fixed mean: the plain mean of 9 memories hurts.
    """
    if owner_mean is None or owner_mean.count <= 0:
        return fixed_mean
    weight = owner_mean.count / (owner_mean.count + shift_n)
    own = weight * owner_mean.vector
    return own if fixed_mean is None else own + (1.0 - weight) * fixed_mean


def shift(
    query: Vector,
    centre_vector: Vector | None,
    owner_mean: OwnerMean | None,
    *,
    strength: float,
    forms: Matrix | None = None,
) -> Shifted:
    """Return `P(query - strength * centre)` and its geometry; P takes away the directions of form.

    Args:
        query: Unit length, shape (dim,).
        centre_vector: What `centre` returned.
        owner_mean: Mean of the owner's vectors, for the length of a centred memory; None uses the centre itself.
        strength: 1 shifts fully; 0 searches with the raw query, and only the geometry is centred.
        forms: Orthonormal rows, shape (k, dim); None takes nothing away.
    """
    if centre_vector is None:
        return Shifted(vector=_without(query, forms), geometry=Geometry(offset=0.0, scale=1.0))
    mean = centre_vector if owner_mean is None else owner_mean.vector
    around = _without(centre_vector, forms)
    square, along, asked = float(centre_vector @ around), float(mean @ around), float(query @ around)
    query_length = math.sqrt(max(1.0 - _share(query, forms) - 2.0 * asked + square, _TINY))
    memory_length = math.sqrt(max(1.0 - _share(mean, forms) - 2.0 * along + square, _TINY))
    offset = asked - square + (1.0 - strength) * along
    bare = _without(query, forms)
    vector = bare if strength == 0.0 else (bare - np.float32(strength) * around).astype(np.float32)
    return Shifted(vector=vector, geometry=Geometry(offset=offset, scale=1.0 / (query_length * memory_length)))


def _without(vector: Vector, forms: Matrix | None) -> Vector:
    if forms is None or len(forms) == 0:
        return vector
    return (vector - (forms @ vector) @ forms).astype(np.float32)


def _share(vector: Vector, forms: Matrix | None) -> float:
    """Return how much of a squared length lies in the directions of form."""
    if forms is None or len(forms) == 0:
        return 0.0
    along = forms @ vector
    return float(along @ along)
