"""Loads what is loaded at first use, so that no single example of a property pays for it."""

import pytest

from ltm.recall.tokens import count_tokens


@pytest.fixture(scope="session", autouse=True)
def _loaded() -> None:
    count_tokens("hello")
