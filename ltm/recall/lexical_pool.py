"""A pool without the index: BM25 over what SQL holds. For recalls as of a time, and while the index does not answer."""

from collections.abc import Sequence

import numpy as np

from ltm.lexical import bm25_scores, encode_document
from ltm.ports import SparseVector
from ltm.recall.columns import CheckedPool, Remembered
from ltm.recall.shift import Geometry


def lexical_pool(memories: Sequence[Remembered], query: SparseVector) -> CheckedPool:
    """Score memories as the index's lexical channel would, each with its context where it has one.

    All of them stay in the pool, also those without a common term: the floor may know that the topic is the same.
    """
    ordered = sorted(memories, key=lambda memory: memory.memory_id)
    scores = bm25_scores(query, [encode_document(memory.text, memory.context) for memory in ordered])
    return CheckedPool(
        memories=ordered,
        dense=np.full(len(ordered), np.nan),
        lexical=np.array(scores, dtype=np.float64),
        geometry=Geometry(offset=0.0, scale=1.0),
        owned=max(len(ordered), 1),
    )
