"""A second look at the first of a ranking, by a model that reads intent and memory together."""

import logging
from dataclasses import replace

import numpy as np

from ltm.errors import ModelError
from ltm.ports import Reranker
from ltm.recall.columns import Remembered
from ltm.recall.rank import Ranked

_log = logging.getLogger(__name__)


def rerank(ranked: Ranked, intent: str, reranker: Reranker | None, *, depth: int) -> Ranked:
    """Order the first `depth` memories by the reranker; what follows stays behind them in its order.

    Which memories pass the floor, and every figure of a memory, stay as they are; equal figures of the model keep the
    order of the ranking. A reranker that does not answer changes nothing, and the log says so.
    """
    first = ranked.order[:depth]
    if reranker is None or len(first) < 2:
        return ranked
    try:
        scores = reranker.score(intent, [_text(ranked.pool.memories[at]) for at in first.tolist()])
    except ModelError as error:
        _log.warning("the ranking stays as it is, the reranker does not answer: %s", type(error).__name__)
        return ranked
    best_first = first[np.argsort(-np.array(scores), kind="stable")]
    return replace(ranked, order=np.concatenate([best_first, ranked.order[depth:]]))


def _text(memory: Remembered) -> str:
    return memory.text if memory.context is None else f"{memory.context}\n{memory.text}"
