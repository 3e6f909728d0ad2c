"""From head to point.

Embed first, without a lock; then, under the heads' locks, write the points of the heads as they are now and settle the
rows. Order and repetition do not matter: what is written is always the head, and nothing that was erased comes back.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from ltm.errors import ModelError
from ltm.lexical import encode_document
from ltm.models import Status
from ltm.ports import Embedder, Head, Locked, OwnedHead, Point, Space, StatusChange, Store, Vector

BATCH = 256
"""Memories whose heads are locked together: enough to fill an embedder's batch, few enough not to hold users up."""

_Form = tuple[str, str | None]
"""What is embedded of a head: its text and its context."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """What one call brought to the index.

    Attributes:
        settled: Outbox rows that are done.
        embedded: Texts that were embedded.
    """

    settled: int
    embedded: int


def apply_heads(
    store: Store,
    space: Space,
    memory_ids: Sequence[str],
    *,
    heads: Mapping[str, Head] | None = None,
    batch: int = BATCH,
) -> Applied:
    """Bring the points of these memories in line with their heads in one generation.

    A head that changes between embedding and lock keeps its outbox row and is done by the next call.

    Args:
        store: Its outbox rows are settled.
        space: The generation.
        memory_ids: Those of erased memories too.
        heads: As the caller has just written or read them; None reads them.
        batch: Memories whose heads are locked together.

    Raises:
        ModelError: The generation's embedder did not answer, or cannot be had here.
        VectorIndexError: The index did not answer; batches before are settled.
        StoreUnavailableError: The store did not answer.
    """
    settled = embedded = 0
    for ids in _batches(memory_ids, batch):
        known = _read(store, ids) if heads is None else [heads[memory_id] for memory_id in ids]
        dense = embed_heads(space.embedder, [head for head in known if is_searchable(head)])
        settled += store.outbox.apply(space.generation.generation_id, ids, _Writer(space, dense))
        embedded += len(dense)
    return Applied(settled=settled, embedded=embedded)


def is_searchable(head: Head) -> bool:
    """Tell whether a head must have a point that a search can find."""
    return head.status is Status.ACTIVE


def embed_heads(embedder: Embedder | None, heads: Sequence[Head]) -> dict[_Form, Vector]:
    """Embed what heads say, each distinct form once, in one call to the embedder.

    A head without a context is `e(text)`; with one it is `unit(e(text) + e(context + newline + text))`, which on
    dialogue is as good as two vectors (docs/adr/0009: .744 against .7495 recall@10).
    """
    forms = list(dict.fromkeys((head.text, head.context) for head in heads))
    if not forms:
        return {}
    if embedder is None:
        raise ModelError("the embedder of this generation cannot be loaded here")
    joined = [f"{context}\n{text}" for text, context in forms if context]
    matrix = embedder.embed_passages([text for text, _ in forms] + joined)
    with_context = iter(matrix[len(forms) :])
    return {
        form: _unit(row + next(with_context)) if form[1] else row
        for form, row in zip(forms, matrix[: len(forms)], strict=True)
    }


def point_of(owned: OwnedHead, dense: Vector) -> Point:
    """Make the point of a head; its version is the length of the chain, so that it only grows."""
    head = owned.head
    return Point(
        memory_id=head.memory_id,
        owner_key=owned.owner.key,
        status=head.status,
        kind=head.kind,
        version=head.last_version,
        valid_from=head.valid_from,
        dense=dense,
        sparse=encode_document(head.text, head.context),
    )


def _read(store: Store, memory_ids: Sequence[str]) -> list[Head]:
    return [owned.head for owned in store.read.owned(memory_ids).values()]


class _Writer:
    """Writes the points of locked heads; called again where the database asks for a retry."""

    def __init__(self, space: Space, dense: Mapping[_Form, Vector]) -> None:
        self._index = space.index
        self._dense = dense

    def __call__(self, locked: Locked) -> Collection[str]:
        points: list[Point] = []
        changes: list[StatusChange] = []
        for owned in locked.heads.values():
            head = owned.head
            if not is_searchable(head):
                changes.append(_status_of(head))
            elif (dense := self._dense.get((head.text, head.context))) is not None:
                points.append(point_of(owned, dense))
        if points:
            self._index.upsert(points)
        if changes:
            self._index.set_status(changes)
        if locked.gone:
            self._index.delete(locked.gone)
        return [*(point.memory_id for point in points), *(change.memory_id for change in changes), *locked.gone]


def _status_of(head: Head) -> StatusChange:
    return StatusChange(
        memory_id=head.memory_id, status=head.status, version=head.last_version, valid_from=head.valid_from
    )


def _unit(vector: Vector) -> Vector:
    length = float(np.linalg.norm(vector))
    return vector / np.float32(length) if length > 0 else vector


def _batches(memory_ids: Sequence[str], size: int) -> Iterator[list[str]]:
    ids = iter(memory_ids)
    while batch := list(islice(ids, size)):
        yield batch
