"""One system in a process of its own: `python -m bench.worker FD`, where FD is an inherited end of a pipe."""

import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from multiprocessing.connection import Connection
from pathlib import Path

from bench.adapters import OURS, open_system
from bench.messages import Add, Added, Command, Found, Ready, Search, Start, Unavailable, Weigh, Weight
from bench.peer import Opening, Peer, PeerFailedError, PeerUnavailableError
from eval.bench.timing import time_calls
from eval.datasets import Query
from eval.runner.opening import open_cached_embedder
from ltm.ports import Embedder
from ltm.settings import Settings
from ltm.wiring import open_embedder

_NETWORK = frozenset({"socket.connect", "socket.getaddrinfo", "socket.sendto"})
_STATUS = Path("/proc/self/status")


def serve(connection: "Connection[object, object]") -> None:
    """Open what is asked for and answer commands until None comes."""
    start = connection.recv()
    assert isinstance(start, Start)
    try:
        with _opened(start) as peer:
            connection.send(Ready(about=peer.about))
            while (command := connection.recv()) is not None:
                connection.send(answer(peer, command))  # type: ignore[arg-type]
    except PeerUnavailableError as error:
        connection.send(Unavailable(reason=str(error)))


def answer(peer: Peer, command: Command) -> Added | Found | Weight:
    """Do what a command says; each call of the system is timed by itself."""
    match command:
        case Add(memories=memories):
            return Added(seconds=sum(time_calls(peer.add, [memories])))
        case Search(queries=queries, limit=limit):
            rankings: list[tuple[str, ...]] = []

            def ask(query: Query) -> None:
                rankings.append(tuple(peer.search(query, limit)))

            seconds = tuple(time_calls(ask, queries))
            return Found(rankings=tuple(rankings), seconds=seconds, aliases=dict(peer.aliases))
        case Weigh():
            return Weight(peak_rss_mb=_peak_rss_mb())


def forbid_network(event: str, arguments: tuple[object, ...]) -> None:
    """Refuse, as an audit hook, every way out of the machine: a figure must not contain a network's answer."""
    if event in _NETWORK:
        raise PermissionError(f"the comparison runs without a network: {event} {arguments[1:]}")


@contextmanager
def _opened(start: Start) -> Iterator[Peer]:
    with _embedder(Settings(embedder=start.embedder), start) as embedder:
        opening = Opening(folder=start.folder, embedder=embedder, packs=start.packs)
        with open_system(start.system, opening) as peer:
            yield peer


@contextmanager
def _embedder(settings: Settings, start: Start) -> Iterator[Embedder]:
    """Open the embedder; from the cache, any other system than the library may ask only for what is there.

    The library embeds forms of a text that nobody else has, such as an intent with the dialogue before it.
    """
    if not start.has_cache:
        with closing(open_embedder(settings, settings.embedder)) as embedder:
            yield embedder
        return
    with open_cached_embedder(settings) as cached:
        yield cached
        if cached.misses and start.system != OURS:
            raise PeerFailedError(f"{start.system} embedded {cached.misses} texts that are none of the set's")


def _peak_rss_mb() -> float:
    """Read the kernel's own mark: that of getrusage begins with the size of the process that started this one."""
    line = next(line for line in _STATUS.read_text(encoding="ascii").splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


if __name__ == "__main__":
    sys.addaudithook(forbid_network)
    serve(Connection(int(sys.argv[1])))
