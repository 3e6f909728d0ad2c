"""A cross-encoder of a few thousand random weights, made on the spot: what it says is nonsense, but always the same."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ltm.errors import ModelError
from ltm.rerank.cross_encoder import CrossEncoderReranker

pytestmark = pytest.mark.model

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "tea", "milk", "do", "you", "drink", "i", "like", "green"]
TEXTS = ["i like green tea", "milk", "", "tea tea tea"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the model."""
    pytest.importorskip("sentence_transformers")
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import AutoConfig, AutoModelForSequenceClassification, PreTrainedTokenizerFast

    path = tmp_path_factory.mktemp("cross-encoder")
    words = Tokenizer(models.WordLevel({word: at for at, word in enumerate(WORDS)}, unk_token="[UNK]"))
    words.pre_tokenizer = pre_tokenizers.Whitespace()
    marks = [("[CLS]", 2), ("[SEP]", 3)]
    words.post_processor = processors.TemplateProcessing("[CLS] $A [SEP]", "[CLS] $A [SEP] $B:1 [SEP]:1", marks)
    special = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    tokenizer: Any = PreTrainedTokenizerFast
    tokenizer(tokenizer_object=words, model_max_length=64, **special).save_pretrained(path)
    torch.manual_seed(1)
    shape = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16}
    limits = {"vocab_size": len(WORDS), "max_position_embeddings": 64, "num_labels": 1}
    config = AutoConfig.for_model("bert", **shape, **limits)
    maker: Any = AutoModelForSequenceClassification
    model = maker.from_config(config)
    with torch.no_grad():
        for weights in model.parameters():
            weights.normal_()
    model.save_pretrained(path)
    return path


@pytest.fixture
def reranker(folder: Path) -> Iterator[CrossEncoderReranker]:
    """Return a reranker with time enough to load."""
    made = CrossEncoderReranker(str(folder), timeout_s=60.0)
    yield made
    made.close()


def test_each_text_has_a_figure_of_its_own(reranker: CrossEncoderReranker) -> None:
    """In input order, the same whatever stands beside it; no texts give none."""
    scores = reranker.score("do you drink tea", TEXTS)
    assert len(set(scores)) == len(TEXTS)
    assert reranker.score("do you drink tea", TEXTS[::-1]) == pytest.approx(scores[::-1], abs=1e-5)
    assert reranker.score("do you drink milk", TEXTS) != pytest.approx(scores, abs=1e-5)
    assert reranker.score("do you drink tea", []) == []


def test_a_long_text_is_cut(reranker: CrossEncoderReranker) -> None:
    """Nothing a user pasted breaks it."""
    assert len(reranker.score("tea " * 10_000, ["milk " * 100_000, "tea"])) == 2


def test_a_slow_model_is_not_waited_for(folder: Path) -> None:
    """While it loads the bound holds; later it answers."""
    reranker = CrossEncoderReranker(str(folder), timeout_s=0.001)
    started = time.perf_counter()
    with pytest.raises(ModelError, match=r"0\.001 s"):
        reranker.score("tea", TEXTS)
    assert time.perf_counter() - started < 5.0
    reranker._timeout_s = 60.0
    assert len(reranker.score("tea", TEXTS)) == len(TEXTS)
    reranker.close()


def test_a_model_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    """A folder without a model, and a reranker that was closed, raise what recall can live with."""
    pytest.importorskip("sentence_transformers")
    reranker = CrossEncoderReranker(str(tmp_path), timeout_s=60.0)
    with pytest.raises(ModelError, match="failed"):
        reranker.score("tea", TEXTS)
    reranker.close()
    reranker.close()
    with pytest.raises(ModelError):
        reranker.score("tea", TEXTS)
