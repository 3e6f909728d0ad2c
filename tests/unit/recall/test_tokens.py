"""Counting tokens."""

import warnings
from types import ModuleType

import pytest

from ltm.recall import tokens

TEXTS = [
    "",
    "hello",
    "期望薪资：15-20k/月（用户于10月提及）",
    "<|endoftext|> <|im_start|>",
    "a\r\n\n  b",
    "👨‍👩‍👧 é ﷺ",
    "x" * 5_000,
]


@pytest.mark.parametrize("text", TEXTS)
def test_the_engine_counts_as_the_package_encodes(text: str) -> None:
    """The compiled module alone gives what the package's `encode_ordinary` gives; special tokens are ordinary text."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        from bpe_openai import get_encoding  # type: ignore[import-untyped]

        expected = len(get_encoding("o200k_base").encode_ordinary(text))
    assert tokens.count_tokens(text) == expected


@pytest.mark.parametrize("engine", [None, ModuleType("empty")], ids=["no engine", "another engine"])
def test_a_package_of_another_layout_still_counts(engine: ModuleType | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the compiled module is not found, or is not as it was, the public way is taken."""
    monkeypatch.setattr(tokens, "_load_engine", lambda: engine)
    tokens._counter.cache_clear()
    try:
        assert tokens._count("hello hello") == 2
    finally:
        tokens._counter.cache_clear()


def test_very_long_texts_are_counted() -> None:
    """The tokenizer's own limit of a million characters is not ours."""
    assert tokens.count_tokens("杭州 " * 400_000) >= 400_000


def test_an_engine_that_cannot_be_loaded_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """A compiled module for another machine is no reason to fail."""

    def refuse() -> ModuleType:
        raise ImportError("wrong ELF class")

    monkeypatch.setattr(tokens, "_load_engine", refuse)
    assert tokens._find_native() is None
