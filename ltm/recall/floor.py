"""The floor: does anything in the pool bear on the intent at all?

The best of a pool always has a high z-score, so the floor tests an absolute signal. No threshold on the centred cosine
alone separates implied requests (.10 to .37) from what needs no memory (up to .30); with what the request is about, and
whether the user has anything on that, most of them part.
"""

import math
import re
from collections.abc import Sequence

import numpy as np

from ltm.models import Lang
from ltm.packs.language import HAN
from ltm.recall.columns import CheckedPool, Floats, filled
from ltm.recall.profile import FloorWeights
from ltm.recall.question import Question
from ltm.recall.topics import Bearing

_HAN = re.compile(f"[{HAN}]")
_MAX_TERMS = 2.0
_TERM_WEIGHT = 1.2
"""What BM25 makes of a term that occurs once in a short text (k1 = 1.2, b = 0.75, a third of the average length)."""


def signals(
    pool: CheckedPool, question: Question, bearings: Sequence[Bearing], boost: Floats, weights: FloorWeights
) -> Floats:
    """Return the absolute evidence of a match, 0 to 1, shape (n,).

    Args:
        pool: The pool.
        question: The intent, read.
        bearings: How each memory of the pool stands to what the intent names.
        boost: Day boosts, shape (n,).
        weights: What each piece of evidence is worth.
    """
    terms = np.minimum(matched_terms(pool.lexical, pool.owned), _MAX_TERMS)
    if question.asked.is_general:
        terms = np.zeros_like(terms)  # the word that a sum or a question of history shares with a memory is chance
    if np.isnan(pool.dense).all():
        evidence = weights.term_alone * terms
    else:
        # Outside the dense hits the cosine is at most that of the last of them.
        cosines = (filled(pool.dense, None) - pool.geometry.offset) * pool.geometry.scale
        evidence = cosines + weights.term * terms + _languages(pool, question.lang, weights)
    evidence = evidence + np.where(boost > 0.0, weights.named_day, 0.0) + _topics(question, bearings, weights)
    return np.minimum(np.maximum(evidence, 0.0), 1.0)


def matched_terms(lexical: Floats, owned: int) -> Floats:
    """Return how many of the rarest possible terms would give a memory's BM25 score; 0 outside the channel.

    The rarest term of an owner with n memories occurs in one of them: its IDF is `ln(1 + (n - 1/2) / (3/2))`.
    """
    return filled(lexical, 0.0) / (_TERM_WEIGHT * math.log1p((owned - 0.5) / 1.5))


def _languages(pool: CheckedPool, asked_in: Lang, weights: FloorWeights) -> Floats:
    same = -weights.same_chinese if asked_in is Lang.ZH else 0.0
    chinese, other = (same, weights.cross_language) if asked_in is Lang.ZH else (weights.cross_language, same)
    return np.array([chinese if _has_han(memory.text) else other for memory in pool.memories])


def _has_han(text: str) -> bool:
    """Tell Chinese from other texts as far as the distance of vectors goes."""
    if text.isascii():
        return False
    return "一" <= text[0] <= "鿿" or _HAN.search(text) is not None


def _topics(question: Question, bearings: Sequence[Bearing], weights: FloorWeights) -> Floats | float:
    asked = question.asked
    general = weights.general if asked.is_general else 0.0
    if not asked.topics:
        return -general
    alien = 0.0 if Bearing.ABOUT in bearings else weights.alien
    against = {
        Bearing.SILENT: 0.0,
        Bearing.FOREIGN: weights.foreign,
        Bearing.ELSEWHERE: weights.elsewhere,
        Bearing.FOREIGN_ELSEWHERE: weights.foreign + weights.elsewhere,
    }
    worth = {Bearing.ABOUT: weights.topic} | {found: -alien - taken for found, taken in against.items()}
    return np.array([worth[found] for found in bearings]) - general
