"""The pool of one recall as columns, ordered by memory id so that a stable sort breaks ties by it."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import repeat
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from ltm.models import Kind, Status
from ltm.ports import Head, Hit, Pool
from ltm.recall.shift import Geometry

Floats: TypeAlias = npt.NDArray[np.float64]


class Remembered(Protocol):
    """What ranking and rendering read of a memory: a head, or a version as of some time."""

    @property
    def memory_id(self) -> str: ...  # noqa: D102
    @property
    def kind(self) -> Kind: ...  # noqa: D102
    @property
    def key(self) -> str | None: ...  # noqa: D102
    @property
    def pack(self) -> str | None: ...  # noqa: D102
    @property
    def text(self) -> str: ...  # noqa: D102
    @property
    def context(self) -> str | None: ...  # noqa: D102
    @property
    def confidence(self) -> float: ...  # noqa: D102
    @property
    def valid_from(self) -> datetime: ...  # noqa: D102


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PooledHits:
    """The union of both channels' hits.

    Attributes:
        ids: Memory ids, ascending.
        versions: Of the points that were hit, shape (n,).
        dense: Inner products with the shifted query, NaN outside the channel, shape (n,).
        lexical: BM25 scores, NaN outside the channel, shape (n,).
        geometry: What the inner products mean.
        owned: How many active memories the owner has in the index; at least 1.
        dense_mean: Mean inner product of all these with the query; NaN where it is not known.
    """

    ids: tuple[str, ...]
    versions: npt.NDArray[np.int64]
    dense: Floats
    lexical: Floats
    geometry: Geometry
    owned: int
    dense_mean: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CheckedPool:
    """What is left of a pool after the heads check; columns as in `PooledHits`.

    Attributes:
        parts: The same memories as each part of the intent found them; empty where it has no parts.
    """

    memories: Sequence[Remembered]
    dense: Floats
    lexical: Floats
    geometry: Geometry
    owned: int
    dense_mean: float = math.nan
    parts: tuple["CheckedPool", ...] = ()


def pooled(pool: Pool, geometry: Geometry, owned: int, dense_mean: float = math.nan) -> PooledHits:
    """Unite the channels of an answer."""
    versions = {memory_id: version for memory_id, version, _, _ in (*pool.lexical, *pool.dense)}
    ids = tuple(sorted(versions))
    return PooledHits(
        ids=ids,
        versions=np.array(list(map(versions.__getitem__, ids)), dtype=np.int64),
        dense=_scores(ids, pool.dense),
        lexical=_scores(ids, pool.lexical),
        geometry=geometry,
        owned=max(owned, 1),
        dense_mean=dense_mean,
    )


def check_heads(hits: PooledHits, heads: Mapping[str, Head]) -> CheckedPool:
    """Keep the hits whose point is the head as it is now: same chain length, active.

    An index that lags behind can therefore never bring in what was superseded, retracted, expired or erased.
    """
    found = list(map(heads.get, hits.ids))
    versions = hits.versions.tolist()
    kept = [
        at
        for at, head in enumerate(found)
        if head is not None and head.last_version == versions[at] and head.status is Status.ACTIVE
    ]
    memories = [head for at in kept if (head := found[at]) is not None]
    whole = len(kept) == len(found)
    return CheckedPool(
        memories=memories,
        dense=hits.dense if whole else hits.dense[kept],
        lexical=hits.lexical if whole else hits.lexical[kept],
        geometry=hits.geometry,
        owned=hits.owned,
        dense_mean=hits.dense_mean,
    )


def united(whole: PooledHits, parts: Sequence[PooledHits]) -> list[PooledHits]:
    """Return the hits of an intent and of its parts as columns over the memories that any of them found."""
    if not parts:
        return [whole]
    versions: dict[str, int] = {}
    for hits in (*parts, whole):
        versions.update(zip(hits.ids, hits.versions.tolist(), strict=True))
    ids = tuple(sorted(versions))
    return [_over(hits, ids, np.array([versions[memory_id] for memory_id in ids])) for hits in (whole, *parts)]


def _over(hits: PooledHits, ids: tuple[str, ...], versions: npt.NDArray[np.int64]) -> PooledHits:
    """Return the hits as columns over more memories; what they did not find is outside both channels."""
    at = {memory_id: place for place, memory_id in enumerate(ids)}
    places = [at[memory_id] for memory_id in hits.ids]
    dense, lexical = np.full(len(ids), math.nan), np.full(len(ids), math.nan)
    dense[places], lexical[places] = hits.dense, hits.lexical
    return replace(hits, ids=ids, versions=versions, dense=dense, lexical=lexical)


def filled(scores: Floats, missing: float | None) -> Floats:
    """Return the scores with a number for NaN: `missing`, or the least of the others; 0 where there are no others."""
    absent = np.isnan(scores)
    if not absent.any():
        return scores
    if absent.all():
        return np.zeros_like(scores)
    return np.where(absent, scores[~absent].min() if missing is None else missing, scores)


def _scores(ids: tuple[str, ...], hits: Sequence[Hit]) -> Floats:
    by_id = {memory_id: score for memory_id, _, _, score in hits}
    return np.array(list(map(by_id.get, ids, repeat(math.nan))), dtype=np.float64)
