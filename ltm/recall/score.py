"""From the mixed z-score to the final figure: relevance, and two bounded factors."""

from datetime import datetime

import numpy as np

from ltm.recall.columns import Floats
from ltm.recall.dates import NamedSpan

_DAY_S = 86_400.0


def relevance(mixed: Floats, *, scale: float) -> Floats:
    """Map mixed z-scores to (0, 1), monotonically: the logistic function; the average is 1/2."""
    return 1.0 / (1.0 + np.exp(-mixed / scale))


def recency(valid_from_s: Floats, half_life_days: Floats, *, now: datetime) -> Floats:
    """Return `2 ** (-age / half_life)`, 1 for what lies in the future."""
    age_days = np.maximum(now.timestamp() - valid_from_s, 0.0) / _DAY_S
    return np.exp2(-age_days / half_life_days)


def factor(share: Floats, *, bound: float) -> Floats:
    """Return `1 + bound * (share - 1/2)` for shares of 0 to 1."""
    return 1.0 + bound * (share - 0.5)


def day_boost(valid_from_s: Floats, named: tuple[NamedSpan, ...], *, weight: float) -> Floats:
    """Return what to add to the mixed z-score: the highest boost among the named spans a memory falls into, else 0."""
    boost = np.zeros_like(valid_from_s)
    for one in named:
        inside = (valid_from_s >= one.span.start.timestamp()) & (valid_from_s < one.span.end.timestamp())
        boost = np.maximum(boost, np.where(inside, weight * one.boost, 0.0))
    return boost
