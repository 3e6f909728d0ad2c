"""Opens generations with the embedders they were built with, and keeps them open."""

import json
import logging
import threading
from collections.abc import Callable
from copy import copy

from ltm.errors import ConfigurationError, FingerprintMismatchError, ModelError, VectorIndexError
from ltm.ports import Embedder, EmbedderSpec, Generation, IndexAdmin, Space, Store, VectorIndex, embedder_fingerprint

_log = logging.getLogger(__name__)

LoadEmbedder = Callable[[EmbedderSpec], Embedder]
"""Loads the embedder of another generation; raises `ConfigurationError` where it cannot be had here."""


class OpenSpaces:
    """The `Spaces` port over one store and one index. Thread-safe; `close` closes what was opened here."""

    def __init__(self, store: Store, admin: IndexAdmin, embedder: Embedder, load_embedder: LoadEmbedder) -> None:
        self._store = store
        self._admin = admin
        self._embedder = embedder
        self._load_embedder = load_embedder
        self._open: dict[int, Space] = {}
        self._failures: dict[int, VectorIndexError] = {}
        self._has_live = False
        self._warned: set[int] = set()
        self._lock = threading.Lock()

    def get(self, generation: Generation) -> Space:
        """Return the space of a generation, opening index and embedder at the first call.

        An index that is gone is never made anew in silence: recall would find nothing and say that nothing is wrong.
        One thread tries, and those that came meanwhile share what it finds: an index that does not answer costs each
        of them one wait, and not the waits of all one after another.
        """
        number = generation.generation_id
        space = self._open.get(number)
        if space is not None:
            return space
        known = self._failures.get(number)
        with self._lock:
            space = self._open.get(number)
            failure = self._failures.get(number)
            if space is None and failure is not None and failure is not known:
                raise copy(failure)
            if space is None:
                space = self._open[number] = self._open_space(generation)
            return space

    def live(self) -> Space:
        """Return the live space, whichever embedder it was built with; the first use makes the first generation.

        A process goes on when a reindex has switched to another embedder: it loads that one.

        Raises:
            ModelError: The first generation cannot be made because the embedder does not say its dimension.
        """
        return self.get(self._store.generations.find_live() or self.make_first())

    def has_live(self) -> bool:
        """Tell whether a generation is live; from the first one on there always is one."""
        self._has_live = self._has_live or self._store.generations.find_live() is not None
        return self._has_live

    def make_first(self) -> Generation:
        """Return the live generation, registering the first one where there is none; opens no index."""
        spec = self._embedder.spec
        fingerprint = embedder_fingerprint(spec)
        return self._store.generations.ensure_live(f"g1-{fingerprint[:8]}", fingerprint=fingerprint, spec=spec)

    def check(self, generation: Generation) -> None:
        """Refuse a live generation of another embedder than the configured one.

        Raises:
            FingerprintMismatchError: Names both, and the command that brings them together.
        """
        spec = self._embedder.spec
        if embedder_fingerprint(spec) != generation.fingerprint:
            built = spec_of(generation)
            raise FingerprintMismatchError(
                f"the index was built with embedder {built.name!r} (model {built.model!r}, {built.dim} dimensions), "
                f"but {spec.name!r} (model {spec.model!r}, {spec.dim} dimensions) is configured: run "
                f"`ltm index reindex` to rebuild it beside the live one, or set LTM_EMBEDDER={built.name}"
            )

    def embedder_of(self, generation: Generation) -> Embedder | None:
        """Return the embedder of a generation, or None where it cannot be had here."""
        try:
            if embedder_fingerprint(self._embedder.spec) == generation.fingerprint:
                return self._embedder
            other = self._load_embedder(spec_of(generation))
            return other if embedder_fingerprint(other.spec) == generation.fingerprint else None
        except (ConfigurationError, ModelError):
            return None

    def forget(self, generation: Generation) -> None:
        """Close a generation's index before it is dropped."""
        with self._lock:
            space = self._open.pop(generation.generation_id, None)
        if space is not None:
            space.index.close()

    def close(self) -> None:
        """Close what was opened; calling it again does nothing."""
        with self._lock:
            spaces, self._open = list(self._open.values()), {}
        for space in spaces:
            space.index.close()
            if space.embedder is not None and space.embedder is not self._embedder:
                space.embedder.close()

    def _open_space(self, generation: Generation) -> Space:
        try:
            index = self._open_index(generation)
        except VectorIndexError as error:
            self._warn_once(generation, error)
            # A copy keeps no frames alive, and with them what somebody asked.
            self._failures[generation.generation_id] = copy(error)
            raise
        self._warned.discard(generation.generation_id)
        self._failures.pop(generation.generation_id, None)
        return Space(generation=generation, index=index, embedder=self.embedder_of(generation))

    def _open_index(self, generation: Generation) -> VectorIndex:
        # A generation's row is committed before its folder or collection is made, so for a moment, or after a crash
        # between the two, the row stands alone. Whoever applies something has made it first: as soon as a memory does
        # not wait any more, an absent index is one that was lost. What is being built nobody reads before it is proved.
        may_make = generation.state == "building" or self._store.outbox.has_all(generation.generation_id)
        enter = self._admin.create if may_make else self._admin.open
        return enter(generation.name, dim=generation.dim, fingerprint=generation.fingerprint)

    def _warn_once(self, generation: Generation, error: VectorIndexError) -> None:
        """Tell what no retry helps against, of the generation that is read; once, for every recall comes by."""
        if generation.state != "live" or error.retryable or generation.generation_id in self._warned:
            return
        self._warned.add(generation.generation_id)
        _log.warning(
            "generation %s cannot be read, recall goes by words until `python -m indexing repair` has rebuilt it: %s",
            generation.name,
            error,
        )


def spec_of(generation: Generation) -> EmbedderSpec:
    """Read the spec that a generation was registered with."""
    return EmbedderSpec(**json.loads(generation.embedder))
