"""The directions of form."""

import numpy as np
import pytest

from eval.estimate_forms import estimate_forms
from ltm.embed.hashing import HashEmbedder


def test_directions_are_orthonormal_and_tell_templates_apart() -> None:
    """Texts of one template share them, whatever the topic; texts of one topic do not."""
    embedder = HashEmbedder()
    forms = estimate_forms(embedder, count=3)
    assert forms @ forms.T == pytest.approx(np.eye(3), abs=1e-5)

    def spread(texts: list[str]) -> float:
        return float((embedder.embed_passages(texts) @ forms.T).var(axis=0).sum())

    ways = ["Suggest some ideas for {}.", "I have a strong dislike of {}.", "What is the best place nearby for {}?"]
    assert spread([way.format("sailing") for way in ways]) > 3 * spread(
        [ways[0].format(of) for of in ("sailing", "tax")]
    )
