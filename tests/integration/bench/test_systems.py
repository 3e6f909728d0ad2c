"""Every system of the comparison, in the process it is measured in; one that cannot run here is skipped by name."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bench.adapters import MODULES
from bench.peer import PeerFailedError, PeerUnavailableError
from bench.process import PeerProcess, open_process
from bench.worker import forbid_network
from eval.datasets import Dataset, read_dataset
from eval.runner.ingest import batches


@pytest.fixture(scope="module")
def mine(labelled: Path) -> Dataset:
    """Return the small set."""
    return read_dataset(labelled / "mine")


@pytest.fixture(scope="module", params=MODULES)
def peer(request: pytest.FixtureRequest, mine: Dataset) -> Iterator[PeerProcess]:
    """Return each system with the set in it."""
    try:
        with open_process(request.param, embedder="hash") as (found, about):
            assert about.system == request.param
            for batch in batches(mine.memories):
                assert found.add(batch) > 0
            yield found
    except PeerUnavailableError as error:
        pytest.skip(f"{request.param}: {error}")


def test_the_nearest_of_the_users_own_memories_comes_first(peer: PeerProcess, mine: Dataset) -> None:
    """Under its corpus id, and never another user's, who said nearly the same."""
    found = peer.search([replace(query, relevant={}) for query in mine.queries[:2]], 10)
    assert [ranking[0] for ranking in found.rankings] == ["a1", "b1"]
    assert set(found.rankings[0]) <= {"a1", "a2", "a3"}
    assert set(found.rankings[1]) == {"b1"}
    assert len(found.seconds) == 2


def test_no_more_than_asked_for_comes_and_nothing_for_a_stranger(peer: PeerProcess, mine: Dataset) -> None:
    """Every system is cut at the same rank; a user without memories gets none."""
    first = replace(mine.queries[0], relevant={})
    found = peer.search([first, replace(first, user="nobody")], 1)
    assert found.rankings == (("a1",), ())


def test_a_process_knows_its_size(peer: PeerProcess) -> None:
    """More than an interpreter, less than a machine."""
    assert 10 < peer.peak_rss_mb() < 10_000


def test_what_goes_wrong_in_a_process_is_told_with_its_last_words() -> None:
    """Nobody has to look for a traceback in a file that is gone."""
    with (
        pytest.raises(PeerFailedError, match=r"bm25s ended before it had answered:[\s\S]*IndexError"),
        open_process("bm25s", embedder="hash") as (found, _),
    ):
        found.add([])


def test_the_network_is_closed() -> None:
    """Connecting, sending and looking a name up are refused; anything else is not."""
    for event in ("socket.connect", "socket.sendto", "socket.getaddrinfo"):
        with pytest.raises(PermissionError, match="without a network"):
            forbid_network(event, (None, ("192.0.2.1", 443)))
    forbid_network("open", ("file", "r", 0))
