"""Vectors on disk, so that a set is embedded once and every later run asks only for what is new."""

import sqlite3
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from threading import Lock
from time import perf_counter

import numpy as np

from ltm.ports import Embedder, EmbedderSpec, Matrix, Vector, embedder_fingerprint

_ITEM = np.dtype("<f4")
_BATCH = 256


class CachedEmbedder:
    """An embedder that remembers vectors in an SQLite file named by its fingerprint. Thread-safe.

    Closing it closes the file and leaves the inner embedder to whoever made it.

    Attributes:
        seconds: Time spent in the inner embedder so far.
        misses: Texts that it embedded so far.
    """

    def __init__(self, inner: Embedder, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._inner = inner
        self._lock = Lock()
        self._file = sqlite3.connect(
            folder / f"{embedder_fingerprint(inner.spec)}.sqlite", check_same_thread=False, timeout=60.0
        )
        self._file.execute("PRAGMA journal_mode=WAL")
        self._file.execute("PRAGMA synchronous=OFF")
        self._file.execute("CREATE TABLE IF NOT EXISTS vectors (name BLOB PRIMARY KEY, vector BLOB) WITHOUT ROWID")
        self.seconds = 0.0
        self.misses = 0

    @property
    def spec(self) -> EmbedderSpec:
        """Return the inner embedder's spec: the vectors are the same."""
        return self._inner.spec

    @property
    def mean(self) -> Vector | None:
        """Return the inner embedder's mean."""
        return self._inner.mean

    @property
    def forms(self) -> Matrix | None:
        """Return the inner embedder's."""
        return self._inner.forms

    def embed_query(self, text: str) -> Vector:
        """Return the intent's vector, from the file where it is there."""
        with self._lock:
            found = self._find([_name("query", text)])[0]
            if found is None:
                started = perf_counter()
                found = self._inner.embed_query(text)
                self._count(started, 1)
                self._keep([_name("query", text)], found[np.newaxis, :])
        return found

    def embed_passages(self, texts: Sequence[str]) -> Matrix:
        """Return the texts' vectors in input order; those that are missing are embedded and kept batch by batch."""
        names = [_name("passage", text) for text in texts]
        with self._lock:
            rows = self._find(names)
            missing = [at for at, row in enumerate(rows) if row is None]
            for start in range(0, len(missing), _BATCH):
                part = missing[start : start + _BATCH]
                started = perf_counter()
                vectors = self._inner.embed_passages([texts[at] for at in part])
                self._count(started, len(part))
                self._keep([names[at] for at in part], vectors)
                for at, vector in zip(part, vectors, strict=True):
                    rows[at] = vector
        found = [row for row in rows if row is not None]
        return np.stack(found) if found else np.empty((0, self.spec.dim), dtype=np.float32)

    def close(self) -> None:
        """Close the file; calling it again does nothing."""
        self._file.close()

    def _count(self, started: float, texts: int) -> None:
        self.seconds += perf_counter() - started
        self.misses += texts

    def _find(self, names: Sequence[bytes]) -> list[Vector | None]:
        found: dict[bytes, Vector] = {}
        for start in range(0, len(names), _BATCH):
            part = names[start : start + _BATCH]
            marks = ",".join("?" * len(part))
            rows = self._file.execute(f"SELECT name, vector FROM vectors WHERE name IN ({marks})", part)
            found.update((name, np.frombuffer(vector, dtype=_ITEM).astype(np.float32)) for name, vector in rows)
        return [found.get(name) for name in names]

    def _keep(self, names: Sequence[bytes], vectors: Matrix) -> None:
        rows = [(name, vector.astype(_ITEM).tobytes()) for name, vector in zip(names, vectors, strict=True)]
        with self._file:
            self._file.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)


def _name(side: str, text: str) -> bytes:
    return sha256(f"{side}\n{text}".encode()).digest()
