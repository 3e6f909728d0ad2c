"""From a reranker's name to the reranker; the driver is imported only where one is asked for."""

from ltm.errors import ConfigurationError
from ltm.ports import Reranker

CHOICES = ("sentence-transformers:<cross-encoder or path>",)


def make_reranker(name: str, *, timeout_s: float) -> Reranker:
    """Create a reranker without loading its model; whoever calls this closes it.

    Args:
        name: One of `CHOICES`, as in `Settings.reranker`.
        timeout_s: Bound on one call.

    Raises:
        ConfigurationError: No such reranker, or its package is not installed.
    """
    family, _, model = name.partition(":")
    if family != "sentence-transformers" or not model:
        raise ConfigurationError(f"no reranker `{name}`: choose {', '.join(CHOICES)}")
    from ltm.rerank.cross_encoder import CrossEncoderReranker

    return CrossEncoderReranker(model, timeout_s=timeout_s)
