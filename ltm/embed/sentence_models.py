"""Any model that the `sentence-transformers` package can load, from a hub or a folder."""

from collections.abc import Sequence
from functools import cached_property, partial
from hashlib import file_digest, sha256
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from ltm.embed.openmp import set_passive_waiting
from ltm.embed.prefixes import Prefixes, find_prefixes
from ltm.embed.vectors import MAX_CHARS, embed_in_batches, unit_rows
from ltm.errors import ModelError
from ltm.extras import require_package
from ltm.ports import EmbedderSpec, Matrix, Vector

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

_PASSAGE_PROMPTS = ("document", "passage", "corpus")
_HASHED_FILES = ("*.json", "*.safetensors", "*.bin", "*.model", "*.txt")


class SentenceTransformersEmbedder:
    """Loads its model when the spec or a vector is first needed.

    The prompts a model brings with it are used; for one without, those of its family (`ltm.embed.prefixes`). Texts
    beyond the model's own limit are cut by it. Calls take turns: tokenisers are not safe in several threads.

    Raises:
        ConfigurationError: The package is not installed.
    """

    mean = None
    forms = None

    def __init__(self, model: str, *, batch_size: int) -> None:
        needed_by = f"the embedder `sentence-transformers:{model}`"
        require_package("sentence_transformers", extra="sentence-transformers", needed_by=needed_by)
        self._name = model
        self._batch_size = batch_size
        self._model: SentenceTransformer | None = None
        self._lock = Lock()

    @cached_property
    def spec(self) -> EmbedderSpec:
        """Return what identifies the vector space; loads the model.

        A model in a folder goes by the folder's name and a hash of its files, one from a hub by its commit.
        """
        with self._lock:
            prefixes = self._prefixes
            folder = Path(self._name)
            is_local = folder.is_dir()
            return EmbedderSpec(
                name=f"sentence-transformers:{self._name}",
                model=folder.resolve().name if is_local else self._name,
                revision=_folder_revision(folder) if is_local else _commit(self._loaded()),
                dim=self._encode(["dimension"], prompt="").shape[1],
                query_prefix=prefixes.query,
                passage_prefix=prefixes.passage,
            )

    def embed_query(self, text: str) -> Vector:
        """Embed an intent."""
        vector: Vector = self._embed([text], prompt=self.spec.query_prefix)[0]
        return vector

    def embed_passages(self, texts: Sequence[str]) -> Matrix:
        """Embed texts in input order."""
        embed = partial(self._embed, prompt=self.spec.passage_prefix)
        return embed_in_batches(texts, embed, size=self._batch_size, dim=self.spec.dim)

    def close(self) -> None:
        """Let go of the model; a later text would load it again."""
        with self._lock:
            self._model = None

    @property
    def _prefixes(self) -> Prefixes:
        own = self._loaded().prompts
        query = own.get("query", "")
        passage = next((own[name] for name in _PASSAGE_PROMPTS if own.get(name)), "")
        return Prefixes(query=query, passage=passage) if query or passage else find_prefixes(self._name) or Prefixes()

    def _embed(self, texts: Sequence[str], *, prompt: str) -> Matrix:
        with self._lock:
            raw = self._encode(texts, prompt=prompt)
        return unit_rows(raw, count=len(texts), dim=self.spec.dim)

    def _encode(self, texts: Sequence[str], *, prompt: str) -> Matrix:
        model = self._loaded()
        try:
            raw: Matrix = model.encode(
                [text[:MAX_CHARS] for text in texts],
                prompt=prompt,
                batch_size=self._batch_size,
                show_progress_bar=False,
            )
        except (RuntimeError, ValueError, OSError) as error:
            raise ModelError(f"the model `{self._name}` failed: {type(error).__name__}") from error
        return raw

    def _loaded(self) -> "SentenceTransformer":
        if self._model is None:
            set_passive_waiting()
            from sentence_transformers import SentenceTransformer

            try:
                self._model = SentenceTransformer(self._name)
            except (ImportError, OSError, RuntimeError, ValueError) as error:
                raise ModelError(f"the model `{self._name}` cannot be loaded: {error}") from error
        return self._model


def _commit(model: "SentenceTransformer") -> str:
    config = getattr(getattr(model[0], "auto_model", None), "config", None)
    return getattr(config, "_commit_hash", None) or ""


def _folder_revision(folder: Path) -> str:
    """Hash the names and contents of the files that make the model; as fast as the disk, and read anyway to load it."""
    digest = sha256()
    paths = {path for pattern in _HASHED_FILES for path in folder.rglob(pattern)}
    for path in sorted(paths, key=lambda path: path.relative_to(folder).as_posix()):
        with path.open("rb") as file:
            content = file_digest(file, "sha256").hexdigest()
        digest.update(f"{path.relative_to(folder).as_posix()}\n{content}\n".encode())
    return digest.hexdigest()[:12]
