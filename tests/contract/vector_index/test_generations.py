"""Generations: made, opened by the embedder they were made for, dropped, found again."""

import threading

import pytest

from ltm.errors import FingerprintMismatchError, InvalidRequestError, VectorIndexError
from ltm.ports import IndexAdmin, VectorIndex
from tests.contract.vector_index.backends import Backend
from tests.contract.vector_index.points import DIM, FINGERPRINT, ask, memory_id, point


def test_no_generations_at_first(admin: IndexAdmin) -> None:
    """Empty storage has none, and dropping one that is not there is no error."""
    assert admin.names() == []
    admin.drop("g1")


def test_generations_are_apart(admin: IndexAdmin) -> None:
    """Points of one generation are not in another, which may have another dimension."""
    first = admin.create("g1", dim=DIM, fingerprint="a")
    second = admin.create("g2", dim=7, fingerprint="b")
    first.upsert([point(1)])
    assert (first.dim, second.dim) == (DIM, 7)
    assert (first.count(), second.count()) == (1, 0)
    assert admin.names() == ["g1", "g2"]
    admin.drop("g1")
    assert admin.names() == ["g2"]
    assert admin.create("g1", dim=DIM, fingerprint="a").count() == 0


def test_creating_again_keeps_the_points(admin: IndexAdmin) -> None:
    """A generation that exists is opened as it is."""
    admin.create("g1", dim=DIM, fingerprint=FINGERPRINT).upsert([point(1)])
    assert admin.create("g1", dim=DIM, fingerprint=FINGERPRINT).count() == 1
    assert admin.open("g1", dim=DIM, fingerprint=FINGERPRINT).count() == 1


@pytest.mark.parametrize(("dim", "fingerprint"), [(DIM, "sha256:two"), (DIM + 1, FINGERPRINT), (DIM + 1, "sha256:two")])
def test_another_embedder_is_refused(backend: Backend, dim: int, fingerprint: str) -> None:
    """Same dimension, other model: refused with the command that helps, and nothing is changed."""
    backend.open().create("g1", dim=DIM, fingerprint=FINGERPRINT).upsert([point(1)])
    admin = backend.open()
    for enter in (admin.open, admin.create):
        with pytest.raises(FingerprintMismatchError, match="ltm index reindex"):
            enter("g1", dim=dim, fingerprint=fingerprint)
    assert admin.open("g1", dim=DIM, fingerprint=FINGERPRINT).count() == 1


def test_opening_what_does_not_exist_makes_nothing(admin: IndexAdmin) -> None:
    """A probe that fails is an error and leaves nothing behind."""
    with pytest.raises(VectorIndexError, match="ltm index reindex") as caught:
        admin.open("g1", dim=DIM, fingerprint=FINGERPRINT)
    assert caught.value.retryable is False
    assert admin.names() == []


@pytest.mark.parametrize("name", ["", "..", "a/b", "a.b", "é", "x" * 65, "a b", "a\n"])
def test_bad_names_are_refused(admin: IndexAdmin, name: str) -> None:
    """A name becomes a path or a collection, and must not lead anywhere else."""
    for call in (admin.create, admin.open):
        with pytest.raises(InvalidRequestError, match="name"):
            call(name, dim=DIM, fingerprint=FINGERPRINT)
    with pytest.raises(InvalidRequestError, match="name"):
        admin.drop(name)


def test_points_survive_reopening(backend: Backend) -> None:
    """What was written is found after everything was closed, with the same scores."""
    index = backend.open().create("g1", dim=DIM, fingerprint=FINGERPRINT)
    index.upsert([point(n, text=f"tea {'x' * n}", dense=(n, 1)) for n in range(1, 30)] + [point(40, text="?")])
    index.delete([memory_id(3)])
    index.flush()
    before = index.search(ask(dense=(1, 1), text="tea", limit=40))
    admin = backend.open()
    assert admin.names() == ["g1"]
    index = admin.open("g1", dim=DIM, fingerprint=FINGERPRINT)
    assert index.count() == 29
    assert index.search(ask(dense=(1, 1), text="tea", limit=40)) == before


def test_closing_twice_is_no_error(admin: IndexAdmin, index: VectorIndex) -> None:
    """Closing what is closed does nothing, for a generation and for all."""
    index.upsert([point(1)])
    index.close()
    index.close()
    assert admin.open("g1", dim=DIM, fingerprint=FINGERPRINT).count() == 1
    admin.close()
    admin.close()


def test_dropping_a_generation_in_use(admin: IndexAdmin, index: VectorIndex) -> None:
    """Who still holds a dropped generation gets an error, not an empty answer."""
    index.upsert([point(1)])
    admin.drop("g1")
    with pytest.raises(VectorIndexError):
        index.search(ask(dense=(1,)))
    assert admin.names() == []


def test_threads_may_share_a_generation(index: VectorIndex) -> None:
    """Readers and writers at once get complete answers and no errors."""
    index.upsert([point(n) for n in range(1, 6)])
    failures: list[Exception] = []

    def work(number: int) -> None:
        try:
            for turn in range(20):
                index.upsert([point(100 + number, owner="1:n:bob", version=turn + 1)])
                assert len(index.search(ask(dense=(1,), text="tea")).lexical) == 5
                assert index.owner_mean("1:n:ann") is not None
        except Exception as error:  # noqa: BLE001 - shown by the assertion below
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert index.count("1:n:bob") == 4
