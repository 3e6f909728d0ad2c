"""Long intents: a dialogue and its last turn."""

import numpy as np
import pytest

from ltm.embed.hashing import HashEmbedder
from ltm.lexical import encode_query
from ltm.models import Turn
from ltm.recall.long_intent import bounded, dialogue_text, embed_intent, encode_intent, mix_vectors

HISTORY = (
    Turn(role="system", text="be kind"),
    Turn(role="user", text="杭州的岗位"),
    Turn(role="assistant", text="有三个"),
    Turn(role="tool", text="rows"),
)


def test_only_user_and_assistant_are_the_dialogue() -> None:
    """Oldest first, the intent last."""
    assert dialogue_text(HISTORY, "那上海呢") == "杭州的岗位\n有三个\n那上海呢"


def test_a_long_dialogue_keeps_its_end() -> None:
    """What was said last matters most, and the embedder's time is bounded."""
    history = tuple(Turn(role="user", text=f"{at} " * 50) for at in range(100))
    text = dialogue_text(history, "那上海呢")
    assert len(text) == 2_000
    assert text.endswith("那上海呢")


def test_a_long_intent_keeps_beginning_and_end() -> None:
    """People ask before or behind what they paste."""
    text = bounded(f"开头的问题{'粘' * 5_000}结尾的问题")
    assert len(text) <= 2_001
    assert text.startswith("开头的问题")
    assert text.endswith("结尾的问题")
    assert bounded("短") == "短"


def test_the_mixture_is_of_unit_length_and_leans_on_the_dialogue() -> None:
    """`unit(dialogue + intent / 2)`; opposite vectors of equal weight leave the dialogue."""
    dialogue, intent = np.eye(2, dtype=np.float32)
    mixed = mix_vectors(dialogue, intent, last_turn_weight=0.5)
    assert np.linalg.norm(mixed) == pytest.approx(1.0)
    assert mixed[1] / mixed[0] == pytest.approx(0.5)
    assert mix_vectors(dialogue, -dialogue, last_turn_weight=1.0) is dialogue


def test_without_history_the_intent_is_all() -> None:
    """Neither vector nor terms change."""
    embedder = HashEmbedder()
    vector = embed_intent(embedder, "那上海呢", (), last_turn_weight=0.5)
    assert vector.tolist() == embedder.embed_query("那上海呢").tolist()
    assert encode_intent("那上海呢", (), last_turn_weight=0.5) == encode_query("那上海呢")


def test_terms_of_the_intent_weigh_more_than_those_of_the_dialogue() -> None:
    """1 for the dialogue's terms, half more for those of the intent."""
    query = encode_intent("那上海呢", HISTORY, last_turn_weight=0.5)
    weights = dict(zip(query.indices, query.values, strict=True))
    assert {weights[index] for index in encode_query("上海").indices} == {1.5}
    assert {weights[index] for index in encode_query("岗位").indices} == {1.0}
