"""Ask before anything is changed: does the new embedder answer, and how fast?"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ltm.apply import embed_heads
from ltm.errors import ModelError
from ltm.house import House
from ltm.models import Status
from ltm.ports import Clock, Embedder, EmbedderSpec, Head

_SAMPLE = 256
_PROBE = "probe 探针"
# What a batch may take: SIGTERM waits for it, and a kill loses it.
_BATCH_S = 2.0
_SMALLEST, _LARGEST = 16, 512


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """What a build would cost.

    Attributes:
        spec: Of the new embedder.
        memories: Active memories, each of which gets a point.
        per_s: Memories a second that the embedder does, measured on real ones; None where there are none.
        batch: Memories a batch: about two seconds of the embedder.
    """

    spec: EmbedderSpec
    memories: int
    per_s: float | None
    batch: int

    @property
    def seconds(self) -> float:
        """Return the time that the embedder needs for all of them."""
        return self.memories / self.per_s if self.per_s else 0.0


def probe_embedder(house: House, embedder: Embedder) -> Probe:
    """Embed a word, then some of the memories that are stored.

    Raises:
        ModelError: The embedder did not answer, or answered with something that is no such vector.
    """
    spec = embedder.spec
    _require_vectors(embedder.embed_passages([_PROBE]), spec)
    memories = house.store.read.counts().memories.get(Status.ACTIVE, 0)
    sample = [owned.head for owned in house.store.read.scan(limit=_SAMPLE, statuses=(Status.ACTIVE,))]
    per_s = _measure(embedder, sample, house.clock) if sample else None
    batch = _LARGEST if per_s is None else min(max(int(per_s * _BATCH_S), _SMALLEST), _LARGEST)
    return Probe(spec=spec, memories=memories, per_s=per_s, batch=batch)


def _measure(embedder: Embedder, heads: Sequence[Head], clock: Clock) -> float:
    """Grow the sample until it takes long enough to be measured, or is used up."""
    size = 8
    while True:
        begun_s = clock.monotonic()
        embed_heads(embedder, heads[:size])
        seconds = max(clock.monotonic() - begun_s, 1e-6)
        if seconds > _BATCH_S / 4 or size >= len(heads):
            return min(size, len(heads)) / seconds
        size *= 4


def _require_vectors(matrix: np.ndarray[tuple[int, ...], np.dtype[np.float32]], spec: EmbedderSpec) -> None:
    if matrix.shape != (1, spec.dim) or not np.isfinite(matrix).all():
        raise ModelError(
            f"the embedder {spec.name!r} gave shape {matrix.shape} instead of (1, {spec.dim}), or no numbers"
        )
    if abs(float(np.linalg.norm(matrix[0])) - 1.0) > 1e-3:
        raise ModelError(f"the embedder {spec.name!r} does not give vectors of unit length")
