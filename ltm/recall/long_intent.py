"""Long intents: the dialogue that an intent ends tells more than the intent alone.

The dialogue and half of the last user turn gained 7 points (docs/adr/0009): the whole dialogue is one text, and the
intent is added once more with half the weight.
"""

from collections.abc import Sequence

import numpy as np

from ltm.lexical import encode_query
from ltm.models import Role, Turn
from ltm.ports import Embedder, SparseVector, Vector

_HEAD_CHARS = 500
_TAIL_CHARS = 1_500
"""Of a long text its beginning and its end are read: people ask before or behind what they paste, and an embedder
needs a second for a text of 30,000 characters."""

_ROLES = (Role.USER, Role.ASSISTANT)


def bounded(text: str) -> str:
    """Return the text, or of a long one its beginning and its end."""
    if len(text) <= _HEAD_CHARS + _TAIL_CHARS:
        return text
    return f"{text[:_HEAD_CHARS]}\n{text[-_TAIL_CHARS:]}"


def dialogue_text(history: Sequence[Turn], intent: str) -> str:
    """Return what user and assistant said, oldest first, and the intent; the end of it where it is long."""
    said = [turn.text for turn in history if turn.role in _ROLES and turn.text.strip()]
    return "\n".join([*said, bounded(intent)])[-(_HEAD_CHARS + _TAIL_CHARS) :]


def mix_vectors(dialogue: Vector, intent: Vector, *, last_turn_weight: float) -> Vector:
    """Return `unit(dialogue + last_turn_weight * intent)`; the dialogue alone where the sum is zero."""
    total = dialogue + np.float32(last_turn_weight) * intent
    length = float(np.linalg.norm(total))
    return dialogue if length == 0.0 else (total / length).astype(np.float32)


def embed_intent(embedder: Embedder, intent: str, history: Sequence[Turn], *, last_turn_weight: float) -> Vector:
    """Return the unit query vector of an intent, within its dialogue where there is one.

    Raises:
        ModelError: The embedder did not answer.
    """
    own = embedder.embed_query(bounded(intent))
    if not history:
        return own
    dialogue = embedder.embed_query(dialogue_text(history, intent))
    return mix_vectors(dialogue, own, last_turn_weight=last_turn_weight)


def encode_intent(intent: str, history: Sequence[Turn], *, last_turn_weight: float) -> SparseVector:
    """Return the lexical query: each term of the dialogue weighs 1, those of the intent `last_turn_weight` more."""
    own = encode_query(bounded(intent))
    if not history:
        return own
    weights = dict.fromkeys(encode_query(dialogue_text(history, intent)).indices, 1.0)
    for index in own.indices:
        weights[index] = weights.get(index, 0.0) + last_turn_weight
    indices = tuple(sorted(weights))
    return SparseVector(indices=indices, values=tuple(weights[index] for index in indices))
