"""What a server may do wrong, played by a real one."""

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from email.utils import formatdate

import numpy as np
import pytest

from eval.scripted_model import RawReply, ScriptedModel, scripted_model
from ltm.embed import make_embedder
from ltm.errors import ModelError
from ltm.ports import Embedder

HTML = {"Content-Type": "text/html"}


def vectors(rows: Sequence[Sequence[float]], *, order: Sequence[int] | None = None) -> RawReply:
    """Return an answer with these vectors, numbered in order unless told otherwise."""
    data = [{"object": "embedding", "index": number, "embedding": row} for number, row in enumerate(rows)]
    return RawReply(body=json.dumps({"object": "list", "data": [data[at] for at in order] if order else data}))


ONE = vectors([[3.0, 4.0]])


@contextmanager
def served(*replies: RawReply, timeout_s: float = 5.0, batch_size: int = 2) -> Iterator[tuple[Embedder, ScriptedModel]]:
    """Return an embedder whose server first tells its dimension, 2, and then answers as given."""
    with scripted_model([ONE, *replies]) as server:
        embedder = make_embedder("openai:m", base_url=server.url, timeout_s=timeout_s, batch_size=batch_size)
        assert embedder.spec.dim == 2
        yield embedder, server
        embedder.close()


def test_vectors_are_put_in_order_by_their_index() -> None:
    """A server may answer in any order."""
    with served(vectors([[1.0, 0.0], [0.0, 2.0]], order=[1, 0])) as (embedder, _):
        np.testing.assert_array_equal(embedder.embed_passages(["a", "b"]), [[1, 0], [0, 1]])


def test_many_texts_go_out_in_batches() -> None:
    """Three texts in batches of two are two requests."""
    with served(vectors([[1.0, 0.0], [0.0, 1.0]]), ONE) as (embedder, server):
        assert embedder.embed_passages(["a", "b", "c"]).shape == (3, 2)
        assert [request.body["input"] for request in server.requests[1:]] == [["a", "b"], ["c"]]
        assert {request.path for request in server.requests} == {"/v1/embeddings"}


def test_a_family_that_wants_prefixes_gets_them() -> None:
    """Models of the e5 family are asked as they were trained, wherever they run."""
    with scripted_model([ONE, ONE, ONE]) as server:
        embedder = make_embedder("openai:intfloat/multilingual-e5-large", base_url=server.url)
        embedder.embed_query("a")
        embedder.embed_passages(["b"])
        embedder.close()

    assert [request.body["input"] for request in server.requests[1:]] == [["query: a"], ["passage: b"]]


@pytest.mark.parametrize("status", [500, 503, 429, 408])
def test_a_passing_failure_is_asked_again(status: int) -> None:
    """The second answer counts."""
    with served(RawReply(status=status, body="{}"), ONE) as (embedder, server):
        np.testing.assert_allclose(embedder.embed_query("a"), [0.6, 0.8], rtol=1e-6)
        assert len(server.requests) == 3


def test_the_server_says_when_to_come_back() -> None:
    """`Retry-After` is kept to."""
    with served(RawReply(status=429, headers={"Retry-After": "1"}), ONE) as (embedder, _):
        start = time.monotonic()
        embedder.embed_query("a")

        assert 1 <= time.monotonic() - start < 3


def test_the_server_may_name_a_moment() -> None:
    """`Retry-After` as a date, in whole seconds."""
    with scripted_model([ONE]) as server:
        later = formatdate(time.time() + 2, usegmt=True)
        server.replies[:] = [ONE, RawReply(status=503, headers={"Retry-After": later}), ONE]
        embedder = make_embedder("openai:m", base_url=server.url, timeout_s=10)
        start = time.monotonic()
        embedder.embed_query("a")
        embedder.close()

    assert 0.9 <= time.monotonic() - start < 5


@pytest.mark.parametrize("header", ["soon", "", "-5", "nan"])
def test_a_moment_that_makes_no_sense_is_no_moment(header: str) -> None:
    """Then the usual short pause is made."""
    with served(RawReply(status=503, headers={"Retry-After": header}), ONE) as (embedder, _):
        start = time.monotonic()
        embedder.embed_query("a")

        assert time.monotonic() - start < 2


def test_a_wait_beyond_the_timeout_is_not_begun() -> None:
    """Asked to come back in an hour, the caller is told at once."""
    with served(RawReply(status=429, headers={"Retry-After": "3600"})) as (embedder, server):
        start = time.monotonic()
        with pytest.raises(ModelError, match="HTTP 429"):
            embedder.embed_query("a")

        assert time.monotonic() - start < 1
        assert len(server.requests) == 2


def test_a_server_that_hangs_costs_the_timeout_once() -> None:
    """The bound holds for all attempts together."""
    with served(RawReply(delay_s=30), timeout_s=0.5) as (embedder, _):
        start = time.monotonic()
        with pytest.raises(ModelError, match=r"did not answer within 0\.5 s") as caught:
            embedder.embed_query("a")

        assert time.monotonic() - start < 2
        assert caught.value.retryable


def test_three_failures_are_the_end() -> None:
    """A server that stays broken is not asked for ever."""
    with served(*[RawReply(status=500, body="{}")] * 5) as (embedder, server):
        with pytest.raises(ModelError, match="HTTP 500"):
            embedder.embed_query("a")
        assert len(server.requests) == 4


@pytest.mark.parametrize("status", [400, 401, 404])
def test_a_refusal_is_not_repeated(status: int) -> None:
    """Asking again cannot help, and the error says so; a user's words are not in it."""
    with served(RawReply(status=status, body=json.dumps({"error": {"message": "bad: secret words"}}))) as (
        embedder,
        server,
    ):
        with pytest.raises(ModelError, match=f"HTTP {status}") as caught:
            embedder.embed_query("secret words")

        assert len(server.requests) == 2
        assert not caught.value.retryable
        assert "secret words" not in str(caught.value)


def test_nobody_there_is_a_model_error() -> None:
    """The message says which server could not be reached."""
    embedder = make_embedder("openai:m", base_url="http://127.0.0.1:9/v1", timeout_s=1)
    with pytest.raises(ModelError, match=r"127\.0\.0\.1 cannot be reached"):
        embedder.embed_query("a")
    embedder.close()


@pytest.mark.parametrize(
    "reply",
    [
        vectors([[1.0, 0.0]]),
        vectors([[1.0, 0.0], [1.0, 0.0], [1.0, 0.0]]),
        vectors([[1.0, 0.0], [0.0, 1.0]], order=[0, 0]),
        vectors([[1.0, 0.0], [1.0, float("nan")]]),
        vectors([[1.0, 0.0], [0.0, 0.0]]),
        vectors([[1.0, 0.0], [1.0, 0.0, 0.0]]),
        RawReply(body="<html>busy</html>", headers=HTML),
        RawReply(body='{"data": [{"index"'),
        RawReply(body="{}"),
        RawReply(body='{"error": {"message": "no"}}'),
        RawReply(body=""),
        RawReply(body='{"data": [{"index": 0, "embedding": "AACAPw=="}, {"index": 1, "embedding": "AACAPw=="}]}'),
    ],
    ids=["few", "many", "same twice", "nan", "zeros", "wide", "html", "cut", "no data", "error", "empty", "base64"],
)
def test_an_answer_that_is_no_two_vectors_is_a_model_error(reply: RawReply) -> None:
    """Nothing but vectors of the right number and dimension gets through."""
    with served(reply) as (embedder, _), pytest.raises(ModelError):
        embedder.embed_passages(["a", "b"])


@pytest.mark.parametrize("reply", [vectors([[]]), vectors([]), RawReply(body="{}")])
def test_a_failed_probe_is_no_dimension(reply: RawReply) -> None:
    """A server that is not ready never makes an index of dimension 0."""
    with scripted_model([reply]) as server:
        embedder = make_embedder("openai:m", base_url=server.url)
        with pytest.raises(ModelError):
            _ = embedder.spec
        embedder.close()
