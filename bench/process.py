"""The other end of a system's process."""

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TypeVar

from bench.environment import environment
from bench.messages import Add, Added, Command, Found, Ready, Search, Start, Unavailable, Weigh, Weight
from bench.peer import About, PeerFailedError, PeerUnavailableError
from eval.datasets import CorpusMemory, Query
from ltm.commands.scratch import scratch_folder

_PATIENCE_S = 30.0
_LAST_WORDS = 2_000
_ERRORS = "printed.txt"
_Reply = TypeVar("_Reply")


class PeerProcess:
    """A system in a process of its own."""

    def __init__(self, system: str, connection: "Connection[object, object]", errors: Path) -> None:
        self._system = system
        self._connection = connection
        self._errors = errors

    def start(self, start: Start) -> About:
        """Open the system.

        Raises:
            PeerUnavailableError: It cannot be run here.
        """
        reply = self._exchange(start)
        if isinstance(reply, Unavailable):
            raise PeerUnavailableError(reply.reason)
        return self._expected(reply, Ready).about

    def add(self, memories: Sequence[CorpusMemory]) -> float:
        """Store memories of one user and return the seconds it took."""
        return self._ask(Add(memories=tuple(memories)), Added).seconds

    def search(self, queries: Sequence[Query], limit: int) -> Found:
        """Ask queries one after another."""
        return self._ask(Search(queries=tuple(queries), limit=limit), Found)

    def peak_rss_mb(self) -> float:
        """Return how large the process has been so far."""
        return self._ask(Weigh(), Weight).peak_rss_mb

    def _ask(self, command: Command, kind: type[_Reply]) -> _Reply:
        return self._expected(self._exchange(command), kind)

    def _exchange(self, message: object) -> object:
        try:
            self._connection.send(message)
            return self._connection.recv()
        except (EOFError, OSError) as error:
            words = _last_words(self._errors)
            raise PeerFailedError(f"{self._system} ended before it had answered:\n{words}") from error

    def _expected(self, reply: object, kind: type[_Reply]) -> _Reply:
        if not isinstance(reply, kind):
            raise PeerFailedError(f"{self._system} answered {type(reply).__name__}, not {kind.__name__}")
        return reply


@contextmanager
def open_process(
    system: str, *, embedder: str, packs: tuple[str, ...] = (), has_cache: bool = False
) -> Iterator[tuple[PeerProcess, About]]:
    """Start a process with an empty system in a temporary folder, and end it with the block.

    Args:
        system: A name of `bench.adapters.MODULES`.
        embedder: As in `Settings.embedder`.
        packs: Domain packs of the set.
        has_cache: Take vectors from the platform's cache folder.

    Raises:
        PeerUnavailableError: The system cannot be run here.
        PeerFailedError: Its process ended by itself.
    """
    with scratch_folder() as folder, _spawned(system, folder) as connection:
        (folder / "data").mkdir()
        peer = PeerProcess(system, connection, folder / _ERRORS)
        start = Start(system=system, folder=folder / "data", embedder=embedder, packs=packs, has_cache=has_cache)
        yield peer, peer.start(start)


@contextmanager
def _spawned(system: str, folder: Path) -> Iterator["Connection[object, object]"]:
    """Start a fresh interpreter that shares nothing with this one but a pipe; what it prints goes to a file."""
    ours, theirs = Pipe()
    with ours, (folder / _ERRORS).open("wb") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "bench.worker", str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            env=environment(folder),
            stdout=errors,
            stderr=errors,
        )
        theirs.close()
        try:
            yield ours
            ours.send(None)
            if process.wait(timeout=_PATIENCE_S):
                raise PeerFailedError(f"{system} did not end well:\n{_last_words(folder / _ERRORS)}")
        finally:
            process.kill()
            process.wait()


def _last_words(errors: Path) -> str:
    return errors.read_text(encoding="utf-8", errors="replace")[-_LAST_WORDS:]
