"""A pool as bytes, for the cache."""

import struct

import numpy as np

from ltm.recall.columns import PooledHits
from ltm.recall.shift import Geometry

_FORMAT = 2
_HEAD = struct.Struct("<BIIddd")
_ROW_BYTES = 3 * 8


def to_bytes(hits: PooledHits) -> bytes:
    """Write a pool: a head, three columns, the ids."""
    geometry = hits.geometry
    head = _HEAD.pack(_FORMAT, len(hits.ids), hits.owned, geometry.offset, geometry.scale, hits.dense_mean)
    columns = (hits.versions.tobytes(), hits.dense.tobytes(), hits.lexical.tobytes())
    return b"".join((head, *columns, "\n".join(hits.ids).encode()))


def from_bytes(data: bytes) -> PooledHits | None:
    """Read a pool; None for what `to_bytes` of this version did not write."""
    if len(data) < _HEAD.size:
        return None
    version, count, owned, offset, scale, dense_mean = _HEAD.unpack_from(data)
    ids_at = _HEAD.size + count * _ROW_BYTES
    if version != _FORMAT or len(data) < ids_at:
        return None
    ids = tuple(data[ids_at:].decode(errors="replace").split("\n")) if count else ()
    if len(ids) != count:
        return None
    versions = np.frombuffer(data, dtype=np.int64, count=count, offset=_HEAD.size)
    dense, lexical = np.frombuffer(data, dtype=np.float64, count=2 * count, offset=_HEAD.size + count * 8).reshape(
        2, -1
    )
    geometry = Geometry(offset=offset, scale=scale)
    return PooledHits(
        ids=ids,
        versions=versions,
        dense=dense,
        lexical=lexical,
        geometry=geometry,
        owned=owned,
        dense_mean=dense_mean,
    )
