"""Embeddings from an OpenAI-compatible server."""

from collections.abc import Sequence
from functools import cached_property

from openai import OpenAI
from pydantic import BaseModel, ValidationError

from ltm.embed.prefixes import Prefixes, find_prefixes
from ltm.embed.vectors import MAX_CHARS, embed_in_batches, unit_rows
from ltm.errors import ModelError
from ltm.ports import EmbedderSpec, Matrix, Vector
from ltm.remote import ask_server

_MAX_RETRIES = 2
# As OpenAI's documentation gives them; every other model is asked for one vector when its dimension is first needed.
_KNOWN_DIMS = {"text-embedding-3-small": 1536, "text-embedding-3-large": 3072, "text-embedding-ada-002": 1536}


class _Item(BaseModel):
    index: int
    embedding: list[float]


class _Answer(BaseModel):
    data: list[_Item]


class OpenAIEmbedder:
    """Asks `/embeddings` of a server, in batches; owns its client.

    Texts go out with the prefixes of the model's family (`ltm.embed.prefixes`). An answer is taken only if it holds
    exactly one vector for each text, put in order by its `index`, all in the dimension of the first one ever seen.
    """

    mean = None
    forms = None

    def __init__(self, model: str, *, client: OpenAI, timeout_s: float, batch_size: int) -> None:
        self._model = model
        self._client = client
        self._timeout_s = timeout_s
        self._batch_size = batch_size
        self._prefixes = find_prefixes(model) or Prefixes()
        self._what = f"embedding model {model} at {client.base_url.host}"

    @cached_property
    def spec(self) -> EmbedderSpec:
        """Return what identifies the vector space; asks the server once where the dimension is not known.

        Raises:
            ModelError: The server did not answer.
        """
        return EmbedderSpec(
            name=f"openai:{self._model}",
            model=self._model,
            revision="",
            dim=_KNOWN_DIMS.get(self._model) or self._probe_dim(),
            query_prefix=self._prefixes.query,
            passage_prefix=self._prefixes.passage,
        )

    def embed_query(self, text: str) -> Vector:
        """Embed an intent."""
        vector: Vector = self._embed([self._prefixes.query + text[:MAX_CHARS]])[0]
        return vector

    def embed_passages(self, texts: Sequence[str]) -> Matrix:
        """Embed texts in input order, `batch_size` of them a request."""
        prefixed = [self._prefixes.passage + text[:MAX_CHARS] for text in texts]
        return embed_in_batches(prefixed, self._embed, size=self._batch_size, dim=self.spec.dim)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _probe_dim(self) -> int:
        items = self._ask(["dimension"])
        if len(items) != 1 or not items[0].embedding:
            raise ModelError(f"{self._what} returned no vector when asked for its dimension")
        return len(items[0].embedding)

    def _embed(self, texts: Sequence[str]) -> Matrix:
        dim = self.spec.dim
        items = sorted(self._ask(texts), key=lambda item: item.index)
        if [item.index for item in items] != list(range(len(texts))):
            raise ModelError(
                f"{self._model} returned {len(items)} vectors for {len(texts)} texts, or numbered them wrongly"
            )
        if any(len(item.embedding) != dim for item in items):
            raise ModelError(f"{self._what} returned a vector that has not {dim} numbers")
        return unit_rows([item.embedding for item in items], count=len(texts), dim=dim)

    def _ask(self, texts: Sequence[str]) -> list[_Item]:
        def send(timeout_s: float) -> bytes:
            answer = self._client.embeddings.with_raw_response.create(
                model=self._model, input=list(texts), encoding_format="float", timeout=timeout_s
            )
            return answer.content

        content = ask_server(send, what=self._what, timeout_s=self._timeout_s, max_retries=_MAX_RETRIES)
        try:
            return _Answer.model_validate_json(content).data
        except ValidationError as error:
            raise ModelError(f"{self._what} answered with something that holds no embeddings") from error
