"""Loads what is loaded at first use, so that no single example of a property pays for it."""

import pytest

from ltm.recall.smalltalk import is_small_talk
from ltm.recall.tokens import count_tokens
from ltm.recall.topics import asked_about


@pytest.fixture(scope="session", autouse=True)
def _loaded() -> None:
    count_tokens("hello")
    is_small_talk("hello")
    asked_about("hello")
